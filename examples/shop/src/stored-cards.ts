import { html } from '@tollgate/contract'
import type { FastifyInstance } from 'fastify'
import { prepareCheckout } from './checkout.ts'
import { customerData } from './customer-data.ts'
import { sendPage } from './pages/page.ts'
import type { IdRequest } from './pages/page-request.ts'
import { resultUrlOf } from './payment-parameters.ts'
import type { Shop } from './context.ts'

/** Adds the pages of the cards that the gateway stores for the customer. */
export function addStoredCardPages(pages: FastifyInstance, shop: Shop): void {
  pages.get('/cards', async (request, reply) => {
    const { cards: texts } = request.texts
    const cards = request.customer.cards.map(
      ({
        registrationId,
        brand,
        last4,
      }) => html`<li><span class="chip">${brand}</span><span><bdi>···· ${last4}</bdi></span>
<form method="post" action="/cards/${registrationId}/delete">
<button class="quiet" aria-label="${texts.forget}: ${last4}">${texts.forget}</button></form></li>`,
    )
    const main = html`<section class="card narrow"><h1>${texts.name}</h1><p>${texts.why}</p>
${cards.length === 0 ? html`<p class="detail">${texts.none}</p>` : html`<ul class="list">${cards}</ul>`}
<form method="post" action="/cards"><button class="first">${texts.add}</button></form></section>`
    return sendPage(request, reply, { title: texts.name, main })
  })

  // A checkout without a payment type and an amount stores a card and makes no payment.
  pages.post('/cards', async (request, reply) => {
    const order = shop.orders.create({ customer: request.customer, purpose: 'card' })
    return prepareCheckout(shop, request, reply, order, 'cardsOnly', {
      createRegistration: 'true',
      shopperResultUrl: resultUrlOf(shop),
      ...customerData,
    })
  })

  // The gateway permanently erases the card number of the registration. The id comes from the browser, so it must
  // belong to a card of the customer.
  pages.post<IdRequest>('/cards/:id/delete', async ({ customer, params }, reply) => {
    const card = customer.cards.find(({ registrationId }) => registrationId === params.id)
    if (card) {
      await shop.gateway.delete(`/v1/registrations/${card.registrationId}`)
      customer.cards = customer.cards.filter((storedCard) => storedCard !== card)
    }
    return reply.redirect('/cards', 303)
  })
}
