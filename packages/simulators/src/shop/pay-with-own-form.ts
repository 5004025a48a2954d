import { type Html, html } from '@tollgate/contract'
import { seeOther } from '../http/answers.ts'
import type { Call } from '../http/routes.ts'
import { linesOf, totalMinor } from './cart.ts'
import { follow } from './follow.ts'
import type { Parameters } from './gateway.ts'
import { priceText, shopPage } from './layout.ts'
import { nonceFrom } from './nonce.ts'
import { orderCart, paymentOf } from './payment-of.ts'
import { testData } from './test-data.ts'
import type { ShopTexts } from './texts.ts'
import type { Action } from './visit.ts'

interface Field {
  /** As the gateway calls it. */
  readonly name: string
  readonly label: keyof ShopTexts['ownForm']['labels']
  readonly autocomplete: string
  readonly charsMax: number
  readonly inputmode: 'numeric' | 'text'
}

/** Who the customer is, and where the bill goes, the shop knows. */
const fields: readonly Field[] = [
  { name: 'card.number', label: 'number', autocomplete: 'cc-number', inputmode: 'numeric', charsMax: 23 },
  { name: 'card.holder', label: 'holder', autocomplete: 'cc-name', inputmode: 'text', charsMax: 128 },
  { name: 'card.expiryMonth', label: 'month', autocomplete: 'cc-exp-month', inputmode: 'numeric', charsMax: 2 },
  { name: 'card.expiryYear', label: 'year', autocomplete: 'cc-exp-year', inputmode: 'numeric', charsMax: 4 },
  { name: 'card.cvv', label: 'cvv', autocomplete: 'cc-csc', inputmode: 'numeric', charsMax: 4 },
]

/** What only a script knows of the browser. */
const BROWSER_SCRIPT = `
const known = {
  language: navigator.language.slice(0, 8),
  screenHeight: screen.height,
  screenWidth: screen.width,
  screenColorDepth: screen.colorDepth,
  timezone: new Date().getTimezoneOffset(),
}
for (const name in known) document.getElementsByName('customer.browser.' + name)[0].value = known[name]
`
const fromScript = ['language', 'screenHeight', 'screenWidth', 'screenColorDepth', 'timezone'].map(
  (name) => `customer.browser.${name}`,
)

/** A card form of our own. Whoever has one handles card numbers, and has to comply with PCI DSS: take the widget. */
export const showCardForm: Action = (shop, visit) => {
  const { texts, visitor } = visit
  const lines = linesOf(visitor.cart)
  if (lines.length === 0) return seeOther('/cart')
  const nonce = nonceFrom(shop.random)
  const main = html`<section class="card narrow"><h1>${texts.ownForm.name}</h1>
<p class="warning">${texts.ownForm.warning}</p>
<p class="sum">${priceText(visit, totalMinor(lines))}</p>
<form method="post" action="/card-form" class="fields">
${fields.map((field) => fieldHtml(field, texts))}
${fromScript.map((name) => html`<input type="hidden" name="${name}" value="">`)}
<button class="first">${texts.ownForm.pay}</button></form>
<script nonce="${nonce}">${{ html: BROWSER_SCRIPT }}</script></section>
${testData(visit)}`
  return shopPage(visit, { title: texts.ownForm.name, main, policy: { 'script-src': `'nonce-${nonce}'` } })
}

const fieldHtml = ({ name, label, autocomplete, inputmode, charsMax }: Field, texts: ShopTexts): Html =>
  html`<p><label for="${name}">${texts.ownForm.labels[label]}</label>
<input id="${name}" name="${name}" autocomplete="${autocomplete}" inputmode="${inputmode}" maxlength="${charsMax}"
  required></p>`

/** From server to server: the card goes through ours. It is not logged, not stored, and nowhere but in this request. */
export const payWithOwnForm: Action = async (shop, visit) => {
  const order = orderCart(shop, visit.visitor)
  if (!order) return seeOther('/cart')
  const form = new URLSearchParams(visit.call.body)
  const sent = (name: string): string => form.get(name)?.trim() ?? ''
  const parameters = {
    ...paymentOf(shop, order),
    ...Object.fromEntries(fields.map(({ name }) => [name, sent(name)])),
    'card.number': sent('card.number').replaceAll(/[^0-9]/g, ''),
    ...browserParameters(form, visit.call),
  }
  return follow(shop, visit, order, await shop.gateway.post('/v1/payments', parameters, order.id))
}

/** For 3-D Secure: the issuer wants to know the browser. Without scripts there is little to tell: it is left out. */
function browserParameters(form: URLSearchParams, { headers }: Call): Parameters {
  if (fromScript.some((name) => !form.get(name))) return {}
  return {
    ...Object.fromEntries(fromScript.map((name) => [name, form.get(name) ?? ''])),
    'customer.browser.acceptHeader': headers['accept'] ?? '*/*',
    'customer.browser.userAgent': headers['user-agent'] ?? 'unknown',
    'customer.browser.javaEnabled': 'false',
    'customer.browser.challengeWindow': '5',
  }
}
