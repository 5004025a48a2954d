/** Where a payment stands at its bank. */
export type BankState = 'open' | 'pending' | 'held' | 'paid' | 'failed' | 'cancelled' | 'refunded'

interface BankMove {
  readonly from: readonly BankState[]
  readonly to: BankState
  /** Why it did not come to a payment. */
  readonly reason?: string
}

/**
 * States that an order can reach until the shopper has decided about it. From then on its state follows from the
 * amounts. An order with the intent to hold is held where others are paid.
 */
export const moves = {
  pay: { from: ['open', 'pending'], to: 'paid' },
  wait: { from: ['open'], to: 'pending' },
  // Nobody has agreed to anything yet, and nobody is told that somebody will.
  stay: { from: ['open'], to: 'open' },
  decline: { from: ['open', 'pending'], to: 'failed', reason: 'declined' },
  cancel: { from: ['open'], to: 'cancelled', reason: 'cancelledByShopper' },
  // Not once the shopper has agreed: what is on its way cannot be called back, it can be refunded when it has arrived.
  withdraw: { from: ['open'], to: 'cancelled', reason: 'cancelledByMerchant' },
} as const satisfies Readonly<Record<string, BankMove>>

/** A row of the table. */
export type MoveName = keyof typeof moves

/** The table for whoever reads it by a name. */
export const moveOf = (name: MoveName): BankMove => moves[name]
