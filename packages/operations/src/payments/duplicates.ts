import { InvariantError, type Secret } from '@tollgate/contract'
import { duplicateKeys, type Go, type Refused } from '@tollgate/domain'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit, UniquenessConstraint } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { hex } from '../hex.ts'

/** The properties of a payment that duplicates share. */
interface Payment {
  readonly id: string
  readonly channel: Channel
  readonly merchantTransactionId: string | undefined
  /** The account number; undefined: there is none. */
  readonly number: Secret | undefined
  /** The requested amount; the approved one may be less. */
  readonly go: Go
  readonly atMs: number
}

/**
 * The uniqueness constraint of a payment by its channel's policies on duplicates. The commit checks it, so that only
 * one of many concurrent payments is accepted. The keys are keyed hashes, which reveal nothing about the card.
 *
 * @param refuse decides the unit of a duplicate, with the id of the first payment
 */
export function uniqueOf(
  { vault }: Context,
  payment: Payment,
  refuse: (why: Refused, first: string) => PendingUnit,
): UniquenessConstraint {
  const { id, channel, merchantTransactionId, number, go, atMs } = payment
  const { settings } = channel
  const fingerprints =
    number && settings.duplicateWindowSeconds > 0 ? vault.fingerprints(number).map(({ code }) => hex(code)) : []
  const refusals = new Map<string, Refused>()
  const keys = duplicateKeys({ settings, merchantTransactionId, fingerprints, go, atMs }).map(
    ({ refusal, parts, endsAtMs }) => {
      const key = hex(vault.mac('idempotency', `unique|${channel.id}|${JSON.stringify(parts)}`))
      refusals.set(key, refusal)
      return {
        id: key,
        merchant: channel.merchant,
        transaction_id: id,
        created_at_ms: atMs,
        expires_at_ms: endsAtMs,
      }
    },
  )
  return {
    keys,
    onConflict(owner) {
      const why = refusals.get(owner.id)
      if (!why) throw new InvariantError('conflict over a unique key that the unit of work does not have')
      return refuse(why, owner.transaction_id)
    },
  }
}
