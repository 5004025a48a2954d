import { subscription } from './catalogue.ts'
import type { GatewayAnswer } from './gateway.ts'
import { withoutLines } from './cart.ts'
import type { Order } from './orders.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { Shop } from './visit.ts'
import { type StoredCard, withCard } from './visitors.ts'

/**
 * Notes what an answer of the gateway says of an order, and does what follows from it. The shopper's return, a reload
 * of the page and the gateway's own call may all bring the same news: what follows is done for the first of them.
 */
export async function completeOrder(shop: Shop, order: Order, answer: GatewayAnswer): Promise<void> {
  // Of a checkout without a payment the answer bears the id of the checkout.
  const isUnpaid = order.checkout !== undefined && answer.id === order.checkout.id
  shop.orders.change(order.id, { code: answer.result.code, isUnpaid })
  const outcome = judge(order, answer)
  const isNews = outcome !== undefined && shop.orders.settle(order.id, outcome)
  if (isNews && (outcome === 'approved' || outcome === 'review')) await fulfil(shop, order, answer)
}

/** undefined: the answer is not about this order, such as that its checkout has expired. */
function judge(order: Order, answer: GatewayAnswer): Outcome | undefined {
  const outcome = outcomeOf(answer.result.code)
  if (order.purpose === 'card') return outcome
  if (answer.merchantTransactionId !== order.id) return undefined
  // Never send goods for another amount than was asked for: a part of it may have been approved.
  const isWhole = answer.amount === order.amount && answer.currency === order.currency
  return outcome === 'approved' && !isWhole ? 'review' : outcome
}

async function fulfil(shop: Shop, order: Order, answer: GatewayAnswer): Promise<void> {
  const visitor = shop.visitors.find(order.visitorId)
  if (!visitor) return
  const card = storedIn(order, answer)
  if (card) shop.visitors.change(visitor.id, { cards: withCard(visitor.cards, card) })
  if (order.purpose === 'cart') shop.visitors.change(visitor.id, { cart: withoutLines(visitor.cart, order.lines) })
  if (order.purpose === 'subscription') await planMonths(shop, order)
}

/** What was stored on the way, if the customer wished so. */
function storedIn(order: Order, answer: GatewayAnswer): StoredCard | undefined {
  const registrationId = answer.registrationId ?? (order.purpose === 'card' ? answer.id : undefined)
  if (registrationId === undefined || order.purpose === 'subscription') return undefined
  const last4 = answer.card?.last4Digits ?? answer.bankAccount?.last4Digits ?? ''
  return { registrationId, brand: answer.paymentBrand ?? '', last4 }
}

/** The first month is paid: the gateway charges the others, at nine in the morning of the first of each. */
async function planMonths({ gateway, visitors }: Shop, order: Order): Promise<void> {
  const { amount, currency, registrationId } = order
  const parameters = {
    registrationId,
    paymentType: 'DB',
    amount,
    currency,
    'job.name': subscription.name,
    'job.dayOfMonth': '1',
    'job.month': '*',
    'job.hour': '9',
  }
  const plan = await gateway.post('/scheduling/v1/schedules', parameters, `${order.id}-plan`)
  const visitor = visitors.find(order.visitorId)
  const card = visitor?.cards.find((one) => one.registrationId === registrationId)
  if (!visitor || !card || plan.id === undefined || outcomeOf(plan.result.code) !== 'approved') {
    // A real shop tells somebody here: the customer has paid for a subscription that does not go on.
    process.stderr.write(`shop: ${order.id} has no plan: ${plan.result.code} ${plan.result.description}\n`)
    return
  }
  visitors.change(visitor.id, { subscriptions: [{ scheduleId: plan.id, card }, ...visitor.subscriptions] })
}
