import { type Go, type Refused, refused } from '@tollgate/domain'
import type { Channel } from '../directory.ts'
import type { Proposal, Unique } from '../funnel.ts'
import type { Gateway } from '../gateway.ts'

/** A payment as far as another could be its duplicate. */
interface Payment {
  readonly id: string
  readonly channel: Channel
  readonly merchantTransactionId: string | undefined
  /** Keyed hash of the account's number; null where there is none. */
  readonly fingerprint: Uint8Array | null
  /** What was asked for, which may be more than what was approved. */
  readonly go: Go
  readonly atMs: number
}

/** What a channel may want not to happen twice. */
interface Policy {
  readonly why: Refused
  /** What is unique on the channel; undefined where the policy is off or does not concern the payment. */
  readonly unique: (payment: Payment) => readonly (string | number)[] | undefined
  /** null: for good. */
  readonly endsAtMs: (payment: Payment) => number | null
}

/** In the order in which they answer. */
const policies: readonly Policy[] = [
  {
    why: refused('800.130.100', 'an earlier payment of this channel has the same merchantTransactionId'),
    unique: ({ channel, merchantTransactionId: reference }) =>
      channel.settings.uniqueMerchantTransactionId && reference !== undefined ? ['reference', reference] : undefined,
    endsAtMs: () => null,
  },
  {
    why: refused('800.110.100', 'the same account paid the same amount for the same merchantTransactionId just before'),
    unique({ channel, fingerprint, go: { amountMinor, currency }, merchantTransactionId: reference = '' }) {
      if (channel.settings.duplicateWindowMs === 0 || fingerprint === null) return undefined
      return ['payment', Buffer.from(fingerprint).toString('hex'), amountMinor, currency, reference]
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
  { vault }: Gateway,
  payment: Payment,
  refuse: (why: Refused, first: string) => Proposal,
): Unique {
  const { id, channel, atMs } = payment
  const whys = new Map<string, Refused>()
  const keys = policies.flatMap(({ why, unique, endsAtMs }) => {
    const parts = unique(payment)
    if (!parts) return []
    const mac = vault.mac('idempotency', `unique|${channel.id}|${JSON.stringify(parts)}`)
    const key = Buffer.from(mac).toString('hex')
    whys.set(key, why)
    return [
      {
        id: key,
        merchant: channel.merchant,
        transaction_id: id,
        created_at_ms: atMs,
        expires_at_ms: endsAtMs(payment),
      },
    ]
  })
  return {
    keys,
    whenTaken(taken) {
      const why = whys.get(taken.id)
      if (!why) throw new Error('a key that is taken was claimed')
      return refuse(why, taken.transaction_id)
    },
  }
}
