import { type Html, html } from '@tollgate/contract'
import { documentOf } from './document.ts'
import type { Texts } from './texts.ts'

/** An error page with a text for the shopper, and the error code for developers. */
export const problemPage = (url: string, texts: Texts, errorCode: string, errorDetail: string): Html =>
  documentOf(
    url,
    texts,
    texts.problemTitle,
    html`<h1>${texts.problemTitle}</h1>
<p>${texts.problem}</p>
<p class="code" dir="ltr">3-D Secure ${errorCode}: ${errorDetail}</p>`,
  )
