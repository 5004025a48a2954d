import { InvariantError, type Secret } from '@tollgate/contract'
import { type Go, type Refused, refused } from '@tollgate/domain'
import type { Vault } from '@tollgate/vault'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit, UniquenessConstraint } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { hex } from '../hex.ts'

/** A payment as far as another could be its duplicate. */
interface Payment {
  readonly id: string
  readonly channel: Channel
  readonly merchantTransactionId: string | undefined
  /** Of the account; undefined where there is none. */
  readonly number: Secret | undefined
  /** What was asked for, which may be more than what was approved. */
  readonly go: Go
  readonly atMs: number
}

/** What a channel may want not to happen twice. */
interface Policy {
  readonly why: Refused
  /** What is unique on the channel; nothing where the policy is off or does not concern the payment. */
  readonly unique: (vault: Vault, payment: Payment) => readonly (readonly (string | number)[])[]
  /** null: for good. */
  readonly endsAtMs: (payment: Payment) => number | null
}

/** In the order in which they answer. */
const policies: readonly Policy[] = [
  {
    why: refused('800.130.100', 'an earlier payment of this channel has the same merchantTransactionId'),
    // What refers to a payment may bear its reference.
    unique: (_vault, { channel, go, merchantTransactionId: reference }) =>
      channel.settings.uniqueMerchantTransactionId && go.referencedId === null && reference !== undefined
        ? [['reference', reference]]
        : [],
    endsAtMs: () => null,
  },
  {
    why: refused('800.110.100', 'the same account paid the same amount for the same merchantTransactionId just before'),
    unique(vault, { channel, number, go: { amountMinor, currency }, merchantTransactionId: reference = '' }) {
      if (channel.settings.duplicateWindowMs === 0 || !number) return []
      // Under every key, so that the account is the same while they rotate.
      return vault.fingerprints(number).map(({ code }) => ['payment', hex(code), amountMinor, currency, reference])
    },
    endsAtMs: ({ channel, atMs }) => atMs + channel.settings.duplicateWindowMs,
  },
]

/** Whether the channel has any policy on duplicates. Most have none, and their payments claim nothing. */
export const refusesDuplicates = ({ settings }: Channel): boolean =>
  settings.uniqueMerchantTransactionId || settings.duplicateWindowMs > 0

/**
 * What the payment claims under its channel's policies on duplicates. It is claimed in the commit, so that of any
 * number of payments at once one has it. The keys are keyed hashes: they tell nothing of the card.
 *
 * @param refuse what becomes of the payment if another was first, whose id it gets
 */
export function uniqueOf(
  { vault }: Context,
  payment: Payment,
  refuse: (why: Refused, first: string) => PendingUnit,
): UniquenessConstraint {
  const { id, channel, atMs } = payment
  const whys = new Map<string, Refused>()
  const keys = policies.flatMap(({ why, unique, endsAtMs }) =>
    unique(vault, payment).map((parts) => {
      const key = hex(vault.mac('idempotency', `unique|${channel.id}|${JSON.stringify(parts)}`))
      whys.set(key, why)
      return {
        id: key,
        merchant: channel.merchant,
        transaction_id: id,
        created_at_ms: atMs,
        expires_at_ms: endsAtMs(payment),
      }
    }),
  )
  return {
    keys,
    onConflict(taken) {
      const why = whys.get(taken.id)
      if (!why) throw new InvariantError('unit of work conflicts over a key that it did not claim')
      return refuse(why, taken.transaction_id)
    },
  }
}
