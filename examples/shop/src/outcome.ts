/** The outcome of an order. */
export type Outcome =
  /** The amount is paid, or the card is stored. */
  | 'approved'
  /** The payment is approved, but the staff checks the order before goods are sent. */
  | 'review'
  /** The outcome is not known yet: the shop must neither deliver nor request another payment. */
  | 'pending'
  /** The payment is refused, or the card is not stored. */
  | 'declined'
  /** The shopper ended the payment at the bank or wallet. */
  | 'cancelled'

/** Patterns of `result.code`. The first match is the outcome; a code without a match is declined. */
const patterns: readonly (readonly [Outcome, RegExp])[] = [
  ['approved', /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/],
  ['review', /^(000\.400\.0[^3]|000\.400\.100)/],
  ['pending', /^(000\.200)/],
  ['pending', /^(800\.400\.5|100\.400\.500)/],
  ['cancelled', /^100\.39(6\.10[14]|7\.101)/],
  // The gateway has refused the query, because the shop sent too many requests.
  ['pending', /^800\.120\.100/],
]

/** Maps a result code to an outcome. The description and the HTTP status are never evaluated. */
export const outcomeOf = (code: string): Outcome =>
  patterns.find(([, pattern]) => pattern.test(code))?.[0] ?? 'declined'
