import type { PostingKindName } from './posting-kinds.ts'

/** An entry of a bank account of the operator, as far as no row of a settlement file states it. */
export interface BankBooking {
  /** Minor units; negative: the balance of the account became lower. */
  readonly signedMinor: number
}

/**
 * What explains a bank entry. none: nothing does. payout: it confirms a payout or, as a credit, sends one back.
 * merchant, acquirer, charges: it is assigned to the account of a merchant, to the claim against an acquirer, or to the
 * charges of the bank. settlementFile: it is the sum of files of an acquirer, whose rows have entries of the account
 * `bank`.
 */
export type BankExplanation =
  | { readonly kind: 'none' }
  | { readonly kind: 'charges' }
  | { readonly kind: 'payout' | 'merchant'; readonly merchant: string }
  | { readonly kind: 'acquirer'; readonly acquirer: string }
  | {
      readonly kind: 'settlementFile'
      readonly acquirer: string
      /** The sum of the files in the currency of the entry, minor units. */
      readonly netMinor: number
    }

/** An entry of the ledger that follows from a bank entry. The merchant and the acquirer of others are ''. */
export interface BankPosting {
  readonly kind: PostingKindName
  readonly merchant: string
  readonly acquirer: string
  /** Minor units, positive. */
  readonly amountMinor: number
}

/** The kinds of entries for bank entries of both directions. */
const kinds = {
  none: { credit: 'unmatchedCredit', debit: 'unmatchedDebit' },
  charges: { credit: 'bankChargeReversal', debit: 'bankCharge' },
  payout: { credit: 'payoutReturn', debit: 'payoutPaid' },
  merchant: { credit: 'merchantCredit', debit: 'merchantDebit' },
  acquirer: { credit: 'acquirerCredit', debit: 'acquirerDebit' },
  settlementFile: { credit: 'acquirerCredit', debit: 'acquirerDebit' },
} as const satisfies Readonly<Record<BankExplanation['kind'], Readonly<Record<'credit' | 'debit', PostingKindName>>>>

/**
 * The entries of a bank entry as it is explained at present. Their movements of the account `bank` add up to the amount
 * of the bank entry; with those of the rows of a settlement file, if it is the sum of the file. What an acquirer has
 * paid less than the file states remains owed by it.
 */
export function bankPostingsOf({ signedMinor }: BankBooking, explanation: BankExplanation): readonly BankPosting[] {
  const minor = explanation.kind === 'settlementFile' ? signedMinor - explanation.netMinor : signedMinor
  if (minor === 0) return []
  const kind = kinds[explanation.kind][minor > 0 ? 'credit' : 'debit']
  const merchant = 'merchant' in explanation ? explanation.merchant : ''
  const acquirer = 'acquirer' in explanation ? explanation.acquirer : ''
  return [{ kind, merchant, acquirer, amountMinor: Math.abs(minor) }]
}
