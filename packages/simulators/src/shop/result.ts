import { html } from '@tollgate/contract'
import type { SimulatorResponse } from '../http/exchange.ts'
import { amountText } from '../http/page-language.ts'
import { withQuery } from '../http/with-query.ts'
import { messagePage, shopPage } from './layout.ts'
import { mayRead, type Order } from './orders.ts'
import { completeOrder } from './settle-order.ts'
import type { Action, Shop, Visit } from './visit.ts'

/** The addresses that a result is read from: nothing else is ever asked for with our token. */
const RESOURCE = /^\/v1\/(?:checkouts\/[A-Za-z0-9.-]{32,48}\/(?:payment|registration)|payments\/[A-Za-z0-9]{32})$/

/**
 * `shopperResultUrl`: the shopper comes here when all is done, and so does the gateway where the shopper did not. What
 * the address says proves nothing: it tells where the gateway is to be asked.
 */
export const showResult: Action = async (shop, visit) => {
  const resourcePath = visit.call.query.get('resourcePath') ?? ''
  const order = RESOURCE.test(resourcePath) ? await readStatus(shop, resourcePath) : undefined
  if (!order) return messagePage(visit, 404, visit.texts.noOrder)
  // Whoever has the address sees how it came out, but not what was bought.
  return order.visitorId === visit.visitor.id
    ? resultPage(visit, order)
    : messagePage(visit, 200, visit.texts.otherBrowser)
}

/** The order that a path belongs to, as it stands now. */
async function readStatus(shop: Shop, resourcePath: string): Promise<Order | undefined> {
  const order = shop.orders.at(resourcePath)
  if (order && !mayRead(order, shop.clock)) return order
  if (order) shop.orders.change(order.id, { readAtMs: shop.clock.now() })
  // A payment that ended after its checkout had expired is told of by its own path, which we have never seen.
  else if (!resourcePath.startsWith('/v1/payments/')) return undefined
  const answer = await shop.gateway.get(resourcePath)
  const found = order ?? shop.orders.find(answer.merchantTransactionId ?? '')
  if (!found) return undefined
  await completeOrder(shop, found, answer)
  return shop.orders.find(found.id)
}

function resultPage(visit: Visit, order: Order): SimulatorResponse {
  const { texts, language, call } = visit
  const { title, text } = order.isUnpaid ? texts.unpaid : texts.results[order.purpose][order.outcome]
  const { amount, currency, outcome, code } = order
  const isPending = outcome === 'pending'
  const again = withQuery(call.path, call.query)
  const main = html`<section class="card narrow center"><p class="seal ${outcome}" aria-hidden="true"></p>
<h1>${title}</h1>
<p${isPending ? html` role="status"` : undefined}>${text}</p>
${amount === undefined ? undefined : html`<p class="sum">${amountText(language, amount, currency)}</p>`}
<p class="detail">${texts.order}: <bdi>${order.id}</bdi></p>
${code === undefined ? undefined : html`<p class="detail">${texts.code}: <bdi>${code}</bdi></p>`}
<p class="row">${isPending ? html`<a class="button first" href="${again}">${texts.askAgain}</a>` : undefined}
${nextStep(visit, order)}</p></section>`
  const response = shopPage(visit, { title, main })
  // Most news come within seconds; what is not allowed yet is answered from memory.
  return isPending ? { ...response, headers: { ...response.headers, refresh: '15' } } : response
}

function nextStep({ texts }: Visit, { outcome, purpose, isUnpaid, id }: Order) {
  if (outcome === 'pending')
    return isUnpaid ? html`<a class="button" href="/pay/${id}">${texts.backToPayment}</a>` : undefined
  if (outcome === 'declined' || outcome === 'cancelled')
    return html`<a class="button first" href="${origins[purpose]}">${texts.tryAgain}</a>`
  return html`<a class="button" href="${purpose === 'cart' ? '/' : origins[purpose]}">${texts.goOn}</a>`
}

/** Where it began. */
const origins: Readonly<Record<Order['purpose'], string>> = {
  cart: '/cart',
  card: '/cards',
  subscription: '/subscription',
}
