import type { SettlementRow } from './settlement-row.ts'

/**
 * The text that identifies a row among the bookings of a bank account: the same in all messages about the booking, such
 * as the notification of the day (camt.054) and its statement (camt.053). References that a bank may omit in one of the
 * messages are not a part of it.
 *
 * @param account the number of the account
 * @returns undefined if the message does not name the booking
 */
export function bankBookingOf(row: SettlementRow, account: string): string | undefined {
  if (row.settlementId === undefined) return undefined
  return JSON.stringify([
    account,
    row.settlementId,
    row.settledOn,
    row.kind,
    row.type,
    row.cashflow,
    row.settlementAmountMinor,
    row.settlementCurrency,
    row.uniqueId ?? row.shortId ?? row.merchantTransactionId,
  ])
}
