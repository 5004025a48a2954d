/** What a transaction's row keeps, as JSON, of the acquirer's word and of how the answer was worded. */
export interface Outcome {
  readonly descriptor?: string | undefined
  /** Set where the brand was detected, not sent. */
  readonly brandResult?: string | undefined
  /** result.avsResponse */
  readonly avs?: string | undefined
  /** result.cvvResponse */
  readonly cvv?: string | undefined
  /** resultDetails */
  readonly details: Readonly<Record<string, string>>
  /** Facts about the card by their names below `card.`: type, level, regulatedFlag, issuer.bank, … */
  readonly cardFacts?: Readonly<Record<string, string>> | undefined
}
