import { type Html, html } from '@tollgate/contract'
import { asset } from '../../http/asset.ts'
import { documentOf } from './document.ts'
import type { Texts } from './texts.ts'

/** The script that submits the form of the page. */
export const forwardScript = asset('/acs/assets', 'forward', 'js', "document.getElementById('forward').submit()\n")

/** A page that submits fields to another address automatically, or by its button if scripts are disabled. */
export const forwardPage = (
  url: string,
  texts: Texts,
  target: string,
  fields: readonly (readonly [name: string, value: string])[],
): Html =>
  documentOf(
    url,
    texts,
    texts.forwardTitle,
    html`<h1>${texts.forwardTitle}</h1>
<form id="forward" method="post" action="${target}">
${fields.map(
  ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
)}<div class="actions"><button>${texts.forward}</button></div>
</form>`,
    html`<script src="${url}${forwardScript.path}"></script>`,
  )
