import type { StatementFault } from '@tollgate/domain'
import {
  detectFormat,
  type FileEntry,
  type FileFault,
  type FileFormat,
  fileFormats,
  type FileSummary,
  readSettlementFile,
} from '@tollgate/settlement-files'
import type { CompareAndSet, SettlementFileRow, SettlementMatchingRow, SettlementRowRow, Unit } from '@tollgate/storage'
import { Type } from 'typebox'
import type { BackgroundTask } from '../background-task.ts'
import { newBankEntries } from '../bank/new-bank-entries.ts'
import { commitChange } from '../commit-change.ts'
import { type BusyWatchParts, watchBusy } from '../busy-watch.ts'
import type { Context } from '../context.ts'
import { ledgerDays } from '../ledger/daily-sums.ts'
import { limits } from '../limits.ts'
import { isOneOf, narrow } from '../narrow.ts'
import { optional, storedReader } from '../records/stored-json.ts'
import { isBooked } from './bank-bookings.ts'
import { matchingVersion, nextVersion } from './matching-version.ts'
import { readContent } from './file-content.ts'
import { derivedRows } from './derived-rows.ts'
import { type FilePage, pagesOf } from './file-pages.ts'
import { refundTransfers } from './refund-transfers.ts'
import { type NumberedRow, type SettledRows, settledRows } from './settled-rows.ts'
import { statementPlace } from './statement-chain.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'directory' | 'clock' | 'ids' | 'log'>

const isFileFormat = isOneOf(fileFormats)

/**
 * Reads received settlement files. A file is first read as a whole and, unless it is valid, quarantined, so that no
 * part of an invalid file has an effect. Then its rows are stored and matched, page by page: the rows of a page, their
 * entries of the ledger and the progress of the file are one unit, so that a killed process continues after the last
 * stored page.
 */
export function readFiles(dependencies: Dependencies & BusyWatchParts): BackgroundTask {
  const nextPauseFactor = watchBusy(dependencies)
  const last: CheckedEntries = { contentId: '', entries: [] }
  let open: OpenFile | undefined
  let pauseFactor = 1
  return {
    name: 'settlement files',
    everyMs: limits.settlementEveryMs,
    get pauseMs() {
      return pauseFactor * limits.settlementBusyPauseMs
    },
    async step() {
      const file = open ?? (await openNext(dependencies, last))
      if (!file) {
        pauseFactor = nextPauseFactor()
        return 'done'
      }
      // After a failed step the file is opened again: the rows of the step were read, but not stored.
      open = undefined
      if (await file.next(pauseFactor > 0 ? limits.settlementRowsPerStep : limits.settlementRowsPerIdleStep))
        open = file
      pauseFactor = nextPauseFactor()
      return 'more'
    },
  }
}

/** A file that is being read. */
interface OpenFile {
  /**
   * Reads the next part.
   *
   * @param rowsMax the maximum of its rows
   * @returns false when the file is read to its end, or was changed by another process
   */
  next(rowsMax: number): Promise<boolean>
}

/** The entries of the file that was checked last, so that a file of a usual size is parsed once. */
interface CheckedEntries {
  contentId: string
  entries: FileEntry[]
}

async function openNext(dependencies: Dependencies, last: CheckedEntries): Promise<OpenFile | undefined> {
  const { storage } = dependencies
  const [checked] = await storage.settlementFilesIn('checked', 1)
  if (checked) return storing(dependencies, checked, last)
  const [received] = await storage.settlementFilesIn('received', 1)
  return received && checking(dependencies, received, last)
}

/** Reads a received file to its end, and stores whether it is valid. */
function checking(dependencies: Dependencies, file: SettlementFileRow, last: CheckedEntries): OpenFile {
  let parts: AsyncIterator<readonly FileEntry[]> | undefined
  last.contentId = file.content_id
  last.entries = []
  return {
    async next(rowsMax) {
      if (!parts) {
        const format = await formatOf(dependencies, file)
        if (!format) return quarantine(dependencies, file, { reason: 'FORMAT', line: 1, column: 1 })
        parts = readSettlementFile(format, readContent(dependencies, file.content_id))[Symbol.asyncIterator]()
      }
      for (let count = 0; count < rowsMax; ) {
        const { value: entries, done } = await parts.next()
        if (done === true) return false
        for (const entry of entries) {
          if (entry.kind === 'fault') return quarantine(dependencies, file, entry)
          if (entry.kind === 'summary') return accept(dependencies, file, entry)
          if (last.entries.push(entry) > limits.settlementRowsKept) forget(last)
        }
        count += entries.length
      }
      return true
    },
  }
}

function forget(last: CheckedEntries): void {
  last.contentId = ''
  last.entries = []
}

async function formatOf(
  dependencies: Dependencies,
  { content_id: id }: SettlementFileRow,
): Promise<FileFormat | undefined> {
  for await (const part of readContent(dependencies, id)) return detectFormat(part)
  return undefined
}

/** The reasons of a quarantine that are no faults of the format. */
type QuarantineReason = FileFault['reason'] | 'FORMAT' | 'REPEATED_ID' | StatementFault['reason']

type Quarantine = Omit<FileFault, 'kind' | 'reason'> & {
  readonly reason: QuarantineReason
  /** What the field had to state. Never a value of the file. */
  readonly expected?: string
}

async function quarantine(
  dependencies: Dependencies,
  from: SettlementFileRow,
  { reason, line, column, field, expected }: Quarantine,
  stated: Partial<SettlementFileRow> = {},
): Promise<false> {
  const fault = JSON.stringify({ reason, line, column, field, expected })
  dependencies.log.error({ settlementFile: from.id, reason, line, column })
  await changeFile(dependencies, from, { ...stated, state: 'quarantined', fault })
  return false
}

async function accept(dependencies: Dependencies, from: SettlementFileRow, summary: FileSummary): Promise<false> {
  const { kind: _kind, format, institute = null, fileId, rowCount, ...facts } = summary
  const namesakes = institute === null ? [] : await dependencies.storage.settlementFilesNamed(institute, fileId)
  if (namesakes.some(({ id, state }) => id !== from.id && state !== 'quarantined'))
    return quarantine(dependencies, from, { reason: 'REPEATED_ID', line: 1, column: 1 })
  const place = await statementPlace(dependencies, summary)
  const { statement = null, fault, released: compareAndSets } = place ?? {}
  const stated = { format, institute, file_id: fileId, facts: JSON.stringify(facts), rows: rowCount, statement }
  if (fault) return quarantine(dependencies, from, { ...fault, line: 1, column: 1 }, stated)
  await changeFile(dependencies, from, { ...stated, state: 'checked' }, compareAndSets)
  return false
}

const changeFile = (
  dependencies: Dependencies,
  from: SettlementFileRow,
  changes: Partial<SettlementFileRow>,
  others: readonly CompareAndSet[] = [],
): Promise<boolean> => {
  const to = { ...from, ...changes, changed_at_ms: dependencies.clock.now() }
  return commitChange(dependencies, { compareAndSets: [{ table: 'settlement_file', from, to }, ...others] })
}

/**
 * Stores and matches the rows of a checked file, from the last stored row on. A row about a booking of a bank that
 * another file has stated is not stored: it counts once. The facts of the file have the number of such rows.
 *
 * A page is committed while the next one is matched, as if its rows were stored. If its unit is not committed, neither
 * is that of the next page, because both change the file and the version of the matches.
 */
function storing(dependencies: Dependencies, first: SettlementFileRow, last: CheckedEntries): OpenFile {
  let file = first
  let committed = Promise.resolve(true)
  let pending: readonly SettlementRowRow[] = []
  let pageRows = 0
  let pages: AsyncIterator<FilePage> | undefined
  let version: SettlementMatchingRow | undefined
  return {
    async next(rowsMax) {
      pageRows = rowsMax
      const isKept = file.content_id === last.contentId
      pages ??= pagesOf(isKept ? [last.entries] : readChecked(dependencies, file), file, () => pageRows)
      const { value: page, done } = await pages.next()
      if (done === true) return false
      version ??= await matchingVersion(dependencies)
      const added = await withoutBooked(dependencies, file.id, page.rows)
      const transfers = await refundTransfers(dependencies, sourceOf(file), file, page.bankEntries)
      const refunds = await withoutBooked(dependencies, file.id, transfers.rows)
      const settled = await settledRows(dependencies, file, [...added, ...refunds], pending)
      const bank = await newBankEntries(dependencies, sourceOf(file), transfers.bankEntries)
      const changes = {
        rows_read: file.rows_read + page.rows.length,
        bank_entries_read: (file.bank_entries_read ?? 0) + page.bankEntries.length,
        facts: factsWith(file, page.rows.length - added.length),
        ...(page.isLast && { state: 'read' }),
      }
      const next = nextVersion(version)
      const rows = { ...withPostings(await unitRowsOf(dependencies, settled), bank.rows), ...next.rows }
      if (!(await committed)) return false
      const from = file
      file = { ...file, ...changes, changed_at_ms: dependencies.clock.now() }
      version = next.to
      const compareAndSets = [
        { table: 'settlement_file' as const, from, to: file },
        ...bank.compareAndSets,
        ...next.compareAndSets,
      ]
      committed = commitChange(dependencies, { compareAndSets, rows })
      // The failure is that of the next step.
      committed.catch(() => undefined)
      pending = settled.rows
      if (!page.isLast) return true
      if (await committed) forget(last)
      return false
    },
  }
}

async function withoutBooked(
  dependencies: Dependencies,
  fileId: string,
  rows: readonly NumberedRow[],
): Promise<readonly NumberedRow[]> {
  if (rows.every(({ booking }) => booking === null)) return rows
  const areBooked = await Promise.all(rows.map(({ booking }) => isBooked(dependencies, fileId, booking)))
  return rows.filter((_, index) => areBooked[index] !== true)
}

const readRepeated = storedReader(Type.Object({ repeatedRows: optional(Type.Integer()) }))

/** The facts of a file after some more of its rows were not stored. */
function factsWith({ facts }: SettlementFileRow, count: number): string | null {
  if (count === 0 || facts === null) return facts
  const { repeatedRows = 0, ...others } = readRepeated(facts)
  return JSON.stringify({ ...others, repeatedRows: repeatedRows + count })
}

const readFacts = storedReader(Type.Object({ account: optional(Type.String()) }))

const sourceOf = ({ id: fileId, facts }: SettlementFileRow) => ({
  fileId,
  account: readFacts(facts ?? '{}').account ?? '',
})

/** The rows of two parts of a unit, whose daily sums may have the same keys. */
function withPostings(a: Unit['rows'], b: Unit['rows']): Unit['rows'] {
  const posting = [...(a.posting ?? []), ...(b.posting ?? [])]
  return { ...a, ...b, posting, ledger_day: ledgerDays(posting) }
}

/** New rows with the rows that follow from them. */
async function unitRowsOf(dependencies: Dependencies, { rows, transactions }: SettledRows): Promise<Unit['rows']> {
  const changes = rows.map((to) => ({ to }))
  return { settlement_row: rows, ...(await derivedRows(dependencies, changes, transactions)) }
}

function readChecked(
  dependencies: Dependencies,
  { format, content_id: id }: SettlementFileRow,
): AsyncIterable<readonly FileEntry[]> {
  const known = narrow(isFileFormat, format ?? '')
  return readSettlementFile(known, readContent(dependencies, id))
}
