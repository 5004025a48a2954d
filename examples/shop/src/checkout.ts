import { html } from '@tollgate/contract'
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Parameters } from './gateway.ts'
import { amountText, type ShopLanguage } from './pages/languages.ts'
import { sendMessagePage, sendRefusalPage, sendPage } from './pages/page.ts'
import type { IdRequest, FormRequest } from './pages/page-request.ts'
import { testData } from './pages/test-data.ts'
import { paymentParameters, resultUrlOf } from './payment-parameters.ts'
import type { Shop } from './context.ts'
import { amountOf, type CartLine } from './store/cart.ts'
import type { StoredCard } from './store/customers.ts'
import { type Order, orderCart } from './store/orders.ts'

/** The brands that the widget offers: for a cart, to store a card, and for a direct debit. */
const offeredBrands = {
  cards: 'VISA MASTER AMEX DISCOVER JCB MAESTRO PAYPAL IDEAL',
  cardsOnly: 'VISA MASTER AMEX DISCOVER JCB MAESTRO',
  debit: 'DIRECTDEBIT_SEPA',
} as const

/** Adds the payment with the widget. The widget's frames send the card number to the gateway, never to the shop. */
export function addCheckoutPages(pages: FastifyInstance, shop: Shop): void {
  // Step 1: the server sends the order to the gateway, and receives a checkout that is valid for half an hour.
  pages.post<FormRequest>('/pay', async (request, reply) => {
    const { body, customer, language } = request
    const order = orderCart(shop.orders, customer)
    if (!order) return reply.redirect('/cart', 303)
    const isDebit = body.get('with') === 'debit'
    return prepareCheckout(shop, request, reply, order, isDebit ? 'debit' : 'cards', {
      ...paymentParameters(shop, order),
      ...cartParameters(order.lines, language),
      ...oneClickParameters(customer.cards),
      ...(body.has('store') ? storingParameters : undefined),
      ...(isDebit ? mandateParameters(order, shop.now()) : undefined),
    })
  })

  // Step 2: the shopper pays on the page with the widget.
  pages.get<IdRequest>('/pay/:id', async (request, reply) => {
    const { customer, texts, language } = request
    const order = shop.orders.find(request.params.id)
    if (!order?.checkout || order.customer !== customer) return sendMessagePage(request, reply, 404, texts.noOrder)
    const { id, integrity, brands } = order.checkout
    const scriptUrl = `${shop.gatewayUrl}/v1/paymentWidgets.js?checkoutId=${id}`
    const nonce = randomBytes(16).toString('base64')
    const amount = order.amount === undefined ? undefined : amountText(language, order.amount, order.currency)
    return sendPage(request, reply, {
      title: texts.widget.title,
      main: html`<section class="pay"><h1>${texts.widget.title}</h1>
${amount === undefined ? html`<p>${texts.cards.why}</p>` : html`<p class="sum">${amount}</p>`}
<form action="${resultUrlOf(shop)}" class="paymentWidgets" data-brands="${brands}"></form>
<script nonce="${nonce}">var wpwlOptions = { locale: '${language}', style: 'card' }</script>
<script src="${scriptUrl}" integrity="${integrity}" crossorigin="anonymous"></script>
<noscript><p>${texts.widget.needsScript}</p></noscript></section>
${testData(texts)}`,
      policy: policyOf(new URL(shop.gatewayUrl).origin, nonce),
    })
  })
}

/** Prepares a checkout for an order, and sends the shopper to the page with the widget. */
export async function prepareCheckout(
  shop: Shop,
  request: FastifyRequest,
  reply: FastifyReply,
  order: Order,
  offer: keyof typeof offeredBrands,
  parameters: Parameters,
): Promise<FastifyReply> {
  const answer = await shop.gateway.post('/v1/checkouts', { ...parameters, integrity: 'true' }, order.id)
  const { id, integrity, result } = answer
  if (result.code !== '000.200.100' || id === undefined || integrity === undefined)
    return sendRefusalPage(request, reply, answer)
  order.checkout = { id, integrity, brands: offeredBrands[offer] }
  order.resourcePath = `/v1/checkouts/${id}/${order.purpose === 'card' ? 'registration' : 'payment'}`
  return reply.redirect(`/pay/${order.id}`, 303)
}

/**
 * The Content-Security-Policy of the page with the widget: "The merchant page that embeds the widget must allow the
 * service host in style, frame, script, connect and image sources, and inline scripts need a nonce."
 */
const policyOf = (gateway: string, nonce: string): Readonly<Record<string, string>> => ({
  'style-src': `'self' ${gateway}`,
  'frame-src': gateway,
  'script-src': `'nonce-${nonce}' ${gateway}`,
  'connect-src': gateway,
  'img-src': `'self' ${gateway}`,
})

/** Parameters of the cart, which some payment methods show to the shopper. */
const cartParameters = (lines: readonly CartLine[], language: ShopLanguage): Parameters =>
  Object.fromEntries(
    lines.flatMap(({ product, quantity }, index) => [
      [`cart.items[${index}].merchantItemId`, product.id],
      [`cart.items[${index}].name`, product.name[language]],
      [`cart.items[${index}].quantity`, String(quantity)],
      [`cart.items[${index}].price`, amountOf(product.priceMinor)],
      [`cart.items[${index}].totalAmount`, amountOf(product.priceMinor * quantity)],
    ]),
  )

/** Parameters by which the widget offers stored cards, so that the shopper pays with one click. */
const oneClickParameters = (cards: readonly StoredCard[]): Parameters =>
  Object.fromEntries(cards.map(({ registrationId }, index) => [`registrations[${index}].id`, registrationId]))

/** Parameters of a payment whose customer agrees that the card is stored for later payments. */
const storingParameters: Parameters = {
  createRegistration: 'true',
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
}

/**
 * Parameters of the mandate of a direct debit. The customer agrees to the mandate by paying. The mandate's id may only
 * contain letters and hyphens, so letters replace the digits of the order's id.
 */
const mandateParameters = (order: Order, nowMs: number): Parameters => ({
  'bankAccount.mandate.id': order.id.replaceAll(/[0-9]/g, (digit) => 'ghijklmnop'.charAt(Number(digit))),
  'bankAccount.mandate.dateOfSignature': new Date(nowMs).toISOString().slice(0, 10),
})
