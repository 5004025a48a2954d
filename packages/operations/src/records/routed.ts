import type { TransactionRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import { optional, storedReader } from './stored-json.ts'

/** The connector of a transaction, and the decision of the route that selected it; stored with the facts. */
const routed = Type.Object({
  connector: Type.String(),
  decision: optional(
    Type.Object({
      route: Type.String(),
      /** The routes before it that did not match, each with the condition that did not hold. */
      passed: Type.Array(Type.Object({ route: Type.String(), mismatch: optional(Type.String()) })),
      targets: Type.Array(Type.Object({ connector: Type.String(), verdict: Type.String() })),
    }),
  ),
})
export type Routed = Readonly<Static<typeof routed>>
const readRouted = storedReader(Type.Object({ routed }))

/**
 * The connector to which a stored transaction was first sent.
 *
 * @returns undefined: it was processed by the simulator without a route, or was sent to no acquirer
 */
export function routedOf({ facts }: Pick<TransactionRow, 'facts'>): Routed | undefined {
  // The facts are parsed only if they may contain the member: each follow-up calls this function.
  return facts.includes('"routed":') ? readRouted(facts).routed : undefined
}
