import { SECOND_MS } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'
import type { Go } from '../payment/command.ts'

/** Settings of a channel that refuse duplicates. */
interface DuplicateTerms {
  readonly uniqueMerchantTransactionId: boolean
  /** 0: no duplicate is refused. */
  readonly duplicateWindowSeconds: number
}

/** A payment, as far as another could be its duplicate. */
export interface DuplicateSubject {
  readonly terms: DuplicateTerms
  readonly merchantTransactionId: string | undefined
  /** Keyed hashes of the account number, one for each key; none where there is no number. */
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
  /** null: never. */
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

/** The keys under which a payment is unique on its channel, in the order in which they refuse. */
export function duplicateKeys(subject: DuplicateSubject): readonly DuplicateKey[] {
  const { terms, merchantTransactionId: reference, fingerprints, go, atMs } = subject
  // A referencing payment may bear the reference of the payment that it refers to.
  const isUnique = terms.uniqueMerchantTransactionId && go.referencedId === null && reference !== undefined
  const ofReference = isUnique ? [{ refusal: sameReference, parts: ['reference', reference], endsAtMs: null }] : []
  if (terms.duplicateWindowSeconds === 0) return ofReference
  // Under every key, so that the account is the same while keys rotate.
  const ofAccount = fingerprints.map((fingerprint) => ({
    refusal: samePayment,
    parts: ['payment', fingerprint, go.amountMinor, go.currency, reference ?? ''],
    endsAtMs: atMs + terms.duplicateWindowSeconds * SECOND_MS,
  }))
  return [...ofReference, ...ofAccount]
}
