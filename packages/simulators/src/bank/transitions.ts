/** State of a payment at its bank. */
export type BankState = 'open' | 'pending' | 'held' | 'paid' | 'failed' | 'cancelled' | 'refunded'

interface BankTransition {
  readonly from: readonly BankState[]
  readonly to: BankState
  /** Reason for a payment that has failed or was cancelled. */
  readonly reason?: string
}

/**
 * The transitions of a payment until the shopper has confirmed its order; after that, its state follows from its
 * amounts. An order with the intent `hold` becomes `held` instead of `paid`.
 */
export const transitions = {
  pay: { from: ['open', 'pending'], to: 'paid' },
  wait: { from: ['open'], to: 'pending' },
  // The shopper leaves the page. Until the later transition, the bank answers as if they had not chosen yet.
  stay: { from: ['open'], to: 'open' },
  decline: { from: ['open', 'pending'], to: 'failed', reason: 'declined' },
  cancel: { from: ['open'], to: 'cancelled', reason: 'cancelledByShopper' },
  // A merchant can withdraw a payment only before the shopper has confirmed it. A pending payment cannot be withdrawn;
  // it can be refunded once it is paid.
  withdraw: { from: ['open'], to: 'cancelled', reason: 'cancelledByMerchant' },
} as const satisfies Readonly<Record<string, BankTransition>>

export type TransitionName = keyof typeof transitions

/** The row of a transition. */
export const transitionOf = (name: TransitionName): BankTransition => transitions[name]
