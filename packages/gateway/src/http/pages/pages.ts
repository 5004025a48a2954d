import type { FastifyInstance } from 'fastify'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { faults } from '../faults.ts'
import type { AddressPacingHook } from '../address-pacing-hook.ts'
import type { Replies } from '../replies.ts'
import { authenticationPages } from './authentication-page.ts'
import { pageHeaders, REPORTS_PATH } from './page-headers.ts'
import { receiveProviderNotification } from './provider-notification.ts'
import { violationReportRoute } from './violation-reports.ts'
import { receiveNotification, returnPage } from './return-page.ts'
import { cancelCheckout, widgetCheckout } from './widget-checkout.ts'
import { assetFile, fieldFrame, widgetScript } from './widget-files.ts'

/**
 * Adds the pages for shoppers with their files, the callbacks of banks and directory servers, and the reports of
 * browsers. None needs a token: pages and callbacks of a session or checkout are protected by its unguessable id, and
 * everything else is public.
 */
export async function pageRoutes(
  server: FastifyInstance,
  gateway: Gateway,
  replies: Replies,
  paceAddress: AddressPacingHook,
): Promise<void> {
  const { config, clientInfo } = gateway
  server.addHook('onRequest', (request, reply, next) => {
    reply.headers(pageHeaders)
    if (config.environment === 'live' && !config.tls && clientInfo.isPlain(request.raw)) {
      return void replies.send(reply, replies.refusal(faults.plainHttp))
    }
    next()
  })
  server.addHook('onRequest', paceAddress)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limits.pageBodyBytesMax }, (_request, body, done) =>
    done(null, body),
  )
  server.get('/v1/paymentWidgets.js', widgetScript(gateway))
  server.get('/pages/assets/*', assetFile(gateway))
  server.get('/pages/fields/number', fieldFrame(gateway, 'cardNumber'))
  server.get('/pages/fields/cvv', fieldFrame(gateway, 'cvv'))
  server.get('/pages/checkouts/:id', widgetCheckout(gateway))
  server.post('/pages/checkouts/:id/cancel', cancelCheckout(gateway))
  const authentication = authenticationPages(gateway)
  server.get('/pages/authentications/:id', authentication.show)
  server.post('/pages/authentications/results', authentication.receiveRReq)
  server.post('/pages/authentications/:id/looked', authentication.completeMethod)
  server.post('/pages/authentications/:id/begin', authentication.begin)
  server.post('/pages/authentications/:id/result', authentication.returnFromIssuer)
  server.post('/pages/authentications/:id/cancel', authentication.cancel)
  server.get('/pages/return/:id', returnPage(gateway))
  server.post('/pages/notify/:id', receiveNotification(gateway))
  // "notificationUrl: GET to it with id and resourcePath", from an upstream gateway.
  server.get('/pages/notify/:id', receiveNotification(gateway))
  server.post(
    '/pages/connectors/:id/notifications',
    { bodyLimit: limits.notificationBodyBytesMax },
    receiveProviderNotification(gateway),
  )
  server.post<{ Body: Buffer | undefined }>(REPORTS_PATH, violationReportRoute(gateway))
}
