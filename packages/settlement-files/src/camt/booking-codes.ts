import type { SettlementRow } from '@tollgate/domain'
import type { Booking } from '../file-entry.ts'

/** A bank transaction code of ISO 20022 and its meaning. */
export interface BookingCode {
  /** Domain, family and sub-family; `*` is any family. */
  readonly code: readonly [domain: string, family: string, subFamily: string]
  /** Whether the entry reverses another one (RvslInd). */
  readonly isReversal: boolean
  readonly directions: readonly Direction[]
  readonly booking: Booking
  /** The kind and type of the rows; undefined: the booking is no row. */
  readonly row?: Pick<SettlementRow, 'kind' | 'type'>
  /** Whether a transaction is a row only if its EndToEndId is the id of a payment. */
  readonly needsPaymentId?: boolean
  /** Whether each transaction is a bank entry; otherwise the entry as a whole is one. */
  readonly isSplit?: boolean
  /** Whether an entry without transactions is a row. */
  readonly isRowWithoutDetails?: boolean
}

export type Direction = 'CRDT' | 'DBIT'

const meaning = (
  names: string,
  direction: Direction | 'both',
  booking: Booking,
  row?: BookingCode['row'],
  rules: Partial<BookingCode> = {},
): BookingCode => {
  const [domain = '', family = '', subFamily = ''] = names.split('/')
  const directions: readonly Direction[] = direction === 'both' ? ['CRDT', 'DBIT'] : [direction]
  return { code: [domain, family, subFamily], isReversal: false, directions, booking, ...(row && { row }), ...rules }
}

const collection = { kind: 'SETTLED', type: 'DEBIT' } as const
const returned = { kind: 'CHARGEBACK', type: 'DEBIT' } as const
const returnReversed = { kind: 'CHARGEBACK REVERSAL', type: 'DEBIT' } as const
const batchFee = { kind: 'FEE', type: 'BATCH' } as const
const monthlyFee = { kind: 'FEE', type: 'MONTHLY' } as const

/**
 * The bank transaction codes that become rows, and those of payouts. Entries with another code are bank entries without
 * rows.
 *
 * A credit transfer is a row only if the payer returned the id of a payment: other transfers are totals that acquirers
 * pay out, and their rows are in the files of the acquirers. Transfers to shoppers have the code of payouts: which one
 * is a refund shows only the EndToEndId, which the consumer looks up.
 */
export const bookingCodes: readonly BookingCode[] = [
  meaning('PMNT/IDDT/ESDD', 'CRDT', 'COLLECTION', collection),
  meaning('PMNT/IDDT/UPDD', 'DBIT', 'RETURN', returned),
  meaning('PMNT/IDDT/UPDD', 'CRDT', 'RETURN REVERSAL', returnReversed, { isReversal: true }),
  meaning('PMNT/RCDT/ESCT', 'CRDT', 'INCOMING TRANSFER', collection, { needsPaymentId: true }),
  meaning('PMNT/ICDT/ESCT', 'DBIT', 'PAYOUT', undefined, { isSplit: true }),
  meaning('PMNT/ICDT/RRTN', 'CRDT', 'PAYOUT RETURN', undefined, { isSplit: true }),
  meaning('PMNT/*/CHRG', 'both', 'CHARGES', batchFee, { isRowWithoutDetails: true }),
  meaning('ACMT/*/CHRG', 'both', 'CHARGES', monthlyFee, { isRowWithoutDetails: true }),
]

/** The code of an entry or transaction; undefined: it is a bank entry without rows. */
export function findBookingCode(
  [domain, family, subFamily]: readonly (string | undefined)[],
  isReversal: boolean,
  direction: Direction,
): BookingCode | undefined {
  return bookingCodes.find(
    ({ code, ...row }) =>
      code[0] === domain &&
      (code[1] === '*' || code[1] === family) &&
      code[2] === subFamily &&
      row.isReversal === isReversal &&
      row.directions.includes(direction),
  )
}
