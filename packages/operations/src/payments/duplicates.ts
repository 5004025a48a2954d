import { InvariantError, type Secret } from '@tollgate/contract'
import { type DuplicateSubject, duplicateKeys, type Go, type Refused } from '@tollgate/domain'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit, UniquenessConstraint } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { hex } from '../hex.ts'

/** A payment, with the properties by which its duplicates are found. */
interface Payment {
  readonly id: string
  readonly channel: Channel
  readonly merchantTransactionId: string | undefined
  /** The account number; undefined: the account has none. */
  readonly number: Secret | undefined
  /** Contains the requested amount; the approved amount may be less. */
  readonly go: Go
  readonly terminalReference?: DuplicateSubject['terminalReference']
  readonly atMs: number
}

/**
 * The uniqueness constraint of a payment by its channel's policies on duplicates. The commit checks it, so that only
 * one of many concurrent duplicates is accepted. The keys are keyed hashes, which reveal nothing about the card.
 *
 * @param refuse returns the unit of a duplicate; `firstId` is the id of the first payment
 */
export function uniquenessConstraintOf(
  { vault }: Context,
  payment: Payment,
  refuse: (refusal: Refused, firstId: string) => PendingUnit,
): UniquenessConstraint {
  const { id, channel, merchantTransactionId, number, go, terminalReference, atMs } = payment
  const { settings } = channel
  const fingerprints =
    number && settings.duplicateWindowSeconds > 0 ? vault.fingerprints(number).map(({ code }) => hex(code)) : []
  const refusals = new Map<string, Refused>()
  const keys = duplicateKeys({ settings, merchantTransactionId, fingerprints, go, terminalReference, atMs }).map(
    ({ refusal, parts, expiresAtMs }) => {
      const key = hex(vault.mac('idempotency', `unique|${channel.id}|${JSON.stringify(parts)}`))
      refusals.set(key, refusal)
      return {
        id: key,
        merchant: channel.merchant,
        transaction_id: id,
        created_at_ms: atMs,
        expires_at_ms: expiresAtMs,
      }
    },
  )
  return {
    keys,
    onConflict(owner) {
      const refusal = refusals.get(owner.id)
      if (!refusal) throw new InvariantError('conflict on a uniqueness key that the unit of work does not have')
      return refuse(refusal, owner.transaction_id)
    },
  }
}
