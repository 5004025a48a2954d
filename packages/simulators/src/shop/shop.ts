import { plain, seeOther } from '../http/answers.ts'
import type { Handle, SimulatorResponse } from '../http/exchange.ts'
import { type Call, type Route, routeOf, router } from '../http/routes.ts'
import { withQuery } from '../http/with-query.ts'
import { shopIcon } from './icon.ts'
import { messagePage } from './layout.ts'
import { createOrders } from './orders.ts'
import { payByRedirect } from './pay-by-redirect.ts'
import { payWithOwnForm, showCardForm } from './pay-with-own-form.ts'
import { payWithWidget, showWidget } from './pay-with-widget.ts'
import { showResult } from './result.ts'
import { changeCart, showCart, showStore } from './store.ts'
import { forgetCard, showCards, storeCard } from './store-card.ts'
import { shopStyle } from './style.ts'
import { cancelSubscription, showSubscription, subscribe } from './subscribe.ts'
import { type Action, type Shop, type Visit, visitOf } from './visit.ts'
import { cookieOf, createVisitors } from './visitors.ts'

/** The shop's table of contents. */
const actions: readonly (readonly [Route['method'], string, Action])[] = [
  ['GET', '/', showStore],
  ['GET', '/cart', showCart],
  ['POST', '/cart', changeCart],
  // A cart is paid in one of three ways.
  ['POST', '/pay', payWithWidget],
  ['GET', '/pay/:id', showWidget],
  ['POST', '/redirect', payByRedirect],
  ['GET', '/card-form', showCardForm],
  ['POST', '/card-form', payWithOwnForm],
  // Without a cart: a card is stored, and charged every month.
  ['GET', '/cards', showCards],
  ['POST', '/cards', storeCard],
  ['POST', '/cards/:id/forget', forgetCard],
  ['GET', '/subscription', showSubscription],
  ['POST', '/subscription', subscribe],
  ['POST', '/subscription/:id/cancel', cancelSubscription],
  // Where every way ends.
  ['GET', '/result', showResult],
]

/** What is another one in each shop. */
export type ShopParts = Pick<Shop, 'url' | 'gatewayUrl' | 'gateway' | 'clock' | 'random'>

/** A merchant's shop. It knows the gateway only as a merchant's server does: its address, a channel and a token. */
export function createShop(parts: ShopParts): Handle {
  const { host } = new URL(parts.url)
  const shop: Shop = { ...parts, orders: createOrders(parts.random), visitors: createVisitors(parts.random) }

  const answering =
    (action: Action) =>
    async (call: Call): Promise<SimulatorResponse> => {
      const { method, path, query, headers } = call
      if (method === 'POST' && (headers['origin'] ?? shop.url) !== shop.url)
        return plain(403, 'this form was sent from another site\n')
      // Under another name, such as localhost, a browser would have another cookie than when it comes back.
      if (method === 'GET' && (headers['host'] ?? host) !== host)
        return seeOther(`${shop.url}${withQuery(path, query)}`)
      const visit = visitOf(shop, call)
      const response = await act(action, shop, visit)
      return { ...response, headers: { ...response.headers, 'set-cookie': cookieOf(visit.visitor, shop.url) } }
    }

  const routes = actions.map(([method, path, action]): Route => ({ method, path, answer: answering(action) }))
  return router([...routes, routeOf(shopStyle), routeOf(shopIcon)], answering(showLost))
}

async function act(action: Action, shop: Shop, visit: Visit): Promise<SimulatorResponse> {
  try {
    return await action(shop, visit)
  } catch (error) {
    // The gateway could not be reached, or not be understood. What became of a payment is told by its status, later.
    process.stderr.write(`shop: ${error instanceof Error ? error.message : String(error)}\n`)
    return messagePage(visit, 502, visit.texts.unreachable)
  }
}

const showLost: Action = (_, visit) => messagePage(visit, 404, visit.texts.lost)
