import { bankMinorOf } from '@tollgate/domain'
import type { FileEntry } from '@tollgate/settlement-files'
import type { SettlementFileRow } from '@tollgate/storage'
import { bookingKeyOf, type NumberedEntry } from '../bank/new-bank-entries.ts'
import { bankBookings } from './bank-bookings.ts'
import type { NumberedRow } from './settled-rows.ts'

/** Rows and bank entries that one unit stores. */
export interface FilePage {
  readonly rows: readonly NumberedRow[]
  readonly bankEntries: readonly NumberedEntry[]
  readonly isLast: boolean
}

/**
 * The pages of a file after the rows and bank entries that are stored.
 *
 * @param lists the entries of the file, in lists
 * @param rowsMax the maximum of rows and bank entries of the next page
 */
export async function* pagesOf(
  lists: AsyncIterable<readonly FileEntry[]> | Iterable<readonly FileEntry[]>,
  file: SettlementFileRow,
  rowsMax: () => number,
): AsyncGenerator<FilePage> {
  const { rows_read: rowsRead, bank_entries_read: bankEntriesRead } = file
  const bookingOf = bankBookings(file)
  const occurrences = new Map<string, number>()
  let page = { rows: [] as NumberedRow[], bankEntries: [] as NumberedEntry[] }
  let [rows, bankEntries, rowsMinor] = [0, 0, 0]
  for await (const entries of lists)
    for (const entry of entries) {
      if (entry.kind === 'row') {
        rows += 1
        rowsMinor += bankMinorOf(entry.row)
        const booking = bookingOf(entry.row)
        if (rows > rowsRead) page.rows.push({ number: rows, row: entry.row, booking })
      } else if (entry.kind === 'bank entry') {
        bankEntries += 1
        const key = bookingKeyOf(entry.bankEntry)
        const occurrence = occurrences.get(key) ?? 0
        occurrences.set(key, occurrence + 1)
        if (bankEntries > (bankEntriesRead ?? 0))
          page.bankEntries.push({ number: bankEntries, occurrence, rowsMinor, entry: entry.bankEntry })
        rowsMinor = 0
      }
      if (page.rows.length + page.bankEntries.length < rowsMax()) continue
      yield { ...page, isLast: false }
      page = { rows: [], bankEntries: [] }
    }
  yield { ...page, isLast: true }
}
