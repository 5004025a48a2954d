import { decodeForm, decodeLogin, type Form, MASK, withoutParameters } from '@tollgate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestMark } from '../../answer.ts'
import type { Authentication, Caller } from '../../directory.ts'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import type { Line } from '../../throttle/admission.ts'
import { createPace } from '../../throttle/pace.ts'
import { type Fault, faults } from './faults.ts'
import { isForm } from './form-body.ts'
import type { Replies } from './replies.ts'
import { routes } from './routes.ts'
import { serve } from './serve.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent an access token; undefined for who has not. */
    caller: Caller | undefined
    /** Its merchant's line. */
    line: Line | undefined
  }
}

/** The routes that need an access token, which is looked at before the body is read. */
export async function operations(server: FastifyInstance, gateway: Gateway, replies: Replies): Promise<void> {
  const { directory, clock, throttle, failedLogins, admission } = gateway
  const { mark, refusal, send } = replies
  const pace = createPace()
  const turnAway = (reply: FastifyReply, who: Exclude<Authentication, Caller>, at = mark()): FastifyReply => {
    if (who === 'missing') {
      reply.header('www-authenticate', 'Bearer')
      return send(reply, refusal(faults.unauthorized, at))
    }
    const waitMs = failedLogins.note(reply.request.socket.remoteAddress, at.atMs)
    if (waitMs === 0) return send(reply, refusal(faults.forbidden, at))
    // Whoever guesses on needs a new connection each time.
    reply.header('connection', 'close')
    return send(reply, refusal(faults.wrongTooOften, at), waitMs)
  }
  /** The caller that the parameters of older clients name. Nothing else of a stranger's request is decoded. */
  const logIn = (sent: Uint8Array): Authentication => {
    const login = decodeLogin(sent)
    const caller = directory.logIn(login, clock.now())
    login?.password?.wipe()
    return caller
  }
  const lineOf = ({ entityId }: Caller): Line => admission.line(directory.termsOf(entityId).party)

  server.decorateRequest('caller')
  server.decorateRequest('line')
  for (const route of routes) {
    const { operation } = route
    const take = throttle(operation)
    /** @param waitMs until there is a place, where that is known */
    const putOff = async (
      reply: FastifyReply,
      fault: Fault,
      { entityId }: Caller,
      at: RequestMark,
      waitMs?: number,
    ): Promise<FastifyReply> => {
      await pace()
      return send(reply, refusal(fault, at, { entity: entityId, operation }), waitMs)
    }
    server.route<{ Params: { id?: string }; Body: Buffer | undefined }>({
      method: route.method,
      url: route.path,
      onRequest(request, reply, next) {
        const nowMs = clock.now()
        const caller = directory.authenticate(request.headers.authorization, nowMs)
        if (typeof caller === 'string') {
          return directory.takesLogins() && mayLogIn(request) ? next() : void turnAway(reply, caller)
        }
        const waitMs = take(caller.entityId, nowMs)
        if (waitMs > 0) return void putOff(reply, faults.throttled, caller, mark(), waitMs)
        const line = lineOf(caller)
        // Its body need not be read.
        if (!admission.takes(line)) return void putOff(reply, faults.tooMany, caller, mark())
        request.caller = caller
        request.line = line
        next()
      },
      async handler(request, reply) {
        const at = mark()
        const { requestId, atMs } = at
        const startedMs = performance.now()
        const sent = bytesOf(request)
        const caller = request.caller ?? logIn(sent)
        if (typeof caller === 'string') {
          sent.fill(0)
          return turnAway(reply, caller, at)
        }
        const waitMs = request.caller ? 0 : take(caller.entityId, atMs)
        if (waitMs > 0) {
          sent.fill(0)
          return putOff(reply, faults.throttled, caller, at, waitMs)
        }
        const line = request.line ?? lineOf(caller)
        const entered = gateway.storage.depth() < limits.commitDepthMax && admission.enter(line, sent.length)
        // Only who has to wait waits for a promise.
        if (entered !== true && !(await entered)) {
          sent.fill(0)
          return putOff(reply, faults.tooMany, caller, at)
        }
        try {
          const decoded = decodeForm(sent)
          const form = route.method === 'POST' ? decoded : withoutSecrets(decoded)
          try {
            const { id = '' } = request.params
            const idempotencyKey = request.headers['idempotency-key']
            const incoming = { requestId, atMs, caller, form, startedMs, id, idempotencyKey }
            return send(reply, await serve(gateway, route, incoming))
          } finally {
            form.wipe()
          }
        } finally {
          admission.leave(line, sent.length)
        }
      },
    })
  }
}

/** Whether a request without an access token may hold the login of an older client where we look for one. */
function mayLogIn({ method, headers }: FastifyRequest): boolean {
  if (headers.authorization !== undefined) return false
  return method === 'GET' || (method === 'DELETE' && headers['content-type'] === undefined) || isForm(headers)
}

/** The body of a POST; elsewhere the query string, which is a form too. */
function bytesOf({ method, url, body }: FastifyRequest<{ Body: Buffer | undefined }>): Uint8Array {
  if (method === 'POST') return body ?? new Uint8Array()
  // A body where none is expected says nothing, but may hold a secret.
  body?.fill(0)
  const at = url.indexOf('?')
  return Buffer.from(at < 0 ? '' : url.slice(at + 1))
}

/**
 * A query string as a form: no operation needs a secret there, and none belongs there ("All other data is sent as body
 * parameters"). It is refused, so that whoever sends it learns of it: addresses are written into the logs of others.
 */
function withoutSecrets(form: Form): Form {
  if (form.secrets.size === 0) return form
  form.wipe()
  const names = new Set(form.secrets.keys())
  const refused = Array.from(names, (name) => ({ name, value: MASK, message: IN_ADDRESS }))
  return { ...withoutParameters(form, names), problems: [...refused, ...form.problems] }
}

const IN_ADDRESS = 'must not be sent in the address of a request'
