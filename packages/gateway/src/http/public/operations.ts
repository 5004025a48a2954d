import { decodeForm, decodeLogin, type Form, MASK, withoutParameters } from '@tollgate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestMark } from '../../answer.ts'
import type { Authentication, Caller } from '../../directory.ts'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { faults } from './faults.ts'
import { isForm } from './form-body.ts'
import type { Replies } from './replies.ts'
import { routes } from './routes.ts'
import { serve } from './serve.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent an access token; undefined for who has not. */
    caller: Caller | undefined
  }
}

/** The routes that need an access token, which is looked at before the body is read. */
export async function operations(server: FastifyInstance, gateway: Gateway, replies: Replies): Promise<void> {
  const { directory, clock } = gateway
  const { mark, refusal, send } = replies
  const turnAway = (reply: FastifyReply, who: Exclude<Authentication, Caller>, at?: RequestMark): FastifyReply => {
    if (who === 'missing') reply.header('www-authenticate', 'Bearer')
    return send(reply, refusal(who === 'missing' ? faults.unauthorized : faults.forbidden, at))
  }
  /** The caller that the parameters of older clients name. Nothing else of a stranger's request is decoded. */
  const logIn = (sent: Uint8Array): Authentication => {
    const login = decodeLogin(sent)
    const caller = directory.logIn(login, clock.now())
    login?.password?.wipe()
    return caller
  }

  server.decorateRequest('caller')
  server.addHook('onRequest', (request, reply, next) => {
    const caller = directory.authenticate(request.headers.authorization, clock.now())
    if (typeof caller === 'object') request.caller = caller
    else if (!directory.takesLogins() || !mayLogIn(request)) return void turnAway(reply, caller)
    next()
  })

  let inFlight = 0
  for (const route of routes) {
    server.route<{ Params: { id?: string }; Body: Buffer | undefined }>({
      method: route.method,
      url: route.path,
      async handler(request, reply) {
        const at = mark()
        const { requestId, atMs } = at
        const sent = bytesOf(request)
        const caller = request.caller ?? logIn(sent)
        if (typeof caller === 'string') {
          sent.fill(0)
          return turnAway(reply, caller, at)
        }
        if (inFlight >= limits.inFlightMax || gateway.storage.depth() >= limits.commitDepthMax) {
          sent.fill(0)
          return send(reply, refusal(faults.tooMany, at))
        }
        const decoded = decodeForm(sent)
        const form = route.method === 'POST' ? decoded : withoutSecrets(decoded)
        inFlight += 1
        try {
          const { id = '' } = request.params
          const idempotencyKey = request.headers['idempotency-key']
          return send(reply, await serve(gateway, route, { requestId, atMs, caller, form, id, idempotencyKey }))
        } finally {
          inFlight -= 1
          form.wipe()
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
