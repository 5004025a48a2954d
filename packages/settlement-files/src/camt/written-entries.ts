import type { SettlementRow } from '@tollgate/domain'
import type { BankEntry } from '../file-entry.ts'
import { limits } from '../limits.ts'
import { NOT_PROVIDED } from './booked-entry.ts'
import { type BookingCode, bookingCodes } from './booking-codes.ts'
import type { GroupValues } from './write-group.ts'

/** An entry to write: the values of its elements, and those of its transactions. */
export interface WrittenEntry {
  readonly values: GroupValues & { readonly amountMinor: number; readonly direction: string; readonly currency: string }
  readonly transactions: readonly GroupValues[]
}

/**
 * The entries of rows: consecutive rows of one settlement and kind are an entry, up to 1,000. A fee is an entry of its
 * own without transactions.
 *
 * @throws RangeError if no bank transaction code exists for the kind and type of a row
 */
export function* entriesOfRows(rows: Iterable<SettlementRow>): Generator<WrittenEntry> {
  let batch: [SettlementRow, ...SettlementRow[]] | undefined
  for (const row of rows) {
    if (batch && (row.kind === 'FEE' || batch.length >= limits.batchRowsMax || !isSameBatch(batch[0], row))) {
      yield entryOfBatch(batch)
      batch = undefined
    }
    if (batch) batch.push(row)
    else batch = [row]
  }
  if (batch) yield entryOfBatch(batch)
}

const shared = ['kind', 'type', 'cashflow', 'settlementId', 'settlementCurrency', 'settledOn'] as const

const isSameBatch = (one: SettlementRow, other: SettlementRow): boolean =>
  shared.every((member) => one[member] === other[member])

function entryOfBatch(batch: readonly [SettlementRow, ...SettlementRow[]]): WrittenEntry {
  const [{ kind, type, cashflow, settlementId, settlementCurrency, settledOn }] = batch
  const direction = cashflow === 'POS' ? 'CRDT' : 'DBIT'
  const code = bookingCodes.find(
    ({ row, directions }) => row?.kind === kind && row.type === type && directions.includes(direction),
  )
  if (code === undefined) throw new RangeError('PaymentType: camt has no bank transaction code for this kind of row')
  const transactions = code.isRowWithoutDetails ? [] : batch.map(transactionOf)
  const amountMinor = batch.reduce((sum, row) => sum + bookedAmountOf(row), 0)
  return {
    values: {
      ...valuesOfCode(code),
      amountMinor,
      currency: settlementCurrency,
      direction,
      bookedOn: settledOn,
      reference: settlementId,
    },
    transactions,
  }
}

/** The entry of a booking that is no row. */
export function entryOfBankEntry(bankEntry: BankEntry): WrittenEntry {
  const { booking, amountMinor, currency, bookedOn, valueOn, reference, reason } = bankEntry
  const { endToEndId = NOT_PROVIDED } = bankEntry
  const direction = bankEntry.direction === 'CREDIT' ? 'CRDT' : 'DBIT'
  const code = bookingCodes.find((row) => row.booking === booking && row.directions.includes(direction))
  const values = { amountMinor, currency, direction, bookedOn, valueOn, reference }
  return {
    values: { ...values, ...(code ? valuesOfCode(code) : otherCode(direction)) },
    transactions: [{ endToEndId, bookedMinor: amountMinor, bookedCurrency: currency, direction, reason }],
  }
}

const valuesOfCode = ({ code: [domain, family, subFamily], isReversal }: BookingCode): GroupValues => ({
  status: 'BOOK',
  domain,
  // Charges can be of any family; these are miscellaneous debit operations.
  family: family === '*' ? 'MDOP' : family,
  subFamily,
  ...(isReversal && { isReversal: 'true' }),
})

/** The code of other payments: miscellaneous credit or debit operations. */
const otherCode = (direction: string): GroupValues => ({
  status: 'BOOK',
  domain: 'PMNT',
  family: direction === 'CRDT' ? 'MCOP' : 'MDOP',
  subFamily: 'OTHR',
})

/** The amount in the account: the fee was deducted from a credit, and added to a debit. */
function bookedAmountOf({ cashflow, settlementAmountMinor, feeMinor = 0 }: SettlementRow): number {
  const bookedMinor = cashflow === 'POS' ? settlementAmountMinor - feeMinor : settlementAmountMinor + feeMinor
  if (bookedMinor < 0) throw new RangeError('SettlementFee: must not be larger than the amount of a credit')
  return bookedMinor
}

function transactionOf(row: SettlementRow): GroupValues {
  return {
    ...row,
    endToEndId: row.uniqueId ?? row.shortId ?? row.merchantTransactionId ?? NOT_PROVIDED,
    bookedMinor: bookedAmountOf(row),
    bookedCurrency: row.settlementCurrency,
    direction: row.cashflow === 'POS' ? 'CRDT' : 'DBIT',
    ...(row.fxRate !== undefined && { sourceCurrency: row.currency }),
    ...(row.feeMinor !== undefined && { feeCurrency: row.settlementCurrency }),
  }
}
