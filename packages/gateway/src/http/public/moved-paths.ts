import { decodeForm, MASK } from '@tollgate/contract'
import type { FastifyInstance } from 'fastify'
import type { Gateway } from '../../gateway.ts'
import type { AddressPacingHook } from '../pace-by-address.ts'
import type { Replies } from '../replies.ts'

/** The redirect from another path of a document or script. */
interface MovedPath {
  readonly from: string
  readonly to: string
  /** The query parameter of the target. No other is passed on. */
  readonly keeps?: string
}

const script = { to: '/v1/paymentWidgets.js', keeps: 'checkoutId' } as const

/**
 * Paths of documents and scripts without a version segment, or with that of a nonexistent version ("307: Temporary
 * redirect"). Operations are never redirected: their requests may carry account data, which must not be sent twice.
 */
export const movedPaths: readonly MovedPath[] = [
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

/** Answers for a moved path: 307 with the new address, or 400 if the query contains account data. */
export function redirectMovedPaths(
  server: FastifyInstance,
  { render }: Gateway,
  { mark, send }: Replies,
  paceAddress: AddressPacingHook,
): void {
  for (const { from, to, keeps } of movedPaths) {
    server.get(from, { onRequest: paceAddress }, (request, reply) => {
      const [, query = ''] = request.url.split('?', 2)
      const at = mark()
      const names = accountDataIn(query)
      if (names.length > 0) {
        const parameterErrors = names.map((name) => ({ name, value: MASK, message: IN_ADDRESS }))
        return send(reply, render.refusal(400, '200.300.404', at, { parameterErrors }))
      }
      const kept = keeps === undefined ? null : new URLSearchParams(query).get(keeps)
      reply.headers({
        location: kept === null ? to : `${to}?${keeps}=${encodeURIComponent(kept)}`,
        // A script with an integrity attribute is fetched with CORS, its redirects included.
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      return send(reply, render.refusal(307, '000.000.100', at, { reason: `moved to ${to}` }))
    })
  }
}

const IN_ADDRESS = 'must not be sent in the address of a request'

function accountDataIn(query: string): readonly string[] {
  const form = decodeForm(Buffer.from(query))
  form.wipe()
  return form.sent.filter(({ structure }) => accounts.test(structure)).map(({ name }) => name)
}
