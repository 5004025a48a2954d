import { createHash } from 'node:crypto'
import { bankBookingOf, type SettlementRow } from '@tollgate/domain'
import type { SettlementFileRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { optional, storedReader } from '../records/stored-json.ts'

/** The name of the booking of a row, hex; null if the row states no booking of a bank account. */
type NameBooking = (row: SettlementRow) => string | null

const readFacts = storedReader(Type.Object({ account: optional(Type.String()) }))

/**
 * Names the bookings of a file, whose rows are given in their order from the first one. Several equal rows of a booking
 * have names of their own, so that they are the same number of rows in each message about it. Their number is counted
 * for the first `limits.bookingRowsCounted` different rows of a booking.
 */
export function bankBookings({ facts }: Pick<SettlementFileRow, 'facts'>): NameBooking {
  const { account } = readFacts(facts ?? '{}')
  if (account === undefined) return () => null
  let settlementId: string | undefined
  const counts = new Map<string, number>()
  return (row) => {
    if (row.settlementId !== settlementId) counts.clear()
    settlementId = row.settlementId
    const booking = bankBookingOf(row, account)
    if (booking === undefined) return null
    const count = (counts.get(booking) ?? 0) + 1
    if (count > 1 || counts.size < limits.bookingRowsCounted) counts.set(booking, count)
    return createHash('sha256').update(`${count} ${booking}`).digest('hex').slice(0, NAME_DIGITS)
  }
}

const NAME_DIGITS = 32

/** Whether a row of another file is stored that states the same booking. */
export async function isBooked(
  { storage }: Pick<Context, 'storage'>,
  fileId: string,
  booking: string | null,
): Promise<boolean> {
  if (booking === null) return false
  return (await storage.settlementRowsBooked(booking)).some((row) => row.file_id !== fileId)
}
