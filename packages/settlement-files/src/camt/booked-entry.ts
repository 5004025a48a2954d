import { isAmount } from '@tollgate/domain'
import type { BankEntry } from '../file-entry.ts'
import type { Value } from '../value-kinds.ts'
import { type BookingCode, type Direction, findBookingCode } from './booking-codes.ts'
import type { Fail, Group } from './read-groups.ts'

/** The facts of a booked entry, which its transactions share. */
export interface BookedEntry {
  readonly account: string
  readonly amountMinor: number
  readonly currency: string
  readonly direction: Direction
  readonly isReversal: boolean
  readonly bookedOn: string
  readonly valueOn: string | undefined
  readonly reference: string | undefined
  readonly code: readonly (string | undefined)[]
  /** The meaning of its code; undefined: an entry without rows. */
  readonly bookingCode: BookingCode | undefined
  readonly line: number
}

/** The facts of an entry from its elements; undefined if the entry is not booked, so that it does not count. */
export function bookedEntryOf({ values, line }: Group, account: string, fail: Fail): BookedEntry | undefined {
  if (values['status'] !== 'BOOK') return undefined
  const amountMinor = Number(values['amountMinor'])
  if (!isAmount(amountMinor)) fail('AMOUNT', 'Amt')
  const direction = directionOf(values) ?? 'CRDT'
  const isReversal = values['isReversal'] === 'true' || values['isReversal'] === '1'
  const code = codeOf(values)
  return {
    account,
    amountMinor,
    currency: String(values['currency']),
    direction,
    isReversal,
    bookedOn: textOf(values['bookedOn'] ?? values['bookedOnByTime']) ?? fail('MISSING', 'BookgDt'),
    valueOn: textOf(values['valueOn'] ?? values['valueOnByTime']),
    reference: textOf(values['reference'] ?? values['entryReference']),
    code,
    bookingCode: findBookingCode(code, isReversal, direction),
    line,
  }
}

/** The bank entry of an entry or, if it is split, of one of its transactions. */
export function bankEntryOf(
  entry: BookedEntry,
  { amountMinor, direction, line }: Pick<BookedEntry, 'amountMinor' | 'direction' | 'line'>,
  endToEndId: string | undefined,
  reason?: string,
): BankEntry {
  const { bookingCode, currency, bookedOn, valueOn, reference } = entry
  return {
    booking: bookingCode?.booking ?? 'OTHER',
    amountMinor,
    currency,
    direction: direction === 'CRDT' ? 'CREDIT' : 'DEBIT',
    bookedOn,
    ...(valueOn !== undefined && { valueOn }),
    ...(reference !== undefined && { reference }),
    ...(endToEndId !== undefined && endToEndId !== NOT_PROVIDED && { endToEndId }),
    ...(reason !== undefined && { reason }),
    line,
  }
}

/** The EndToEndId of a transaction whose orderer gave it none. */
export const NOT_PROVIDED = 'NOTPROVIDED'

export const directionOf = ({ direction }: Group['values']): Direction | undefined =>
  direction === 'CRDT' || direction === 'DBIT' ? direction : undefined

/** The domain, family and sub-family of a bank transaction code. */
export const codeOf = ({ domain, family, subFamily }: Group['values']): BookedEntry['code'] =>
  [domain, family, subFamily].map(textOf)

export const textOf = (value: Value | undefined): string | undefined =>
  value === undefined ? undefined : String(value)

export const signed = (amountMinor: number, direction: Direction): number =>
  direction === 'CRDT' ? amountMinor : -amountMinor
