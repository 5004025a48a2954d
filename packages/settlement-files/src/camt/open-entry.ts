import type { SettlementRow } from '@tollgate/domain'
import type { BankEntry } from '../file-entry.ts'
import { bankEntryOf, type BookedEntry, codeOf, directionOf, signed, textOf } from './booked-entry.ts'
import { type BookingCode, findBookingCode } from './booking-codes.ts'
import type { Fail, Group } from './read-groups.ts'
import { memberOfEndToEndId, rowOfEntry, rowOfTransaction, type Transaction } from './transaction-row.ts'

/** Receives the rows and bank entries of a file. */
export interface Emit {
  row(row: SettlementRow, fail: Fail): void
  bankEntry(bankEntry: BankEntry, fail: Fail): void
}

/** A booked entry while its transactions are read. */
export interface OpenEntry {
  transaction(group: Group, fail: Fail): void
  end(fail: Fail): void
}

/** @param entry the facts of the entry, which precede its transactions */
export function openEntry(entry: BookedEntry, emit: Emit): OpenEntry {
  const { bookingCode } = entry
  let transactionCount = 0
  let sumMinor = 0
  let onlyEndToEndId: string | undefined
  /** The only transaction, if it states no amount: its amount is that of the entry. */
  let withoutAmount: Group | undefined

  const read = (group: Group, fail: Fail): void => {
    const { bookedMinor = entry.amountMinor, bookedCurrency = entry.currency } = group.values
    if (bookedCurrency !== entry.currency) fail('CURRENCY', 'Amt')
    const direction = directionOf(group.values) ?? entry.direction
    const endToEndId = textOf(group.values['endToEndId'])
    const transaction = { bookedMinor: Number(bookedMinor), direction, endToEndId, group }
    sumMinor += signed(transaction.bookedMinor, direction)
    if (!Number.isSafeInteger(sumMinor)) fail('TOTAL', 'Amt')
    onlyEndToEndId = transactionCount === 1 ? endToEndId : undefined
    const code = group.values['domain'] === undefined ? entry.code : codeOf(group.values)
    const known = findBookingCode(code, entry.isReversal, direction)
    if (known?.row && isRow(known, transaction)) emit.row(rowOfTransaction(known.row, entry, transaction, fail), fail)
    if (!bookingCode?.isSplit) return
    const part = { amountMinor: transaction.bookedMinor, direction, line: group.line }
    emit.bankEntry(bankEntryOf(entry, part, endToEndId, textOf(group.values['reason'])), fail)
  }

  return {
    transaction(group, fail) {
      const hasAmount = group.values['bookedMinor'] !== undefined
      if (withoutAmount || (!hasAmount && transactionCount > 0)) fail('MISSING', 'Amt')
      transactionCount++
      if (hasAmount) read(group, fail)
      else withoutAmount = group
    },
    end(fail) {
      if (withoutAmount) read(withoutAmount, fail)
      if (transactionCount === 0) {
        if (bookingCode?.row && bookingCode.isRowWithoutDetails)
          emit.row(rowOfEntry(bookingCode.row, entry, fail), fail)
      } else if (sumMinor !== signed(entry.amountMinor, entry.direction)) fail('TOTAL', 'Amt')
      if (transactionCount === 0 || !bookingCode?.isSplit)
        emit.bankEntry(bankEntryOf(entry, entry, onlyEndToEndId), fail)
    },
  }
}

const isRow = ({ needsPaymentId }: BookingCode, { endToEndId }: Transaction): boolean => {
  if (!needsPaymentId) return true
  const member = endToEndId === undefined ? undefined : memberOfEndToEndId(endToEndId)
  return member === 'uniqueId' || member === 'shortId'
}
