import { createHash, timingSafeEqual } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { errorFields } from '@tollgate/operations'
import Fastify, { type FastifyInstance, type FastifyReply, type onRequestAsyncHookHandler } from 'fastify'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { createScrape } from '../../metrics/scrape.ts'
import { recordAllowedMethods } from '../allowed-methods.ts'
import { healthRoutes } from '../health.ts'
import { listenerOptions } from '../listener.ts'
import { createAddressPacingHook } from '../address-pacing-hook.ts'
import { type Fault, faults } from '../faults.ts'
import { accountRoutes } from './accounts.ts'
import { analyticsRoutes } from './analytics.ts'
import { clearingBatchRoutes } from './clearing-batches.ts'
import { clockRoutes } from './clock.ts'
import { bankEntryRoutes } from './bank-entries.ts'
import { connectorRoutes } from './connectors.ts'
import { deliveryRoutes } from './deliveries.ts'
import { disputeEvidenceRoutes } from './dispute-evidence.ts'
import { disputeRoutes } from './disputes.ts'
import { entityRoutes } from './entities.ts'
import { ManageError } from './manage-error.ts'
import { feePlanRoutes } from './fee-plans.ts'
import { jobRoutes } from './jobs.ts'
import { keyRoutes } from './keys.ts'
import { lazyValidation } from './lazy-validation.ts'
import { ledgerRoutes } from './ledger.ts'
import { checkInstallation } from './installation-checks.ts'
import { merchantTermsRoutes } from './merchant-terms.ts'
import { paymentAttemptRoutes } from './payment-attempts.ts'
import { paymentPageRoutes } from './payment-page.ts'
import { payoutRoutes } from './payouts.ts'
import { paymentRoutes } from './payments.ts'
import { riskRulesRoutes } from './risk-rules.ts'
import { routeRoutes } from './routes.ts'
import { schemaError } from './schema-error.ts'
import { settlementFileRoutes } from './settlement-files.ts'
import { settlementSourceRoutes } from './settlement-sources.ts'
import { sftpKeyRoutes } from './sftp-keys.ts'
import { sftpDeliveryRoutes } from './sftp-deliveries.ts'
import { sftpTargetRoutes } from './sftp-targets.ts'
import { statementRoutes } from './statements.ts'
import { tokenRoutes } from './tokens.ts'
import { totalsRoutes } from './totals.ts'
import { webhookReplayRoutes } from './webhook-replay.ts'
import { webhookRoutes } from './webhooks.ts'

/**
 * Creates the server of the management API, of metrics and of health checks, which is separate from the server for
 * merchants. Answers are JSON, except metrics, and reports as CSV or pages. Operators authenticate with one bearer key;
 * health checks need no key.
 */
export function manageServer(gateway: Gateway): FastifyInstance {
  const server = Fastify({
    logger: false,
    bodyLimit: limits.manageBodyBytesMax,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
    schemaErrorFormatter: schemaError,
    frameworkErrors: (error, _request, reply) => void refuse(reply, error),
    ...listenerOptions(gateway, {
      connectionsMax: limits.manageConnectionsMax,
      bodyOf: (fault) => JSON.stringify(errorOf(fault.status, sentenceOf(fault))),
    }),
    genReqId: () => gateway.ids.ordered(),
  }).withTypeProvider<TypeBoxTypeProvider>()

  server.setValidatorCompiler(lazyValidation)
  server.setErrorHandler((error, request, reply) => {
    const status = statusOf(error)
    if (status >= 500)
      gateway.log.error({
        requestId: request.id,
        operation: `manage ${request.method} ${request.routeOptions.url}`,
        ...errorFields(error),
      })
    return refuse(reply, error)
  })
  const methodsOf = recordAllowedMethods(server)
  server.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url).join(', ')
    if (allowed === '') return reply.code(404).send(errorOf(404, 'There is nothing at this path.'))
    return reply
      .code(405)
      .header('allow', allowed)
      .send(errorOf(405, `This path supports only ${allowed}.`))
  })

  const expectedDigest = digest(gateway.config.manageKey)
  const { config, clientInfo } = gateway
  const refusesPlain = config.environment === 'live' && !config.tls
  const authenticate: onRequestAsyncHookHandler = async (request, reply) => {
    if (refusesPlain && clientInfo.isPlain(request.raw)) throw new ManageError(403, 'Requests must come over TLS.')
    const [, scheme, key = ''] = /^(\S*) *(.*)$/.exec(request.headers.authorization ?? '') ?? []
    if (scheme?.toLowerCase() === 'bearer' && timingSafeEqual(digest(key), expectedDigest)) return
    const waitMs = key === '' ? 0 : gateway.failedLogins.record(clientInfo.addressOf(request.raw), gateway.clock.now())
    if (waitMs > 0) {
      gateway.counts.rejected.add('credentials')
      reply.header('retry-after', Math.ceil(waitMs / 1000)).header('connection', 'close')
      throw new ManageError(429, 'Wrong keys came from this address too often: try again later.')
    }
    reply.header('www-authenticate', 'Bearer')
    throw new ManageError(401, 'Send the management key as Authorization: Bearer …')
  }
  const refuseTooFast = (reply: FastifyReply, waitMs: number) =>
    reply
      .code(429)
      .header('retry-after', Math.ceil(waitMs / 1000))
      .send(errorOf(429, 'Too many requests without a key came from this address: try again later.'))
  const paceAddress = createAddressPacingHook(gateway, refuseTooFast)
  server.addHook('onRequest', (request, reply, next) => {
    const isHealthCheck = request.routeOptions.url === '/healthz' || request.routeOptions.url === '/readyz'
    if (isHealthCheck || (request.headers.authorization !== undefined && !request.is404)) next()
    else paceAddress(request, reply, next)
  })
  healthRoutes(server, gateway)
  // Metrics require the same key, because counts of payments and declines reveal a merchant's trade. Scrapes are not
  // logged, because they are sent every few seconds.
  const scrape = createScrape(gateway)
  server.get('/metrics', { onRequest: authenticate }, async (_request, reply) => {
    const { contentType, text } = await scrape()
    return reply.header('content-type', contentType).send(text)
  })
  server.register(
    async (authenticated) => {
      authenticated.addHook('onRequest', async ({ id }, reply) => void reply.header('x-request-id', id))
      authenticated.addHook('onRequest', authenticate)
      authenticated.addHook('preValidation', async ({ routeOptions, body }) => {
        if (routeOptions.schema?.body || isEmpty(body)) return
        throw new ManageError(400, 'This path accepts no body.')
      })
      authenticated.addHook(
        'onResponse',
        async ({ id: requestId, method, routeOptions, params }, { statusCode: status }) => {
          // Only the id of an existing row is logged; any other text may be a secret that was sent by mistake.
          const subject = status < 400 ? subjectIn(params) : {}
          gateway.log.info({ requestId, operation: `manage ${method} ${routeOptions.url}`, ...subject, status })
        },
      )
      await authenticated.register(entityRoutes(gateway))
      await authenticated.register(riskRulesRoutes(gateway))
      await authenticated.register(connectorRoutes(gateway))
      await authenticated.register(routeRoutes(gateway))
      await authenticated.register(accountRoutes(gateway))
      await authenticated.register(tokenRoutes(gateway))
      await authenticated.register(keyRoutes(gateway))
      await authenticated.register(jobRoutes(gateway))
      await authenticated.register(clockRoutes(gateway))
      await authenticated.register(webhookRoutes(gateway))
      await authenticated.register(webhookReplayRoutes(gateway))
      await authenticated.register(deliveryRoutes(gateway))
      await authenticated.register(paymentRoutes(gateway))
      await authenticated.register(paymentAttemptRoutes(gateway))
      await authenticated.register(feePlanRoutes(gateway))
      await authenticated.register(merchantTermsRoutes(gateway))
      await authenticated.register(payoutRoutes(gateway))
      await authenticated.register(bankEntryRoutes(gateway))
      await authenticated.register(totalsRoutes(gateway))
      await authenticated.register(ledgerRoutes(gateway))
      await authenticated.register(statementRoutes(gateway))
      await authenticated.register(analyticsRoutes(gateway))
      authenticated.get('/check', async () => ({ results: await checkInstallation(gateway) }))
      await authenticated.register(paymentPageRoutes(gateway))
      await authenticated.register(clearingBatchRoutes(gateway))
      await authenticated.register(settlementFileRoutes(gateway))
      await authenticated.register(settlementSourceRoutes(gateway))
      await authenticated.register(sftpKeyRoutes(gateway))
      await authenticated.register(sftpTargetRoutes(gateway))
      await authenticated.register(sftpDeliveryRoutes(gateway))
      await authenticated.register(disputeRoutes(gateway))
      await authenticated.register(disputeEvidenceRoutes(gateway))
    },
    { prefix: '/manage/v1' },
  )
  return server
}

const isEmpty = (body: unknown): boolean =>
  body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0)

const subjectIn = (params: unknown) =>
  typeof params === 'object' && params && 'id' in params ? { subject: String(params.id) } : {}

/** Answers with an error. The answer to an internal error contains no detail. */
function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  const status = statusOf(error)
  const message = status < 500 && error instanceof Error ? error.message : UNEXPECTED
  const { readableDidRead: isBegun, complete: isComplete } = reply.request.raw
  // An upload is refused half-way.
  if (isBegun && !isComplete) reply.header('connection', 'close')
  return reply.code(status).send(errorOf(status, message))
}

const UNEXPECTED = 'The request could not be processed.'

/** The message for a request that is refused before routing. */
const sentenceOf = (fault: Fault): string =>
  fault === faults.methodNotAllowed ? 'CONNECT is not supported.' : (fault.description ?? UNEXPECTED)

/** The body of every error. */
const errorOf = (status: number, message: string) => ({ error: { status, message } })

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function statusOf(error: unknown): number {
  if (error instanceof ManageError) return error.status
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 600 ? status : 500
}
