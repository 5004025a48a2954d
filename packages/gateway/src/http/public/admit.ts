import { decodeForm, decodeLogin, type Form, MASK, operations as rules, withoutParameters } from '@tollgate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, type CallerOrReason, missingAnswer, missingReason } from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import type { TenantQueue } from '../../throttle/fair-queue.ts'
import { networkOf } from '../../throttle/failed-logins.ts'
import type { RequestThrottle } from '../../throttle/throttle-requests.ts'
import type { AddressPacingHook } from '../address-pacing-hook.ts'
import { faults } from '../faults.ts'
import { isForm } from './form-body.ts'
import type { Replies } from '../replies.ts'
import { type Route, routes } from './routes.ts'
import { answerTo, type DecodedRequest, recordAnswer, withLoginEntity } from './pipeline.ts'
import { createRejections, type Rejections } from './reject.ts'
import { createRunTogether } from './run-together.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** undefined if the caller authenticates with the login of an older client, which is in the form. */
    caller: Caller | undefined
    /** The merchant's part of the fair queue. */
    tenantQueue: TenantQueue | undefined
  }
}

/** Adds the routes of all operations. */
export async function operationRoutes(
  server: FastifyInstance,
  gateway: Gateway,
  replies: Replies,
  paceAddress: AddressPacingHook,
): Promise<void> {
  const reject = createRejections(gateway, replies)
  const runTogether = createRunTogether(gateway.eventLoop.later)
  const { config, clientInfo } = gateway
  // If the gateway terminates TLS itself, its listener accepts no plain HTTP, and no check is needed.
  if (config.environment === 'live' && !config.tls) {
    server.addHook('onRequest', (request, reply, next) => {
      if (clientInfo.isPlain(request.raw)) void replies.send(reply, replies.refusal(faults.plainHttp))
      else next()
    })
  }
  server.decorateRequest('caller')
  server.decorateRequest('tenantQueue')
  for (const route of routes) {
    const throttle = gateway.throttle(route.operation)
    const parts = { gateway, replies, reject, paceAddress, runTogether, route, throttle }
    const onRequest = admissionHooks[rules[route.operation].by ?? 'merchant'](parts)
    const handler = createHandler(parts)
    for (const url of [route.path, route.alias ?? []].flat()) {
      server.route<OperationRoute>({
        method: route.method,
        url,
        config: { operation: route.operation },
        onRequest,
        handler,
      })
    }
  }
}

interface OperationRoute {
  Params: { id?: string }
  Body: Buffer | undefined
}

/** Dependencies of the hook and the handler of one operation. */
interface Parts {
  readonly gateway: Gateway
  readonly replies: Replies
  readonly reject: Rejections
  readonly paceAddress: AddressPacingHook
  readonly runTogether: (work: () => void) => void
  readonly route: Route
  readonly throttle: ReturnType<RequestThrottle>
}

type Request = FastifyRequest<OperationRoute>

/**
 * Creates a hook that authenticates a merchant by the access token, and then checks rate limit and queue. The body of a
 * request that the hook rejects is not read. A request that can contain the login of an older client is passed on to
 * the handler, which authenticates the login.
 */
function admitMerchant(parts: Parts) {
  const { gateway, reject, paceAddress } = parts
  const { directory, clock, refreshDirectory } = gateway
  const admit = admitCaller(parts)
  const callerOf = ({ headers }: Request) => directory.authenticate(headers.authorization, clock.now())
  const decide = (request: Request, reply: FastifyReply, caller: CallerOrReason, next: () => void): void => {
    if (typeof caller !== 'string') return admit(request, reply, caller, next)
    if (directory.acceptsLogins() && canContainLogin(request)) return next()
    if (caller === 'unknown') return void reject.unauthenticated(reply, caller)
    paceAddress(request, reply, () => void reject.unauthenticated(reply, caller))
  }
  return (request: Request, reply: FastifyReply, next: () => void): void => {
    const caller = callerOf(request)
    if (caller !== 'unknown' || !refreshDirectory) return decide(request, reply, caller, next)
    void refreshDirectory().then(() => decide(request, reply, callerOf(request), next))
  }
}

/** Creates a function that checks the rate limit of a caller's entity, and whether the queue of its tenant is full. */
const admitCaller =
  ({ gateway: { directory, clock, fairQueue }, reject, route, throttle }: Parts) =>
  (request: Request, reply: FastifyReply, caller: Caller, next: () => void): void => {
    const waitMs = throttle(caller.entityId, clock.now())
    if (waitMs > 0) return void reject.throttled(reply, { caller, route, waitMs })
    const queue = fairQueue.queueOf(directory.tenantSettingsOf(caller.entityId).tenant)
    if (!fairQueue.hasRoom(queue)) return void reject.overloaded(reply, { caller, route })
    request.caller = caller
    request.tenantQueue = queue
    next()
  }

/**
 * Creates a hook that admits a shopper, who acts for the merchant of the checkout in the path. Pages of any origin may
 * read the answer.
 */
function admitShopper(parts: Parts) {
  const { gateway, replies, paceAddress } = parts
  const admit = admitCaller(parts)
  return async (request: Request, reply: FastifyReply): Promise<unknown> => {
    const { id = '' } = request.params
    reply.header('access-control-allow-origin', '*')
    const checkout = await gateway.storage.checkout(id)
    if (!checkout || gateway.directory.isVoid(checkout.entity_id)) {
      // The id of a checkout is the shopper's only credential.
      await new Promise<void>((resolve) => paceAddress(request, reply, resolve))
      return replies.send(reply, missingAnswer(gateway, replies.mark(), missingReason(gateway, id)))
    }
    const address = gateway.clientInfo.addressOf(request.raw)
    const shopperAddress = address === undefined ? undefined : networkOf(address)
    const caller = { tokenId: '', entityId: checkout.entity_id, rights: [], shopperAddress }
    // After a rejection this promise stays pending, because the answer is sent already.
    return new Promise<void>((resolve) => admit(request, reply, caller, resolve))
  }
}

/**
 * Creates a hook for the "GET of a checkout's payment status without authentication (the 128-bit id is the secret)". A
 * setting must allow such reads on every channel of the checkout's entity; otherwise, and for an unknown id,
 * credentials are required.
 */
function admitStatusReader(parts: Parts) {
  const { directory, storage } = parts.gateway
  const admitWithCredentials = admitMerchant(parts)
  const admit = admitCaller(parts)
  const allowsAnonymousReads = (entityId: string): boolean => {
    if (directory.isVoid(entityId)) return false
    const channels = directory.channelsFor({ tokenId: '', entityId, rights: [] }, entityId)
    return channels.length > 0 && channels.every(({ settings }) => settings.checkoutStatusWithoutLogin)
  }
  return async (request: Request, reply: FastifyReply): Promise<void> => {
    // Only legacy channels can allow such reads. If there is no legacy channel, `acceptsLogins` is false, and the
    // checkout is not loaded.
    const isAnonymous = request.headers.authorization === undefined && directory.acceptsLogins()
    const checkout = isAnonymous ? await storage.checkout(request.params.id ?? '') : undefined
    return new Promise<void>((resolve) => {
      if (!checkout || !allowsAnonymousReads(checkout.entity_id)) return admitWithCredentials(request, reply, resolve)
      admit(request, reply, { tokenId: '', entityId: checkout.entity_id, rights: [] }, resolve)
    })
  }
}

/** Factories of the hooks that admit a request before its body is read, by the sender of the operation. */
const admissionHooks = {
  merchant: admitMerchant,
  shopper: admitShopper,
  statusReader: admitStatusReader,
}

/**
 * Creates the handler of an operation. The handler authenticates older clients, whose login is in the form, waits in
 * the queue and executes the operation.
 */
function createHandler(parts: Parts) {
  const { gateway, replies, reject, paceAddress, runTogether, route, throttle } = parts
  const { storage, fairQueue, directory } = gateway
  const { mark } = replies
  // `admitShopper` adds a header, which `sendPlain` would not send.
  const send = rules[route.operation].by === 'shopper' ? replies.send : replies.sendPlain
  const respond = async (request: Request, reply: FastifyReply, startedMs: number): Promise<void> => {
    const requestMark = mark()
    const { requestId, atMs } = requestMark
    const body = formBytesOf(request)
    const caller = request.caller ?? (await logIn(gateway, body))
    if (caller === 'missing') {
      body.fill(0)
      await new Promise<void>((resolve) => paceAddress(request, reply, resolve))
    }
    if (typeof caller === 'string') return void reject.unauthenticated(reply, caller, requestMark, body)
    const waitMs = request.caller ? 0 : throttle(caller.entityId, atMs)
    if (waitMs > 0) return void (await reject.throttled(reply, { caller, route, mark: requestMark, body, waitMs }))
    const queue = (request.tenantQueue ??= fairQueue.queueOf(directory.tenantSettingsOf(caller.entityId).tenant))
    const entered = storage.depth() < limits.commitDepthMax && fairQueue.enter(queue, body.length)
    // No promise is awaited for a request that need not wait.
    if (entered !== true && !(await entered))
      return void (await reject.overloaded(reply, { caller, route, mark: requestMark, body }))
    try {
      const decoded = decodeForm(body, rules[route.operation].surface)
      const form = route.method === 'POST' ? decoded : withoutSecrets(decoded)
      try {
        const { id = '' } = request.params
        const idempotencyKey = request.headers['idempotency-key']
        const whileWaiting: DecodedRequest['whileWaiting'] = (work) => fairQueue.whileWaiting(queue, body.length, work)
        const received = { requestId, atMs, caller, form, startedMs, id, idempotencyKey, whileWaiting }
        const incoming = withLoginEntity(gateway, received)
        const answer = await answerTo(gateway, route, incoming)
        recordAnswer(gateway, route, incoming, answer)
        send(reply, answer)
      } finally {
        form.wipe()
      }
    } finally {
      fairQueue.leave(queue, body.length)
    }
  }
  // The handler returns no promise of the reply, for which Fastify would wait once more.
  return (request: Request, reply: FastifyReply): void => {
    const startedMs = performance.now()
    runTogether(() => void respond(request, reply, startedMs).catch((error: unknown) => reply.send(error)))
  }
}

/**
 * Authenticates a caller by the login parameters of older clients. Only these parameters are decoded before
 * authentication, and the password is erased from the body.
 */
async function logIn({ directory, clock, refreshDirectory }: Gateway, body: Uint8Array): Promise<CallerOrReason> {
  const login = decodeLogin(body)
  try {
    const caller = directory.logIn(login, clock.now())
    if (caller !== 'unknown' || !refreshDirectory) return caller
    await refreshDirectory()
    return directory.logIn(login, clock.now())
  } finally {
    login?.password?.wipe()
  }
}

/** Whether a request without an access token can contain the login of an older client. */
function canContainLogin({ method, headers }: Request): boolean {
  if (headers.authorization !== undefined) return false
  return method === 'GET' || (method === 'DELETE' && headers['content-type'] === undefined) || isForm(headers)
}

/** The form of a request: the body of a POST, otherwise the query string. */
function formBytesOf({ method, url, body }: Request): Uint8Array {
  if (method === 'POST') return body ?? new Uint8Array()
  // An unexpected body is wiped without being decoded, because it may contain a secret.
  body?.fill(0)
  const queryStart = url.indexOf('?')
  return Buffer.from(queryStart < 0 ? '' : url.slice(queryStart + 1))
}

/**
 * Refuses secrets in a query string ("All other data is sent as body parameters"), because proxies log URLs. Each
 * secret becomes a parameter error.
 */
function withoutSecrets(form: Form): Form {
  if (form.secrets.size === 0) return form
  form.wipe()
  const names = new Set(form.secrets.keys())
  const refused = Array.from(names, (name) => ({ name, value: MASK, message: IN_ADDRESS }))
  return { ...withoutParameters(form, names), problems: [...refused, ...form.problems] }
}

const IN_ADDRESS = 'must not be sent in the address of a request'
