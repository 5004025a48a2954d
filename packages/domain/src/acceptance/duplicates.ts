import { SECOND_MS } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'
import type { Go } from '../payment/command.ts'

/** Settings of a channel that refuse duplicates. */
interface DuplicateTerms {
  readonly uniqueMerchantTransactionId: boolean
  /** 0: no duplicate is refused. */
  readonly duplicateWindowSeconds: number
}

/** The facts of a payment by which its duplicates are recognised. */
export interface DuplicateSubject {
  readonly terms: DuplicateTerms
  readonly merchantTransactionId: string | undefined
  /** Keyed hashes of the account number, one for each key; empty without a number. */
  readonly fingerprints: readonly string[]
  /** The requested amount; the approved one may be less. */
  readonly go: Pick<Go, 'amountMinor' | 'currency' | 'referencedId'>
  readonly atMs: number
}

/** A combination of values that only one payment of a channel may have. */
interface DuplicateKey {
  /** Refusal of the other payments. */
  readonly refusal: Refused
  readonly parts: readonly (string | number)[]
  /** null: the key never expires. */
  readonly endsAtMs: number | null
}

const sameReference = refused('800.130.100', 'an earlier payment of this channel has the same merchantTransactionId')
const samePayment = refused(
  '800.110.100',
  'the same account paid the same amount for the same merchantTransactionId just before',
)

/** Whether the channel refuses any duplicates. Most channels refuse none. */
export const refusesDuplicates = ({ uniqueMerchantTransactionId, duplicateWindowSeconds }: DuplicateTerms): boolean =>
  uniqueMerchantTransactionId || duplicateWindowSeconds > 0

/** The keys under which a payment is unique on its channel, in order of refusal. */
export function duplicateKeys(subject: DuplicateSubject): readonly DuplicateKey[] {
  const { terms, merchantTransactionId: reference, fingerprints, go, atMs } = subject
  // A referencing payment may bear the reference of the payment that it refers to.
  const isUnique = terms.uniqueMerchantTransactionId && go.referencedId === null && reference !== undefined
  const ofReference = isUnique ? [{ refusal: sameReference, parts: ['reference', reference], endsAtMs: null }] : []
  if (terms.duplicateWindowSeconds === 0) return ofReference
  // One key for each fingerprint, so that the account is also recognised while encryption keys rotate.
  const ofAccount = fingerprints.map((fingerprint) => ({
    refusal: samePayment,
    parts: ['payment', fingerprint, go.amountMinor, go.currency, reference ?? ''],
    endsAtMs: atMs + terms.duplicateWindowSeconds * SECOND_MS,
  }))
  return [...ofReference, ...ofAccount]
}
