import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { addCheckoutPages } from './checkout.ts'
import type { Shop } from './context.ts'
import { limits } from './limits.ts'
import { addAssets } from './pages/assets.ts'
import { addPageHooks } from './pages/page-request.ts'
import { addCardForm } from './pay-with-own-form.ts'
import { addRedirectPayments } from './pay-by-redirect.ts'
import { addResultPage } from './result.ts'
import { addStorePages } from './store/store-pages.ts'
import { addStoredCardPages } from './stored-cards.ts'
import { addSubscriptionPages } from './subscription.ts'
import { addWebhook } from './webhook.ts'

/** Creates the server of the shop. The routes are in reading order. */
export function createShop(shop: Shop, options: FastifyServerOptions = {}): FastifyInstance {
  const server = Fastify({ ...options, bodyLimit: limits.bodyBytesMax, forceCloseConnections: true })
  addAssets(server)
  server.register(async (pages) => {
    addPageHooks(pages, shop)
    addStorePages(pages)
    // To pay a cart: prepare a checkout, show the widget, and query the status when the shopper returns.
    addCheckoutPages(pages, shop)
    addResultPage(pages, shop)
    // Two other ways to pay a cart, from server to server.
    addRedirectPayments(pages, shop)
    addCardForm(pages, shop)
    // Without a cart: store a card, and charge it every month.
    addStoredCardPages(pages, shop)
    addSubscriptionPages(pages, shop)
  })
  // The gateway reports the outcome of payments, even if the shopper never returns.
  addWebhook(server, shop)
  return server
}
