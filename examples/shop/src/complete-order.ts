import type { GatewayAnswer } from './gateway.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { Shop } from './context.ts'
import { withoutLines } from './store/cart.ts'
import { type StoredCard, storeCard } from './store/customers.ts'
import { isFinal, type Order } from './store/orders.ts'
import { scheduleMonths } from './schedule-months.ts'

/**
 * Records the gateway's answer about an order, and delivers a paid order. The shopper's return, a reload of the result
 * page, a notification, and the gateway's request for the result page if the shopper does not return may all report the
 * same outcome. The order is delivered once.
 */
export async function completeOrder(shop: Shop, order: Order, answer: GatewayAnswer): Promise<void> {
  if (isFinal(order)) return
  order.code = answer.result.code
  // The answer about a checkout without a payment has the id of the checkout.
  order.isUnpaid = order.checkout !== undefined && answer.id === order.checkout.id
  order.outcome = outcomeFor(order, answer) ?? order.outcome
  if (isFinal(order)) await deliver(shop, order, answer)
}

/** The outcome of an order; undefined if the answer is about something else, as after the expiry of its checkout. */
function outcomeFor(order: Order, answer: GatewayAnswer): Outcome | undefined {
  const outcome = outcomeOf(answer.result.code)
  if (order.purpose === 'card') return outcome
  if (answer.merchantTransactionId !== order.id) return undefined
  // An approval may be partial. Goods are sent only if the full amount of the order is approved.
  const isFullAmount = answer.amount === order.amount && answer.currency === order.currency
  return outcome === 'approved' && !isFullAmount ? 'review' : outcome
}

async function deliver(shop: Shop, order: Order, answer: GatewayAnswer): Promise<void> {
  const { customer, purpose, lines } = order
  const card = storedCardOf(order, answer)
  if (card) storeCard(customer, card)
  if (purpose === 'cart') customer.cart = withoutLines(customer.cart, lines)
  if (purpose === 'subscription') await scheduleMonths(shop, order)
}

/**
 * The card or bank account that the gateway has stored; undefined if there is none. A subscription is paid with a card
 * that the shop already knows.
 */
function storedCardOf(order: Order, answer: GatewayAnswer): StoredCard | undefined {
  const registrationId = answer.registrationId ?? (order.purpose === 'card' ? answer.id : undefined)
  if (registrationId === undefined || order.purpose === 'subscription') return undefined
  const last4 = answer.card?.last4Digits ?? answer.bankAccount?.last4Digits ?? ''
  return { registrationId, brand: answer.paymentBrand ?? '', last4 }
}
