import { html } from '@tollgate/contract'
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Parameters } from './gateway.ts'
import { amountText, type ShopLanguage } from './pages/languages.ts'
import { messagePage, refusedPage, sendPage } from './pages/page.ts'
import type { ById, Form } from './pages/page-request.ts'
import { testData } from './pages/test-data.ts'
import { paymentParameters, resultUrlOf } from './payment-parameters.ts'
import type { Shop } from './context.ts'
import { amountOf, type CartLine } from './store/cart.ts'
import type { StoredCard } from './store/customers.ts'
import { type Order, orderCart } from './store/orders.ts'

/** Brands that the widget offers, by the button that was pressed. */
const offers = {
  cards: 'VISA MASTER AMEX DISCOVER JCB MAESTRO PAYPAL IDEAL',
  cardsOnly: 'VISA MASTER AMEX DISCOVER JCB MAESTRO',
  debit: 'DIRECTDEBIT_SEPA',
} as const

/** Payment with the widget: its frames send the card number to the gateway, not to the shop's page or server. */
export function checkoutPages(pages: FastifyInstance, shop: Shop): void {
  // Step 1: the server sends the order to the gateway, and gets a checkout that is valid for half an hour.
  pages.post<Form>('/pay', async (request, reply) => {
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

  // Step 2: the page with the widget.
  pages.get<ById>('/pay/:id', async (request, reply) => {
    const { customer, texts, language } = request
    const order = shop.orders.find(request.params.id)
    if (!order?.checkout || order.customer !== customer) return messagePage(request, reply, 404, texts.noOrder)
    const { id, integrity, brands } = order.checkout
    const source = `${shop.gatewayUrl}/v1/paymentWidgets.js?checkoutId=${id}`
    const nonce = randomBytes(16).toString('base64')
    const sum = order.amount === undefined ? undefined : amountText(language, order.amount, order.currency)
    return sendPage(request, reply, {
      title: texts.widget.title,
      main: html`<section class="pay"><h1>${texts.widget.title}</h1>
${sum === undefined ? html`<p>${texts.cards.why}</p>` : html`<p class="sum">${sum}</p>`}
<form action="${resultUrlOf(shop)}" class="paymentWidgets" data-brands="${brands}"></form>
<script nonce="${nonce}">var wpwlOptions = { locale: '${language}', style: 'card' }</script>
<script src="${source}" integrity="${integrity}" crossorigin="anonymous"></script>
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
  offer: keyof typeof offers,
  parameters: Parameters,
): Promise<FastifyReply> {
  const answer = await shop.gateway.post('/v1/checkouts', { ...parameters, integrity: 'true' }, order.id)
  const { id, integrity, result } = answer
  if (result.code !== '000.200.100' || id === undefined || integrity === undefined)
    return refusedPage(request, reply, answer)
  order.checkout = { id, integrity, brands: offers[offer] }
  order.resourcePath = `/v1/checkouts/${id}/${order.purpose === 'card' ? 'registration' : 'payment'}`
  return reply.redirect(`/pay/${order.id}`, 303)
}

/**
 * "The merchant page that embeds the widget must allow the service host in style, frame, script, connect and image
 * sources, and inline scripts need a nonce."
 */
const policyOf = (gateway: string, nonce: string): Readonly<Record<string, string>> => ({
  'style-src': `'self' ${gateway}`,
  'frame-src': gateway,
  'script-src': `'nonce-${nonce}' ${gateway}`,
  'connect-src': gateway,
  'img-src': `'self' ${gateway}`,
})

/** The cart: some methods show it to the shopper, and risk rules read it. */
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

/** The widget offers stored cards, so that the shopper pays with one click. */
const oneClickParameters = (cards: readonly StoredCard[]): Parameters =>
  Object.fromEntries(cards.map(({ registrationId }, index) => [`registrations[${index}].id`, registrationId]))

/** The customer agrees that the shop keeps the card for later payments. */
const storingParameters: Parameters = {
  createRegistration: 'true',
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
}

/** A direct debit requires a mandate, to which the customer agrees by paying. Its id has letters only. */
const mandateParameters = (order: Order, nowMs: number): Parameters => ({
  'bankAccount.mandate.id': order.id.replaceAll(/[0-9]/g, (digit) => 'ghijklmnop'.charAt(Number(digit))),
  'bankAccount.mandate.dateOfSignature': new Date(nowMs).toISOString().slice(0, 10),
})
