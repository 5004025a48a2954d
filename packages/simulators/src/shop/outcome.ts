/** How an order stands. */
export type Outcome =
  /** The money is ours, or the card is stored. */
  | 'approved'
  /** Approved, and somebody looks at it before anything is sent. */
  | 'review'
  /** Nobody knows yet. Neither send anything nor ask the shopper to pay again. */
  | 'pending'
  | 'declined'
  /** The shopper ended the payment at the bank or wallet. */
  | 'cancelled'

/** What `result.code` says, in this order; whatever fits none of them is declined. */
const patterns: readonly (readonly [Outcome, RegExp])[] = [
  ['approved', /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/],
  ['review', /^(000\.400\.0[^3]|000\.400\.100)/],
  ['pending', /^(000\.200)/],
  ['pending', /^(800\.400\.5|100\.400\.500)/],
  ['cancelled', /^100\.39(6\.10[14]|7\.101)/],
  // Too many requests: nothing was done, and nothing is known.
  ['pending', /^800\.120\.100/],
]

/** Decides by the code alone, never by the description or the HTTP status. */
export const outcomeOf = (code: string): Outcome =>
  patterns.find(([, pattern]) => pattern.test(code))?.[0] ?? 'declined'
