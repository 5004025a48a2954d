import { currencies, type Html, html } from '@tollgate/contract'
import { languageOf } from '../../http/page-language.ts'
import { oneTimePasswords } from '../acs/one-time-passwords.ts'
import type { Session } from '../acs/sessions.ts'
import { documentOf } from './document.ts'
import { type Texts, textsFor } from './texts.ts'

/** The page with the field for the password, and an error if the last password was wrong. */
export function challengePage(url: string, session: Session): Html {
  const texts = textsFor(session.areq.browserLanguage)
  const isWrong = session.tries > 0
  const body = html`<h1>${texts.title}</h1>
<p>${texts.explain}</p>
${facts(session, texts)}
<form method="post" action="${url}/acs/answer" autocomplete="off">
<input type="hidden" name="acsTransID" value="${session.acsTransID}">
<label for="password">${texts.password}</label>
${isWrong ? html`<p class="wrong" id="wrong" role="alert">${texts.wrong}</p>` : undefined}
${isWrong ? html`<input ${input} aria-invalid="true" aria-describedby="wrong">` : html`<input ${input}>`}
<div class="actions">
<button type="submit">${texts.confirm}</button>
<button type="submit" class="plain" name="cancel" value="1" formnovalidate>${texts.cancel}</button>
</div>
</form>
${help(texts)}`
  return documentOf(url, texts, texts.title, body)
}

const input: Html = {
  html:
    'id="password" name="password" inputmode="numeric" autocomplete="one-time-code" maxlength="10" ' +
    'required autofocus dir="ltr"',
}

function facts(session: Session, texts: Texts): Html {
  const { areq, last4 } = session
  const amount = amountOf(session, languageOf(texts.language).tag)
  return html`<dl class="facts">
${areq.merchantName === undefined ? undefined : html`<dt>${texts.merchant}</dt><dd>${areq.merchantName}</dd>`}
${amount === undefined ? undefined : html`<dt>${texts.amount}</dt><dd><bdi>${amount}</bdi></dd>`}
<dt>${texts.card}</dt><dd><bdi>•••• ${last4}</bdi></dd>
</dl>`
}

/** The amount in the format of the language; only the number if the currency is unknown. */
function amountOf({ areq, amount }: Session, tag: string): string | undefined {
  if (amount === '') return undefined
  const code = Object.entries(currencies).find(([, { numeric }]) => numeric === areq.purchaseCurrency)?.[0]
  const exponent = Number(areq.purchaseExponent ?? '2')
  const value = Number(amount) / 10 ** exponent
  const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent }
  const money = code === undefined ? {} : ({ style: 'currency', currency: code } as const)
  return new Intl.NumberFormat(tag, { ...money, ...digits }).format(value)
}

const help = (texts: Texts): Html => html`<details>
<summary>${texts.codes}</summary>
<table>
<thead><tr><th scope="col">${texts.code}</th><th scope="col">${texts.outcome}</th></tr></thead>
<tbody>
${oneTimePasswords.map(
  ([password, outcome]) => html`<tr><td><bdi>${password}</bdi></td><td><bdi>${outcome}</bdi></td></tr>
`,
)}
</tbody>
</table>
</details>`
