import { addDays, daysBetween, type SettlementRow } from '@tollgate/domain'
import { type BankEntry, type FileContent, type FileFormat, writeSettlementFile } from '@tollgate/settlement-files'
import type { BusinessDays } from '../business-day.ts'
import type { Bookings } from './bookings.ts'
import { settlementCurrency } from './exchange-rates.ts'
import { groupBy } from './group-by.ts'
import { type FileFaultName, fileFaults } from './row-faults.ts'
import { settlementAccountOf } from './settlement-account.ts'
import { settledOnOf, settlementRowsOf } from './settlement-rows.ts'

/** A format of files, as requests and file names have it. */
interface HostFileFormat {
  readonly format: FileFormat
  readonly extension: string
  readonly contentType: string
}

const XML = 'application/xml; charset=utf-8'

/** The formats of the host's files. */
export const hostFileFormats = {
  csv: { format: 'tollgate-csv', extension: 'csv', contentType: 'text/csv; charset=utf-8' },
  fixed: { format: 'fixed-width', extension: 'txt', contentType: 'text/plain; charset=utf-8' },
  camt053: { format: 'camt.053', extension: 'xml', contentType: XML },
  camt054: { format: 'camt.054', extension: 'xml', contentType: XML },
} as const satisfies Readonly<Record<string, HostFileFormat>>

export type HostFileFormatName = keyof typeof hostFileFormats

/** Whether a text is the name of a format. */
export const isHostFileFormatName = (name: string): name is HostFileFormatName => Object.hasOwn(hostFileFormats, name)

/** A file to write. The day is a business day, yyyy-MM-dd. */
export interface FileRequest {
  readonly day: string
  readonly format: HostFileFormatName
  /** The id of a merchant (field 42); undefined: all merchants in one file. */
  readonly merchant?: string | undefined
  readonly fault?: FileFaultName | undefined
}

/** The time zone of the host's cut-off, and its books. */
export interface FileSource {
  readonly bookings: Bookings
  readonly businessDays: BusinessDays
  readonly timeZone: string
}

/** Why there is no file of a day: it has not ended, the host had no transactions yet, or it has forgotten some. */
export type MissingFile = 'notEnded' | 'beforeFirstDay' | 'forgotten'

/** @param format camt.053 begins with the balance of all days before */
export function missingFileOf(
  { bookings: { firstDay, droppedDay }, businessDays }: FileSource,
  { day, format }: FileRequest,
  nowMs: number,
): MissingFile | undefined {
  if (businessDays.endOf(day) > nowMs) return 'notEnded'
  if (firstDay === undefined || day < firstDay) return 'beforeFirstDay'
  return droppedDay !== undefined && (day <= droppedDay || format === 'camt053') ? 'forgotten' : undefined
}

/**
 * The bytes of the settlement file of a business day: the same for the same request. The files of all merchants, and
 * those of each merchant, are numbered by days from the first day of the host.
 *
 * @throws RangeError if the format cannot express a value, such as a sum that is too large
 */
export function settlementFileOf({ bookings, timeZone }: FileSource, request: FileRequest): Buffer {
  const { day, format, merchant, fault } = request
  const { firstDay = day } = bookings
  const bookingsByDay = groupBy([...bookings.rows.values()], ({ businessDay }) => businessDay)
  const rowsOn = (businessDay: string): readonly SettlementRow[] =>
    settlementRowsOf(bookingsByDay.get(businessDay) ?? [], businessDay).filter(
      ({ clearingMerchantId }) => merchant === undefined || clearingMerchantId === merchant,
    )
  const contentOn = (businessDay: string): FileContent => {
    const rows = rowsOn(businessDay)
    if (fault === undefined) return contentIn(format, rows)
    return contentIn(format, fileFaults[fault].change({ businessDay, rows, earlier: rowsOn(addDays(businessDay, -1)) }))
  }
  const facts = {
    institute: INSTITUTE,
    fileId: merchant === undefined ? fileIdOf(day) : `${fileIdOf(day)}-${merchant}`,
    sequence: daysBetween(firstDay, day) + 1,
    createdOn: settledOnOf(day),
    settledOn: settledOnOf(day),
    zone: timeZone,
    account: settlementAccountOf(merchant),
    currency: settlementCurrency,
    openingMinor: format === 'camt053' ? openingMinorOf(firstDay, day, contentOn) : undefined,
  }
  const file = Buffer.concat([...writeSettlementFile(hostFileFormats[format].format, facts, contentOn(day))])
  return fault === 'truncated' ? file.subarray(0, Math.floor(file.length / 2)) : file
}

/** The id of the file of a business day with all merchants, which is also the start of its name. */
export const fileIdOf = (day: string): string => `TOLLGATE-${day.replaceAll('-', '')}`

const INSTITUTE = 'Tollgate test host'

/** The balance of the account at the beginning of a day: 0 on the first one. */
function openingMinorOf(firstDay: string, day: string, contentOn: (day: string) => FileContent): number {
  const days = Array.from({ length: daysBetween(firstDay, day) }, (_, index) => addDays(firstDay, index))
  return days.reduce((sum, earlier) => sum + netMinorOf(contentOn(earlier)), 0)
}

function netMinorOf({ rows, bankEntries = [] }: FileContent): number {
  const rowsMinor = rows.reduce((sum, row) => sum + bookedMinorOf(row), 0)
  return bankEntries.reduce(
    (sum, { direction, amountMinor }) => sum + (direction === 'CREDIT' ? amountMinor : -amountMinor),
    rowsMinor,
  )
}

/** The effect of a row on the balance: its amount, and its fee. */
const bookedMinorOf = ({ cashflow, settlementAmountMinor, feeMinor = 0 }: SettlementRow): number =>
  (cashflow === 'POS' ? settlementAmountMinor : -settlementAmountMinor) - feeMinor

/** The content of a file in a format, from all rows of its day. */
function contentIn(format: HostFileFormatName, rows: readonly SettlementRow[]): FileContent {
  switch (format) {
    case 'csv':
    case 'fixed':
      return { rows }
    case 'camt053':
    case 'camt054': {
      const ofAccount = rows.filter((row) => row.settlementCurrency === settlementCurrency).map(withoutOriginalData)
      const fees = ofAccount.filter(({ kind }) => kind === 'FEE')
      const others = ofAccount.filter(({ kind }) => kind !== 'FEE')
      return {
        rows: [...others.filter(hasBankCode), ...chargesOf(fees)],
        bankEntries: others.filter((row) => !hasBankCode(row)).map(bankEntryOf),
      }
    }
  }
}

/** References of camt have at most 35 characters; original data have 42. */
const withoutOriginalData = (row: SettlementRow): SettlementRow => ({ ...row, connectorTxId2: undefined })

/** Whether camt has a bank transaction code for a row. The others are bookings whose details it does not state. */
const hasBankCode = ({ kind, type, cashflow }: SettlementRow): boolean =>
  type === 'DEBIT' && (kind !== 'SETTLED' || cashflow === 'POS')

/** The fees of merchants: camt states the fees for messages and for the settlement as one charge. */
function chargesOf(fees: readonly SettlementRow[]): readonly SettlementRow[] {
  const groups = groupBy(fees, ({ clearingMerchantId, type }) => `${clearingMerchantId} ${type === 'MONTHLY'}`)
  return [...groups.values()].flatMap((group) => {
    const sumMinor = group.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
    return group.slice(-1).map((last) => ({ ...last, amountMinor: sumMinor, settlementAmountMinor: sumMinor }))
  })
}

const bankEntryOf = (row: SettlementRow): BankEntry => {
  const bookedMinor = bookedMinorOf(row)
  return {
    booking: 'OTHER',
    amountMinor: Math.abs(bookedMinor),
    currency: row.settlementCurrency,
    direction: bookedMinor < 0 ? 'DEBIT' : 'CREDIT',
    bookedOn: row.settledOn,
    reference: row.settlementId,
    endToEndId: row.connectorTxId1,
    line: 0,
  }
}
