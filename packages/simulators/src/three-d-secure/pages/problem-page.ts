import { type Html, html } from '@tollgate/contract'
import { documentOf } from './document.ts'
import type { Texts } from './texts.ts'

/** What a shopper sees where there is no way on: words for them, and the error for who looks into it. */
export const problemPage = (url: string, texts: Texts, errorCode: string, errorDetail: string): Html =>
  documentOf(
    url,
    texts,
    texts.problemTitle,
    html`<h1>${texts.problemTitle}</h1>
<p>${texts.problem}</p>
<p class="code" dir="ltr">3-D Secure ${errorCode}: ${errorDetail}</p>`,
  )
