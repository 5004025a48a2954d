import { type Html, html } from '@tollgate/contract'
import { seeOther } from '../http/answers.ts'
import { amountOf } from './cart.ts'
import { CURRENCY, subscription } from './catalogue.ts'
import { follow } from './follow.ts'
import { priceText, shopPage } from './layout.ts'
import { paymentOf } from './payment-of.ts'
import type { Action, Visit } from './visit.ts'

/** Tea every month, charged to a stored card. */
export const showSubscription: Action = (_, visit) => {
  const { texts, visitor } = visit
  const running = visitor.subscriptions.map(
    ({ scheduleId, card }) => html`<li><span class="chip">${card.brand}</span><span><bdi>···· ${card.last4}</bdi></span>
<form method="post" action="/subscription/${scheduleId}/cancel">
<button class="quiet">${texts.subscription.cancel}</button></form></li>`,
  )
  const main = html`<section class="card narrow"><h1>${texts.subscription.name}</h1><p>${texts.subscription.text}</p>
<p class="sum">${priceText(visit, subscription.priceMinor)}</p>
${visitor.cards.length === 0 ? needsCard(visit) : chooseCard(visit)}
${running.length > 0 ? html`<h2>${texts.subscription.running}</h2><ul class="list">${running}</ul>` : undefined}
</section>`
  return shopPage(visit, { title: texts.subscription.name, main })
}

const needsCard = ({ texts }: Visit): Html =>
  html`<p>${texts.subscription.needsCard}</p><p><a class="button first" href="/cards">${texts.cards.add}</a></p>`

const chooseCard = ({ texts, visitor }: Visit): Html => html`<form method="post" action="/subscription">
<p><label for="card">${texts.subscription.card}</label><select id="card" name="card">${visitor.cards.map(
  ({ registrationId, brand, last4 }) => html`<option value="${registrationId}">${brand} ···· ${last4}</option>`,
)}</select></p>
<button class="first">${texts.subscription.start}</button></form>`

/** The customer agrees, and pays the first month now; the plan for the others is made when that is approved. */
export const subscribe: Action = async (shop, visit) => {
  const { call, visitor } = visit
  const wanted = new URLSearchParams(call.body).get('card')
  const card = visitor.cards.find(({ registrationId }) => registrationId === wanted)
  if (!card) return seeOther('/subscription')
  const amount = amountOf(subscription.priceMinor)
  const order = shop.orders.create({
    visitorId: visitor.id,
    purpose: 'subscription',
    lines: [],
    amount,
    currency: CURRENCY,
    registrationId: card.registrationId,
  })
  const parameters = {
    ...paymentOf(shop, order),
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.recurringType': 'SUBSCRIPTION',
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.source': 'CIT',
  }
  const path = `/v1/registrations/${card.registrationId}/payments`
  return follow(shop, visit, order, await shop.gateway.post(path, parameters, order.id))
}

/** The gateway charges no more. */
export const cancelSubscription: Action = async (shop, { call, visitor }) => {
  const ended = visitor.subscriptions.find(({ scheduleId }) => scheduleId === call.id)
  if (ended) {
    await shop.gateway.delete(`/scheduling/v1/schedules/${ended.scheduleId}`)
    const subscriptions = visitor.subscriptions.filter((one) => one !== ended)
    shop.visitors.change(visitor.id, { subscriptions })
  }
  return seeOther('/subscription')
}
