import { SECOND_MS } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'
import { limits } from '../limits.ts'
import type { Go } from '../payment/command.ts'

/** The settings by which a channel refuses duplicates. */
interface DuplicateSettings {
  readonly uniqueMerchantTransactionId: boolean
  /** 0: no duplicate is refused. */
  readonly duplicateWindowSeconds: number
}

/** The terminal's own reference of a sale that it sends later. */
export interface TerminalReference {
  readonly terminalId: string
  /** The terminal's number of the sale; terminals begin again after the highest one. */
  readonly sequenceNumber: string
  /** The date of the sale at the terminal, if the chip states it. */
  readonly date: string | undefined
}

/** The facts of a payment by which its duplicates are recognised. */
export interface DuplicateSubject {
  readonly settings: DuplicateSettings
  readonly merchantTransactionId: string | undefined
  /** Keyed hashes of the account number, one for each key; empty without an account number or a duplicate window. */
  readonly fingerprints: readonly string[]
  /** The requested amount; the approved one may be less. */
  readonly go: Pick<Go, 'amountMinor' | 'currency' | 'referencedId'>
  /** Only of a sale that was approved offline: it is unique whatever the settings are. */
  readonly terminalReference?: TerminalReference | undefined
  readonly atMs: number
}

/** A combination of values that only one payment of a channel may have until the key expires. */
interface DuplicateKey {
  /** The refusal of a later payment with the same values. */
  readonly refusal: Refused
  readonly parts: readonly (string | number)[]
  /** null: the key never expires. */
  readonly expiresAtMs: number | null
}

const sameTransactionId = refused(
  '800.130.100',
  'an earlier payment of this channel has the same merchantTransactionId',
)
const samePayment = refused(
  '800.110.100',
  'a recent payment has the same account, amount, currency and merchantTransactionId',
)

const sameSale = refused('800.110.100', 'the terminal has sent this sale before')

/** Whether the channel refuses any duplicates. Most channels refuse none. */
export const refusesDuplicates = ({
  uniqueMerchantTransactionId,
  duplicateWindowSeconds,
}: DuplicateSettings): boolean => uniqueMerchantTransactionId || duplicateWindowSeconds > 0

/** The keys under which a payment is unique on its channel, in order of refusal. */
export function duplicateKeys(subject: DuplicateSubject): readonly DuplicateKey[] {
  const { settings, merchantTransactionId, fingerprints, go, atMs } = subject
  const saleKeys = keysOfSale(subject)
  // A referencing payment may have the merchantTransactionId of the payment that it references.
  const mustBeUnique =
    settings.uniqueMerchantTransactionId && go.referencedId === null && merchantTransactionId !== undefined
  const transactionIdKeys = mustBeUnique
    ? [{ refusal: sameTransactionId, parts: ['reference', merchantTransactionId], expiresAtMs: null }]
    : []
  if (settings.duplicateWindowSeconds === 0) return [...saleKeys, ...transactionIdKeys]
  // One key for each fingerprint, so that the account is also recognised while encryption keys rotate.
  const accountKeys = fingerprints.map((fingerprint) => ({
    refusal: samePayment,
    parts: ['payment', fingerprint, go.amountMinor, go.currency, merchantTransactionId ?? ''],
    expiresAtMs: atMs + settings.duplicateWindowSeconds * SECOND_MS,
  }))
  return [...saleKeys, ...transactionIdKeys, ...accountKeys]
}

function keysOfSale({ terminalReference, atMs }: DuplicateSubject): readonly DuplicateKey[] {
  if (!terminalReference) return []
  const { terminalId, sequenceNumber, date = '' } = terminalReference
  return [
    {
      refusal: sameSale,
      parts: ['sale', terminalId, sequenceNumber, date],
      expiresAtMs: atMs + limits.offlineSaleUniqueMs,
    },
  ]
}
