import type { SettlementRow } from '@tollgate/domain'
import type { FileFault } from './file-fault.ts'
import type { Total } from './totals.ts'

/** The formats of settlement files. */
export const fileFormats = ['tollgate-csv', 'camt.053', 'camt.054', 'fixed-width'] as const

export type FileFormat = (typeof fileFormats)[number]

/** The facts about a file that its header states. */
export interface FileFacts {
  /** The name of the clearing institute or bank; camt may omit it. */
  readonly institute?: string | undefined
  /** The institute's id of the file, at most 35 characters. */
  readonly fileId: string
  /** The number of the file among those of its account or merchant; camt may omit it. */
  readonly sequence?: number | undefined
  /** The day on which the file was created, yyyy-MM-dd. */
  readonly createdOn: string
  /** The day of settlement, yyyy-MM-dd; in camt the day of the closing balance or, without one, of the last entry. */
  readonly settledOn: string
  /** The time zone of the merchant, such as `Europe/Berlin`; tollgate-csv only. */
  readonly zone?: string | undefined
  /** The number of the bank account; camt only, which requires it. */
  readonly account?: string | undefined
  /** The balances of the account in minor units, negative for a debit; camt.053 only. */
  readonly openingMinor?: number | undefined
  readonly closingMinor?: number | undefined
  /** The currency of the account; camt only. */
  readonly currency?: string | undefined
}

/** The kinds of bookings on a bank account. */
export type Booking =
  | 'COLLECTION'
  | 'RETURN'
  | 'RETURN REVERSAL'
  | 'INCOMING TRANSFER'
  | 'PAYOUT'
  | 'PAYOUT RETURN'
  | 'CHARGES'
  | 'OTHER'

/**
 * A booking on a bank account, for the reconciliation of the account; camt only. Each booked entry of a file is one
 * bank entry, except that each payout of a batch is one. A booking of transactions is also one or more rows.
 */
export interface BankEntry {
  readonly booking: Booking
  /** Minor units, not negative. */
  readonly amountMinor: number
  readonly currency: string
  /** CREDIT: the balance of the account grows. */
  readonly direction: 'CREDIT' | 'DEBIT'
  /** Days, yyyy-MM-dd. */
  readonly bookedOn: string
  readonly valueOn?: string | undefined
  /** The bank's id of the booking, which the rows of the booking have as `settlementId`. */
  readonly reference?: string | undefined
  /** The id of the transaction, given by the party that ordered it; absent for a batch. */
  readonly endToEndId?: string | undefined
  /** The reason of a return, such as `AC04`. */
  readonly reason?: string | undefined
  /** The line of the file, from 1. */
  readonly line: number
}

/** The content of a file besides its facts. */
export interface FileContent {
  readonly rows: readonly SettlementRow[]
  /** Bookings on a bank account that are no rows, such as payouts; camt only. */
  readonly bankEntries?: readonly BankEntry[]
}

/** The end of a valid file: its facts, and what its rows add up to. */
export interface FileSummary extends FileFacts {
  readonly kind: 'summary'
  readonly format: FileFormat
  readonly rowCount: number
  readonly bankEntryCount: number
  /** Sums of the settlement amounts of the rows, before fees, sorted by currency and direction. */
  readonly totals: readonly Total[]
}

/** A part of a file, in the order of the file. The last one is a summary or a fault. */
export type FileEntry =
  | { readonly kind: 'row'; readonly row: SettlementRow }
  | { readonly kind: 'bank entry'; readonly bankEntry: BankEntry }
  | FileSummary
  | FileFault
