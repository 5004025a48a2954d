import { chooseLanguage } from '@tollgate/contract'
import type { FastifyInstance } from 'fastify'
import type { Shop } from '../context.ts'
import { cookieOf, type ShopCustomer } from '../store/customers.ts'
import { type ShopLanguage, shopLanguages } from './languages.ts'
import { sendMessagePage } from './page.ts'
import { type ShopTexts, shopTexts } from './texts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    customer: ShopCustomer
    language: ShopLanguage
    texts: ShopTexts
  }
}

/** Types of a request that sends a form. */
export interface FormRequest {
  readonly Body: URLSearchParams
}

/** Types of a request whose path contains an id. */
export interface IdRequest {
  readonly Params: { readonly id: string }
}

/**
 * Assigns customer and language to each request of a page, refuses forms of other sites, and redirects to the shop's
 * host name. A page is the answer to an unknown path, and to a request that fails because of the gateway or the shop.
 */
export function addPageHooks(pages: FastifyInstance, shop: Shop): void {
  pages.removeAllContentTypeParsers()
  pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )

  pages.addHook('onRequest', async (request, reply) => {
    const { method, headers, url } = request
    const { host } = new URL(shop.url)
    if (method === 'POST' && (headers.origin ?? shop.url) !== shop.url)
      return reply.code(403).send('This form was sent from another site.\n')
    // The shopper returns to the host name of `shop.url`. The browser would not send a cookie there that it received
    // under another host name, such as localhost.
    if (method === 'GET' && (headers.host ?? host) !== host) return reply.redirect(`${shop.url}${url}`, 303)
    request.customer = shop.customers.findOrCreate(headers.cookie)
    // `?lang=` sets the language of the customer.
    const requestedLanguage = new URLSearchParams(url.split('?')[1]).get('lang')
    request.customer.language = shopLanguages.find((code) => code === requestedLanguage) ?? request.customer.language
    request.language = chooseLanguage(shopLanguages, [request.customer.language], headers['accept-language'])
    request.texts = shopTexts[request.language]
    reply.header('set-cookie', cookieOf(request.customer, shop.url))
  })
  pages.addHook('preValidation', async (request) => {
    request.body ??= new URLSearchParams()
  })

  pages.setNotFoundHandler((request, reply) => sendMessagePage(request, reply, 404, request.texts.notFound))
  pages.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
    if (error.statusCode !== undefined && error.statusCode < 500)
      return reply.code(error.statusCode).send(error.message)
    // Usually the gateway is unreachable, or its answer is malformed. If it made a payment, the webhook reports it.
    process.stderr.write(`shop: ${error.message}\n`)
    return sendMessagePage(request, reply, 502, request.texts.unreachable)
  })
}
