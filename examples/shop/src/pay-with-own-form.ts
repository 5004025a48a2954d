import { type Html, html } from '@tollgate/contract'
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Parameters } from './gateway.ts'
import { priceText, sendPage } from './pages/page.ts'
import type { FormRequest } from './pages/page-request.ts'
import { testData } from './pages/test-data.ts'
import type { ShopTexts } from './pages/texts.ts'
import { paymentParameters } from './payment-parameters.ts'
import { redirectShopper } from './redirect-shopper.ts'
import type { Shop } from './context.ts'
import { linesOf, totalMinor } from './store/cart.ts'
import { orderCart } from './store/orders.ts'

interface Field {
  /** Name of the gateway's parameter. */
  readonly name: string
  readonly label: keyof ShopTexts['ownForm']['labels']
  readonly autocomplete: string
  readonly charsMax: number
  readonly inputmode: 'numeric' | 'text'
}

const fields: readonly Field[] = [
  { name: 'card.number', label: 'number', autocomplete: 'cc-number', inputmode: 'numeric', charsMax: 23 },
  { name: 'card.holder', label: 'holder', autocomplete: 'cc-name', inputmode: 'text', charsMax: 128 },
  { name: 'card.expiryMonth', label: 'month', autocomplete: 'cc-exp-month', inputmode: 'numeric', charsMax: 2 },
  { name: 'card.expiryYear', label: 'year', autocomplete: 'cc-exp-year', inputmode: 'numeric', charsMax: 4 },
  { name: 'card.cvv', label: 'cvv', autocomplete: 'cc-csc', inputmode: 'numeric', charsMax: 4 },
]

/** Fills the hidden fields with the browser data that only a script can read. */
const BROWSER_SCRIPT = `
const browserData = {
  language: navigator.language.slice(0, 8),
  screenHeight: screen.height,
  screenWidth: screen.width,
  screenColorDepth: screen.colorDepth,
  timezone: new Date().getTimezoneOffset(),
}
for (const name in browserData) document.getElementsByName('customer.browser.' + name)[0].value = browserData[name]
`
const scriptFields = ['language', 'screenHeight', 'screenWidth', 'screenColorDepth', 'timezone'].map(
  (name) => `customer.browser.${name}`,
)

/** Adds the payment with a card form of the shop. As the shop receives card numbers, all of PCI DSS applies to it. */
export function addCardForm(pages: FastifyInstance, shop: Shop): void {
  pages.get('/card-form', async (request, reply) => {
    const { texts, customer } = request
    const lines = linesOf(customer.cart)
    if (lines.length === 0) return reply.redirect('/cart', 303)
    const nonce = randomBytes(16).toString('base64')
    const main = html`<section class="card narrow"><h1>${texts.ownForm.name}</h1>
<p class="warning">${texts.ownForm.warning}</p>
<p class="sum">${priceText(request, totalMinor(lines))}</p>
<form method="post" action="/card-form" class="fields">
${fields.map((field) => fieldHtml(field, texts))}
${scriptFields.map((name) => html`<input type="hidden" name="${name}" value="">`)}
<button class="first">${texts.ownForm.pay}</button></form>
<script nonce="${nonce}">${{ html: BROWSER_SCRIPT }}</script></section>
${testData(texts)}`
    return sendPage(request, reply, { title: texts.ownForm.name, main, policy: { 'script-src': `'nonce-${nonce}'` } })
  })

  // The card data are sent from server to server, and are neither logged nor stored.
  pages.post<FormRequest>('/card-form', async (request, reply) => {
    const order = orderCart(shop.orders, request.customer)
    if (!order) return reply.redirect('/cart', 303)
    const valueOf = (name: string): string => request.body.get(name)?.trim() ?? ''
    const parameters = {
      ...paymentParameters(shop, order),
      ...Object.fromEntries(fields.map(({ name }) => [name, valueOf(name)])),
      'card.number': valueOf('card.number').replaceAll(/[^0-9]/g, ''),
      ...browserParameters(request),
    }
    const answer = await shop.gateway.post('/v1/payments', parameters, order.id)
    return redirectShopper(shop, request, reply, order, answer)
  })
}

const fieldHtml = ({ name, label, autocomplete, inputmode, charsMax }: Field, texts: ShopTexts): Html =>
  html`<p><label for="${name}">${texts.ownForm.labels[label]}</label>
<input id="${name}" name="${name}" autocomplete="${autocomplete}" inputmode="${inputmode}" maxlength="${charsMax}"
  required></p>`

/** The browser data for 3-D Secure. All are omitted if no script ran, because most of them are then missing. */
function browserParameters({ body, headers }: FastifyRequest<FormRequest>): Parameters {
  if (scriptFields.some((name) => !body.get(name))) return {}
  return {
    ...Object.fromEntries(scriptFields.map((name) => [name, body.get(name) ?? ''])),
    'customer.browser.acceptHeader': headers.accept ?? '*/*',
    'customer.browser.userAgent': headers['user-agent'] ?? 'unknown',
    'customer.browser.javaEnabled': 'false',
    'customer.browser.challengeWindow': '5',
  }
}
