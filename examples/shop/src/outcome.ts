/** The outcome of an order. */
export type Outcome =
  /** The amount is paid, or the card is stored. */
  | 'approved'
  /** Approved; the staff checks the order before anything is sent. */
  | 'review'
  /** Not known yet: the shop must neither deliver nor request another payment. */
  | 'pending'
  | 'declined'
  /** The shopper ended the payment at the bank or wallet. */
  | 'cancelled'

/** Patterns of `result.code`, the first match decides; a code that matches none is declined. */
const patterns: readonly (readonly [Outcome, RegExp])[] = [
  ['approved', /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/],
  ['review', /^(000\.400\.0[^3]|000\.400\.100)/],
  ['pending', /^(000\.200)/],
  ['pending', /^(800\.400\.5|100\.400\.500)/],
  ['cancelled', /^100\.39(6\.10[14]|7\.101)/],
  // Too many requests: the query was not answered.
  ['pending', /^800\.120\.100/],
]

/** The outcome by the code alone, never by the description or the HTTP status. */
export const outcomeOf = (code: string): Outcome =>
  patterns.find(([, pattern]) => pattern.test(code))?.[0] ?? 'declined'
