import { html } from '@tollgate/contract'
import { seeOther } from '../http/answers.ts'
import type { SimulatorResponse } from '../http/exchange.ts'
import { withQuery } from '../http/with-query.ts'
import type { GatewayAnswer, Redirect } from './gateway.ts'
import { refusedPage, shopPage } from './layout.ts'
import { nonceFrom } from './nonce.ts'
import type { Order } from './orders.ts'
import { completeOrder } from './settle-order.ts'
import type { Shop, Visit } from './visit.ts'

/** Goes where the answer to a payment leads: to the bank, or straight to the result. */
export async function follow(
  shop: Shop,
  visit: Visit,
  order: Order,
  answer: GatewayAnswer,
): Promise<SimulatorResponse> {
  // Parameters were wrong: no payment was made, so there is none to look at.
  if (answer.id === undefined || answer.result.code.startsWith('200.')) return refusedPage(visit, answer)
  const resourcePath = `/v1/payments/${answer.id}`
  shop.orders.change(order.id, { resourcePath })
  if (answer.redirect) return sendShopper(shop, visit, answer.redirect)
  await completeOrder(shop, order, answer)
  return seeOther(withQuery('/result', new URLSearchParams({ id: answer.id, resourcePath })))
}

/** By GET with the parameters in the query, or by POST as a form that sends itself, or by hand without scripts. */
function sendShopper(shop: Shop, visit: Visit, { url, method = 'POST', parameters }: Redirect): SimulatorResponse {
  if (method === 'GET') {
    const address = new URL(url)
    for (const { name, value } of parameters) address.searchParams.append(name, value)
    return seeOther(address.href)
  }
  const nonce = nonceFrom(shop.random)
  const { title, text } = visit.texts.onTheWay
  const fields = parameters.map(({ name, value }) => html`<input type="hidden" name="${name}" value="${value}">`)
  const main = html`<section class="card narrow center"><h1>${title}</h1><p>${text}</p>
<form id="onward" method="post" action="${url}">${fields}<button class="first">${visit.texts.goOn}</button></form>
<script nonce="${nonce}">document.getElementById('onward').submit()</script></section>`
  return shopPage(visit, { title, main, policy: { 'script-src': `'nonce-${nonce}'` } })
}
