import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { checkoutPages } from './checkout.ts'
import type { Shop } from './context.ts'
import { limits } from './limits.ts'
import { assets } from './pages/assets.ts'
import { recogniseCustomers } from './pages/page-request.ts'
import { cardForm } from './pay-with-own-form.ts'
import { redirectPayments } from './pay-by-redirect.ts'
import { resultPage } from './result.ts'
import { storePages } from './store/store-pages.ts'
import { storedCards } from './stored-cards.ts'
import { subscriptions } from './subscription.ts'
import { webhook } from './webhook.ts'

/** The server of the shop. The routes are in reading order. */
export function createShop(shop: Shop, options: FastifyServerOptions = {}): FastifyInstance {
  const server = Fastify({ ...options, bodyLimit: limits.bodyBytesMax, forceCloseConnections: true })
  assets(server)
  server.register(async (pages) => {
    recogniseCustomers(pages, shop)
    storePages(pages)
    // A cart is paid: prepare a checkout, show the widget, and query the status when the shopper is back.
    checkoutPages(pages, shop)
    resultPage(pages, shop)
    // Two other ways to pay a cart, from server to server.
    redirectPayments(pages, shop)
    cardForm(pages, shop)
    // Without a cart: a card is stored, and charged every month.
    storedCards(pages, shop)
    subscriptions(pages, shop)
  })
  // The gateway reports the outcome of payments, also if the shopper never returns.
  webhook(server, shop)
  return server
}
