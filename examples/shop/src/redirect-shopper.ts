import { html } from '@tollgate/contract'
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { completeOrder } from './complete-order.ts'
import type { GatewayAnswer, Redirect } from './gateway.ts'
import { sendRefusalPage, sendPage } from './pages/page.ts'
import type { Shop } from './context.ts'
import type { Order } from './store/orders.ts'

/**
 * Redirects the shopper after the answer to a payment, to the bank or to the result page. If parameters were invalid,
 * or the answer has no id, a page shows the refusal.
 */
export async function redirectShopper(
  shop: Shop,
  request: FastifyRequest,
  reply: FastifyReply,
  order: Order,
  answer: GatewayAnswer,
): Promise<FastifyReply> {
  const { id, result, redirect } = answer
  // Without an id, or with invalid parameters (codes 200.*), no payment was made, and there is no status to query.
  if (id === undefined || result.code.startsWith('200.')) return sendRefusalPage(request, reply, answer)
  order.resourcePath = `/v1/payments/${id}`
  if (redirect) return sendToBank(request, reply, redirect)
  await completeOrder(shop, order, answer)
  return reply.redirect(`/result?${new URLSearchParams({ id, resourcePath: order.resourcePath }).toString()}`, 303)
}

/**
 * Redirects to the bank, by GET with the parameters in the query or by POST with a form. A script submits the form;
 * without scripts the shopper presses its button.
 */
function sendToBank(request: FastifyRequest, reply: FastifyReply, redirect: Redirect): FastifyReply {
  const { url, method = 'POST', parameters } = redirect
  if (method === 'GET') {
    const address = new URL(url)
    for (const { name, value } of parameters) address.searchParams.append(name, value)
    return reply.redirect(address.href, 303)
  }
  const nonce = randomBytes(16).toString('base64')
  const { redirecting, proceed } = request.texts
  const fields = parameters.map(({ name, value }) => html`<input type="hidden" name="${name}" value="${value}">`)
  const main = html`<section class="card narrow center"><h1>${redirecting.title}</h1><p>${redirecting.text}</p>
<form id="onward" method="post" action="${url}">${fields}<button class="first">${proceed}</button></form>
<script nonce="${nonce}">document.getElementById('onward').submit()</script></section>`
  return sendPage(request, reply, { title: redirecting.title, main, policy: { 'script-src': `'nonce-${nonce}'` } })
}
