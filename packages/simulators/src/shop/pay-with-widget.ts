import { html } from '@tollgate/contract'
import { seeOther } from '../http/answers.ts'
import { amountText } from '../http/page-language.ts'
import { amountOf, type CartLine } from './cart.ts'
import type { Parameters } from './gateway.ts'
import { messagePage, refusedPage, shopPage } from './layout.ts'
import { nonceFrom } from './nonce.ts'
import type { Order } from './orders.ts'
import { orderCart, paymentOf, resultUrlOf } from './payment-of.ts'
import type { Action, Shop, Visit } from './visit.ts'
import type { StoredCard } from './visitors.ts'
import { testData } from './test-data.ts'

/** What the widget offers, by the button that was pressed. */
const brandsOf = {
  cards: 'VISA MASTER AMEX DISCOVER JCB MAESTRO PAYPAL IDEAL',
  cardsOnly: 'VISA MASTER AMEX DISCOVER JCB MAESTRO',
  debit: 'DIRECTDEBIT_SEPA',
} as const

type With = keyof typeof brandsOf

const isWith = (value: string): value is With => Object.hasOwn(brandsOf, value)

/** Step 1: our server tells the gateway what is to be paid, and gets a checkout that is good for half an hour. */
export const payWithWidget: Action = async (shop, visit) => {
  const { call, visitor } = visit
  const order = orderCart(shop, visitor)
  if (!order) return seeOther('/cart')
  const form = new URLSearchParams(call.body)
  const pressed = form.get('with') ?? ''
  return openCheckout(shop, visit, order, isWith(pressed) ? pressed : 'cards', {
    ...paymentOf(shop, order),
    ...cartParameters(order.lines, visit),
    ...oneClick(visitor.cards),
    ...(form.has('store') ? storing : undefined),
    ...(pressed === 'debit' ? mandate(order, shop.clock.now()) : undefined),
  })
}

/** Creates a checkout for an order, and sends the shopper to the page with the widget. */
export async function openCheckout(shop: Shop, visit: Visit, order: Order, pays: With, parameters: Parameters) {
  const answer = await shop.gateway.post('/v1/checkouts', { ...parameters, integrity: 'true' }, order.id)
  const { id, integrity } = answer
  if (answer.result.code !== '000.200.100' || id === undefined || integrity === undefined)
    return refusedPage(visit, answer)
  const resourcePath = `/v1/checkouts/${id}/${order.purpose === 'card' ? 'registration' : 'payment'}`
  shop.orders.change(order.id, { checkout: { id, integrity, brands: brandsOf[pays] }, resourcePath })
  return seeOther(`/pay/${order.id}`)
}

/** Step 2: the page with the widget. Card numbers go from its frames to the gateway, past our page and server. */
export const showWidget: Action = (shop, visit) => {
  const { call, visitor, texts, language } = visit
  const order = shop.orders.find(call.id)
  if (!order?.checkout || order.visitorId !== visitor.id) return messagePage(visit, 404, texts.noOrder)
  const { id, integrity, brands } = order.checkout
  const source = `${shop.gatewayUrl}/v1/paymentWidgets.js?checkoutId=${id}`
  const nonce = nonceFrom(shop.random)
  const sum = order.amount === undefined ? undefined : amountText(language, order.amount, order.currency)
  return shopPage(visit, {
    title: texts.widget.title,
    main: html`<section class="pay"><h1>${texts.widget.title}</h1>
${sum === undefined ? html`<p>${texts.cards.why}</p>` : html`<p class="sum">${sum}</p>`}
<form action="${resultUrlOf(shop)}" class="paymentWidgets" data-brands="${brands}"></form>
<script nonce="${nonce}">var wpwlOptions = { locale: '${language}', style: 'card' }</script>
<script src="${source}" integrity="${integrity}" crossorigin="anonymous"></script>
<noscript><p>${texts.widget.needsScript}</p></noscript></section>
${testData(visit)}`,
    policy: policyFor(new URL(shop.gatewayUrl).origin, nonce),
  })
}

/**
 * "The merchant page that embeds the widget must allow the service host in style, frame, script, connect and image
 * sources, and inline scripts need a nonce."
 */
const policyFor = (gateway: string, nonce: string): Readonly<Record<string, string>> => ({
  'style-src': `'self' ${gateway}`,
  'frame-src': gateway,
  'script-src': `'nonce-${nonce}' ${gateway}`,
  'connect-src': gateway,
  'img-src': `'self' ${gateway}`,
})

/** What is bought: some methods show it to the shopper, and risk checks look at it. */
const cartParameters = (lines: readonly CartLine[], { language }: Visit): Parameters =>
  Object.fromEntries(
    lines.flatMap(({ product, quantity }, index) => [
      [`cart.items[${index}].merchantItemId`, product.id],
      [`cart.items[${index}].name`, product.name[language]],
      [`cart.items[${index}].quantity`, String(quantity)],
      [`cart.items[${index}].price`, amountOf(product.priceMinor)],
      [`cart.items[${index}].totalAmount`, amountOf(product.priceMinor * quantity)],
    ]),
  )

/** Stored cards are offered by their ids: the shopper pays with one click. */
const oneClick = (cards: readonly StoredCard[]): Parameters =>
  Object.fromEntries(cards.map(({ registrationId }, index) => [`registrations[${index}].id`, registrationId]))

/** The customer agrees that we keep the card, to pay with it later when there is something to buy. */
const storing: Parameters = {
  createRegistration: 'true',
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
}

/** A direct debit needs the mandate that the customer gives by paying. Its id has letters only. */
const mandate = (order: Order, nowMs: number): Parameters => ({
  'bankAccount.mandate.id': order.id.replaceAll(/[0-9]/g, (digit) => 'ghijklmnop'.charAt(Number(digit))),
  'bankAccount.mandate.dateOfSignature': new Date(nowMs).toISOString().slice(0, 10),
})
