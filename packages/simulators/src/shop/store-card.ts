import { html } from '@tollgate/contract'
import { seeOther } from '../http/answers.ts'
import { CURRENCY } from './catalogue.ts'
import { customer } from './customer.ts'
import { shopPage } from './layout.ts'
import { openCheckout } from './pay-with-widget.ts'
import { resultUrlOf } from './payment-of.ts'
import type { Action } from './visit.ts'

/** The cards that the customer let us keep. */
export const showCards: Action = (_, visit) => {
  const { texts, visitor } = visit
  const cards = visitor.cards.map(
    ({
      registrationId,
      brand,
      last4,
    }) => html`<li><span class="chip">${brand}</span><span><bdi>···· ${last4}</bdi></span>
<form method="post" action="/cards/${registrationId}/forget">
<button class="quiet" aria-label="${texts.cards.forget}: ${last4}">${texts.cards.forget}</button></form></li>`,
  )
  const main = html`<section class="card narrow"><h1>${texts.cards.name}</h1><p>${texts.cards.why}</p>
${cards.length === 0 ? html`<p class="detail">${texts.cards.none}</p>` : html`<ul class="list">${cards}</ul>`}
<form method="post" action="/cards"><button class="first">${texts.cards.add}</button></form></section>`
  return shopPage(visit, { title: texts.cards.name, main })
}

/** A checkout without type and amount stores a card, and pays nothing. */
export const storeCard: Action = (shop, visit) => {
  const order = shop.orders.create({
    visitorId: visit.visitor.id,
    purpose: 'card',
    lines: [],
    amount: undefined,
    currency: CURRENCY,
  })
  return openCheckout(shop, visit, order, 'cardsOnly', {
    createRegistration: 'true',
    shopperResultUrl: resultUrlOf(shop),
    ...customer,
  })
}

/** The gateway erases the number for good. Only a visitor's own cards: the id comes from the address. */
export const forgetCard: Action = async (shop, { call, visitor }) => {
  const card = visitor.cards.find(({ registrationId }) => registrationId === call.id)
  if (card) {
    await shop.gateway.delete(`/v1/registrations/${card.registrationId}`)
    shop.visitors.change(visitor.id, { cards: visitor.cards.filter((one) => one !== card) })
  }
  return seeOther('/cards')
}
