import { decodeForm, type Form, MASK } from '@tollgate/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../directory.ts'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { faults } from './faults.ts'
import type { Replies } from './replies.ts'
import { routes } from './routes.ts'
import { serve } from './serve.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** The routes that need an access token, which is looked at before the body is read. */
export async function operations(server: FastifyInstance, gateway: Gateway, replies: Replies): Promise<void> {
  const { mark, refusal, send } = replies
  server.decorateRequest('caller')
  server.addHook('onRequest', (request, reply, next) => {
    const caller = gateway.directory.authenticate(request.headers.authorization, gateway.clock.now())
    if (typeof caller === 'object') {
      request.caller = caller
      return next()
    }
    if (caller === 'missing') reply.header('www-authenticate', 'Bearer')
    send(reply, refusal(caller === 'missing' ? faults.unauthorized : faults.forbidden))
  })

  let inFlight = 0
  for (const route of routes) {
    server.route<{ Params: { id?: string }; Body: Form | undefined }>({
      method: route.method,
      url: route.path,
      async handler(request, reply) {
        const at = mark()
        const { requestId, atMs } = at
        const form = formOf(request)
        if (inFlight >= limits.inFlightMax || gateway.storage.depth() >= limits.commitDepthMax) {
          form.wipe()
          return send(reply, refusal(faults.tooMany, at))
        }
        inFlight += 1
        try {
          const { id = '' } = request.params
          const idempotencyKey = request.headers['idempotency-key']
          const incoming = { requestId, atMs, caller: request.caller, form, id, idempotencyKey }
          return send(reply, await serve(gateway, route, incoming))
        } finally {
          inFlight -= 1
          form.wipe()
        }
      },
    })
  }
}

/** The decoded body of a POST; elsewhere the query string, which is a form too. */
function formOf({ method, url, body }: FastifyRequest<{ Body: Form | undefined }>): Form {
  if (method === 'POST') return body ?? decodeForm(new Uint8Array())
  // A body where none is expected says nothing, but may hold a secret.
  body?.wipe()
  const at = url.indexOf('?')
  return withoutSecrets(decodeForm(Buffer.from(at < 0 ? '' : url.slice(at + 1))))
}

/**
 * A query string as a form: no operation needs a secret there, and none belongs there ("All other data is sent as body
 * parameters"). It is refused, so that whoever sends it learns of it: addresses are written into the logs of others.
 */
function withoutSecrets(form: Form): Form {
  if (form.secrets.size === 0) return form
  form.wipe()
  const refused = Array.from(form.secrets.keys(), (name) => ({ name, value: MASK, message: IN_ADDRESS }))
  const sent = form.sent.filter(({ name }) => !form.secrets.has(name))
  return { ...form, sent, secrets: new Map(), problems: [...refused, ...form.problems] }
}

const IN_ADDRESS = 'must not be sent in the address of a request'
