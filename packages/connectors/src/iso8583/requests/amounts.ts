import { currencies, InvariantError, isCurrency } from '@tollgate/contract'
import type { AcquirerOperation } from '../../port.ts'
import { type MessageSource, repeatedField } from './message-source.ts'

type Purpose = 'PURCHASE' | 'FUNDING' | 'PAYMENT'

/** Field 3, positions 1 and 2, by operation and `transactionProcessingCode`. */
const processingCodes: Readonly<Record<AcquirerOperation, Readonly<Record<Purpose, string>>>> = {
  PA: { PURCHASE: '00', FUNDING: '10', PAYMENT: '00' },
  DB: { PURCHASE: '00', FUNDING: '10', PAYMENT: '00' },
  CD: { PURCHASE: '20', FUNDING: '20', PAYMENT: '26' },
  CP: { PURCHASE: '00', FUNDING: '10', PAYMENT: '00' },
  RV: { PURCHASE: '00', FUNDING: '10', PAYMENT: '00' },
  RF: { PURCHASE: '20', FUNDING: '20', PAYMENT: '20' },
}

const DEFAULT_ACCOUNTS = '0000'

const isPurpose = (text: string): text is Purpose => Object.hasOwn(processingCodes.PA, text)

/** Field 3: the kind of the transaction, and the default account on both sides. */
export function processingCode(source: MessageSource): string {
  const { operation, parameters } = source.request
  const sent = parameters.get('transactionProcessingCode') ?? ''
  const repeated = repeatedField(source, 3)
  if (repeated !== undefined && !isPurpose(sent)) return repeated
  return `${processingCodes[operation][isPurpose(sent) ? sent : 'PURCHASE']}${DEFAULT_ACCOUNTS}`
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

/** Field 4: the amount in minor units; of a reversal the amount of the original. */
export const transactionAmount = ({ request, original }: MessageSource): string =>
  digits((request.operation === 'RV' ? original?.originalAmountMinor : undefined) ?? request.amountMinor, 12)

/** The amount that a partial reversal leaves; undefined for any other message. */
function remainingMinor({ request, original }: MessageSource): number | undefined {
  const { originalAmountMinor = 0 } = original ?? {}
  const isPartial = request.operation === 'RV' && request.amountMinor < originalAmountMinor
  return isPartial ? originalAmountMinor - request.amountMinor : undefined
}

const NO_SETTLEMENT = '0'.repeat(12)
const NO_FEES = 'C00000000C00000000'

/** Field 95: the amount that replaces the original one, and no settlement amount and fees. */
export function replacementAmounts(source: MessageSource): string | undefined {
  const remaining = remainingMinor(source)
  return remaining === undefined ? undefined : `${digits(remaining, 12)}${NO_SETTLEMENT}${NO_FEES}`
}

const APPROVED = '00'
const CANCELLED = '17'
const PARTIAL_REVERSAL = '32'

/** Field 39: the approval that an advice reports, or the reason of a reversal. */
export function responseCode(source: MessageSource): string {
  const { operation, offlineApproval } = source.request
  if (offlineApproval) return offlineApproval.responseCode
  if (operation === 'CP') return APPROVED
  return remainingMinor(source) === undefined ? CANCELLED : PARTIAL_REVERSAL
}

/** Field 49: the numeric code of ISO 4217. */
export function currencyCode({ request: { currency, transactionId } }: MessageSource): string {
  if (!isCurrency(currency)) throw new InvariantError('the currency of an acquirer request is unknown', transactionId)
  return currencies[currency].numeric
}
