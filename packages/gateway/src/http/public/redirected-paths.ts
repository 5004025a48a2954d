import { decodeForm, MASK } from '@tollgate/contract'
import type { FastifyInstance } from 'fastify'
import type { Gateway } from '../../gateway.ts'
import type { AddressPacingHook } from '../address-pacing-hook.ts'
import type { Replies } from '../replies.ts'

/** A path that is redirected to the path of a document or script. */
interface RedirectedPath {
  readonly from: string
  readonly to: string
  /** The only query parameter that is passed on; undefined if none is. */
  readonly keptParameter?: string
}

const script = { to: '/v1/paymentWidgets.js', keptParameter: 'checkoutId' } as const

/**
 * Other paths at which clients may request a document or script, mostly with another version segment or without one
 * ("307: Temporary redirect"). Operations are never redirected, because their requests may contain account data, which
 * must not be sent twice.
 */
export const redirectedPaths: readonly RedirectedPath[] = [
  { from: '/paymentWidgets.js', ...script },
  { from: '/v2/paymentWidgets.js', ...script },
  { from: '/v3/paymentWidgets.js', ...script },
  { from: '/resultcodes', to: '/v1/resultcodes' },
  { from: '/v2/resultcodes', to: '/v1/resultcodes' },
  { from: '/v3/resultcodes', to: '/v1/resultcodes' },
  { from: '/openapi', to: '/openapi.json' },
  { from: '/v1/openapi.json', to: '/openapi.json' },
]

/** Structures of the request format that contain an account. */
const accounts = /^(card|bankAccount|virtualAccount|tokenAccount|giftCard|wallet[ABC]|pos)$/

/** Adds a route for each of these paths, which answers with 307 and the new path, or refuses account data with 400. */
export function addRedirects(
  server: FastifyInstance,
  { render }: Gateway,
  { mark, send }: Replies,
  paceAddress: AddressPacingHook,
): void {
  for (const { from, to, keptParameter } of redirectedPaths) {
    server.get(from, { onRequest: paceAddress }, (request, reply) => {
      const [, query = ''] = request.url.split('?', 2)
      const requestMark = mark()
      const names = accountDataIn(query)
      if (names.length > 0) {
        const parameterErrors = names.map((name) => ({ name, value: MASK, message: IN_ADDRESS }))
        return send(reply, render.refusal(400, '200.300.404', requestMark, { parameterErrors }))
      }
      const kept = keptParameter === undefined ? null : new URLSearchParams(query).get(keptParameter)
      reply.headers({
        location: kept === null ? to : `${to}?${keptParameter}=${encodeURIComponent(kept)}`,
        // Browsers fetch a script with an integrity attribute, and follow its redirects, with CORS.
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      return send(reply, render.refusal(307, '000.000.100', requestMark, { reason: `moved to ${to}` }))
    })
  }
}

const IN_ADDRESS = 'must not be sent in the address of a request'

function accountDataIn(query: string): readonly string[] {
  const form = decodeForm(Buffer.from(query))
  form.wipe()
  return form.sent.filter(({ structure }) => accounts.test(structure)).map(({ name }) => name)
}
