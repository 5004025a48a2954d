import { type Html, html } from '@tollgate/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { completeOrder } from './complete-order.ts'
import { limits } from './limits.ts'
import { amountText } from './pages/languages.ts'
import { sendMessagePage, sendPage } from './pages/page.ts'
import type { Shop } from './context.ts'
import { isFinal, type Order } from './store/orders.ts'

/**
 * The paths of status queries. The parameter `resourcePath` of the result page comes from the browser, so the shop
 * ignores any other path, to which it would otherwise send its token.
 */
const RESOURCE_PATH = /^\/v1\/(?:checkouts\/[A-Za-z0-9.-]{32,48}\/(?:payment|registration)|payments\/[A-Za-z0-9]{32})$/

/**
 * Adds step 3, the page at `shopperResultUrl`. The shopper returns to this page; if they do not, the gateway requests
 * it. A request for the page does not prove a payment: it only contains the path of the status query.
 */
export function addResultPage(pages: FastifyInstance, shop: Shop): void {
  pages.get<{ Querystring: { resourcePath?: unknown } }>('/result', async (request, reply) => {
    const { texts, customer, query } = request
    const resourcePath = String(query.resourcePath)
    const order = RESOURCE_PATH.test(resourcePath) ? await queryStatus(shop, resourcePath) : undefined
    if (!order) return sendMessagePage(request, reply, 404, texts.noOrder)
    // The address may become public, so the outcome is shown only to the customer.
    if (order.customer !== customer) return sendMessagePage(request, reply, 200, texts.otherBrowser)
    // Most outcomes are known within seconds. While no query is allowed, the page shows the stored outcome.
    if (order.outcome === 'pending') reply.header('refresh', '15')
    const { title } = messageOf(request, order)
    return sendPage(request, reply, { title, main: orderStatus(request, order) })
  })
}

/** Finds the order of a path, and queries its status if a query is allowed. */
async function queryStatus(shop: Shop, resourcePath: string): Promise<Order | undefined> {
  const stored = shop.orders.findByPath(resourcePath)
  if (stored && !mayQuery(stored, shop.now())) return stored
  if (stored) stored.queriedAtMs = shop.now()
  // A payment that ended after its checkout had expired has its own path, which the shop has not stored.
  else if (!resourcePath.startsWith('/v1/payments/')) return undefined
  const answer = await shop.gateway.get(resourcePath)
  const order = stored ?? shop.orders.find(answer.merchantTransactionId ?? '')
  if (order) await completeOrder(shop, order, answer)
  return order
}

/** Whether to query the status of an order: not of a final order, and at most twice a minute, as the gateway allows. */
const mayQuery = (order: Order, nowMs: number): boolean =>
  !isFinal(order) && (order.queriedAtMs === undefined || nowMs - order.queriedAtMs >= limits.statusQueryIntervalMs)

const messageOf = ({ texts }: FastifyRequest, order: Order) =>
  order.isUnpaid ? texts.unpaid : texts.results[order.purpose][order.outcome]

function orderStatus(request: FastifyRequest, order: Order): Html {
  const { texts, language, url } = request
  const { id, amount, currency, outcome, code } = order
  const { title, text } = messageOf(request, order)
  const isPending = outcome === 'pending'
  return html`<section class="card narrow center"><p class="seal ${outcome}" aria-hidden="true"></p>
<h1>${title}</h1>
<p${isPending ? html` role="status"` : undefined}>${text}</p>
${amount === undefined ? undefined : html`<p class="sum">${amountText(language, amount, currency)}</p>`}
<p class="detail">${texts.order}: <bdi>${id}</bdi></p>
${code === undefined ? undefined : html`<p class="detail">${texts.code}: <bdi>${code}</bdi></p>`}
<p class="row">${isPending ? html`<a class="button first" href="${url}">${texts.checkAgain}</a>` : undefined}
${nextStep(request, order)}</p></section>`
}

function nextStep({ texts }: FastifyRequest, order: Order): Html | undefined {
  const { outcome, purpose, isUnpaid, id } = order
  if (outcome === 'pending')
    return isUnpaid ? html`<a class="button" href="/pay/${id}">${texts.backToPayment}</a>` : undefined
  if (!isFinal(order)) return html`<a class="button first" href="${orderPages[purpose]}">${texts.tryAgain}</a>`
  return html`<a class="button" href="${purpose === 'cart' ? '/' : orderPages[purpose]}">${texts.proceed}</a>`
}

/** The path of the page on which an order is made, by the purpose of the order. */
const orderPages: Readonly<Record<Order['purpose'], string>> = {
  cart: '/cart',
  card: '/cards',
  subscription: '/subscription',
}
