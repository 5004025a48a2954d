import { type Html, html } from '@tollgate/contract'
import type { FastifyInstance } from 'fastify'
import { priceText, sendPage } from './pages/page.ts'
import type { IdRequest, FormRequest } from './pages/page-request.ts'
import type { ShopTexts } from './pages/texts.ts'
import { paymentParameters } from './payment-parameters.ts'
import { redirectShopper } from './redirect-shopper.ts'
import type { Shop } from './context.ts'
import { amountOf } from './store/cart.ts'
import { subscription } from './store/catalogue.ts'
import type { StoredCard } from './store/customers.ts'

/** Adds the pages of the subscription: a monthly payment with a stored card. */
export function addSubscriptionPages(pages: FastifyInstance, shop: Shop): void {
  pages.get('/subscription', async (request, reply) => {
    const { texts, customer } = request
    const { name, text, running, cancel } = texts.subscription
    const items = customer.subscriptions.map(
      ({
        scheduleId,
        card,
      }) => html`<li><span class="chip">${card.brand}</span><span><bdi>···· ${card.last4}</bdi></span>
<form method="post" action="/subscription/${scheduleId}/cancel">
<button class="quiet">${cancel}</button></form></li>`,
    )
    const main = html`<section class="card narrow"><h1>${name}</h1><p>${text}</p>
<p class="sum">${priceText(request, subscription.priceMinor)}</p>
${customer.cards.length === 0 ? cardRequired(texts) : cardForm(texts, customer.cards)}
${items.length > 0 ? html`<h2>${running}</h2><ul class="list">${items}</ul>` : undefined}
</section>`
    return sendPage(request, reply, { title: name, main })
  })

  // The customer agrees, and pays the first month now. The schedule of the later months is created after the
  // approval.
  pages.post<FormRequest>('/subscription', async (request, reply) => {
    const { customer, body } = request
    const card = customer.cards.find(({ registrationId }) => registrationId === body.get('card'))
    if (!card) return reply.redirect('/subscription', 303)
    const { registrationId } = card
    const amount = amountOf(subscription.priceMinor)
    const order = shop.orders.create({ customer, purpose: 'subscription', amount, registrationId })
    const parameters = {
      ...paymentParameters(shop, order),
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.recurringType': 'SUBSCRIPTION',
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.source': 'CIT',
    }
    const answer = await shop.gateway.post(`/v1/registrations/${registrationId}/payments`, parameters, order.id)
    return redirectShopper(shop, request, reply, order, answer)
  })

  pages.post<IdRequest>('/subscription/:id/cancel', async ({ customer, params }, reply) => {
    const cancelled = customer.subscriptions.find(({ scheduleId }) => scheduleId === params.id)
    if (cancelled) {
      await shop.gateway.delete(`/scheduling/v1/schedules/${cancelled.scheduleId}`)
      customer.subscriptions = customer.subscriptions.filter((other) => other !== cancelled)
    }
    return reply.redirect('/subscription', 303)
  })
}

const cardRequired = ({ subscription: texts, cards }: ShopTexts): Html =>
  html`<p>${texts.needsCard}</p><p><a class="button first" href="/cards">${cards.add}</a></p>`

function cardForm({ subscription: texts }: ShopTexts, cards: readonly StoredCard[]): Html {
  const options = cards.map(
    ({ registrationId, brand, last4 }) => html`<option value="${registrationId}">${brand} ···· ${last4}</option>`,
  )
  return html`<form method="post" action="/subscription">
<p><label for="card">${texts.card}</label><select id="card" name="card">${options}</select></p>
<button class="first">${texts.start}</button></form>`
}
