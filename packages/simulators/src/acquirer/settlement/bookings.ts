import { limits } from '../../limits.ts'
import { BoundedMap } from '../bounded-map.ts'
import type { HostTransaction, TotalItem } from '../transaction.ts'

/** The fees for single messages, as settlement files name them. */
export type TransactionFee = 'AUTH_FEE' | 'CAPTURE_FEE' | 'CANCEL_FEE' | 'REFUND_FEE'

export type DisputeStage = 'CHARGEBACK' | 'CHARGEBACK REVERSAL'

/** An open chargeback of a debit. */
export interface Chargeback {
  readonly amountMinor: number
  /** The reason code of the network. */
  readonly reason: string
}

/** A line of the host's books. Amounts are in minor units of the transaction's currency. */
interface BookingLine {
  readonly transaction: HostTransaction
  /** The business day whose settlement file contains the line. */
  readonly businessDay: string
  readonly atMs: number
}

/** A posting implies the fee for its message; other messages have lines for their fees. */
export type Booking =
  | (BookingLine & { readonly kind: 'posting'; readonly item: TotalItem; readonly amountMinor: number })
  | (BookingLine & { readonly kind: 'fee'; readonly fee: TransactionFee })
  | (BookingLine & { readonly kind: 'dispute'; readonly stage: DisputeStage } & Chargeback)

/** The books of the host, the oldest booking first. */
export interface Bookings {
  readonly rows: Map<number, Booking>
  /** The business day of the first booking; undefined before it. */
  firstDay: string | undefined
  /** The last business day of which a booking was dropped. */
  droppedDay: string | undefined
  /** The last business day whose file was written into the folder. */
  deliveredDay: string | undefined
  lastNumber: number
}

export function createBookings(): Bookings {
  const bookings: Bookings = {
    rows: new BoundedMap(limits.acquirerBookingsMax, ({ businessDay }) => {
      bookings.droppedDay = businessDay
    }),
    firstDay: undefined,
    droppedDay: undefined,
    deliveredDay: undefined,
    lastNumber: 0,
  }
  return bookings
}

export function addBooking(bookings: Bookings, booking: Booking): void {
  bookings.firstDay ??= booking.businessDay
  bookings.lastNumber += 1
  bookings.rows.set(bookings.lastNumber, booking)
}
