import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clearing } from '@tollgate/connectors'
import {
  InvariantError,
  recordHeader,
  recordLine,
  type RecordOptions,
  type ReconciliationRecord,
} from '@tollgate/contract'
import {
  addDays,
  reconciliationRecord,
  type RecordedPayment,
  type RecordedVerdict,
  type RecordEntities,
  type SettlementSource,
} from '@tollgate/domain'
import type { RecordRow, SettlementFileRow, TransactionRow } from '@tollgate/storage'
import { Type } from 'typebox'
import { clearedConnectors, clearingOf } from '../acquirer/clearing-of.ts'
import { watchBusy } from '../busy-watch.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { memoizeLast } from '../memoize-last.ts'
import { storedReader } from '../records/stored-json.ts'
import { waitForLull } from '../wait.ts'
import { chargebackResults } from './chargeback-result.ts'
import { lineBytes } from './line-bytes.ts'
import { paymentReferencesOf, recordedPayment } from './recorded-payment.ts'
import { type RowWithPayment, rowsWithPayment } from './stored-row.ts'

type Dependencies = Pick<Context, 'storage' | 'directory' | 'acquirers'>

/** The rows of a merchant that were settled in a period. */
export interface RecordSearch extends RecordOptions {
  readonly merchant: string
  /** yyyy-MM-dd, both inclusive. */
  readonly from: string
  readonly to: string
}

/**
 * The reconciliation file of a merchant: the header, and a line for each row, in the order of settlement (contract,
 * Reconciliation record). Each piece is a page of lines, so that the memory does not grow with the file.
 */
export async function* recordLines(
  dependencies: Dependencies & Pick<Context, 'commands' | 'eventLoop'>,
  search: RecordSearch,
): AsyncGenerator<Uint8Array> {
  const { merchant, from, to, ...options } = search
  const linesOf = recordPages(dependencies, options)
  const nextPauseFactor = watchBusy(dependencies)
  const waitBesidePayments = waitForLull(dependencies.eventLoop)
  const readAfter = async ({ settled_on: day, file_id: file, number }: RecordPosition, isBusy: boolean) => {
    const max = isBusy ? limits.recordsPerPage : limits.recordsPerIdlePage
    return dependencies.storage.merchantSettlementRowsAfter(merchant, to, day, file, number, max)
  }
  yield Buffer.from(recordHeader(options))
  let page = await readAfter({ settled_on: addDays(from, -1), file_id: AFTER_ALL, number: 0 }, true)
  for (let last = page.at(-1); last; last = page.at(-1)) {
    const pauseFactor = nextPauseFactor()
    const isBusy = pauseFactor > 0
    // While there are no payments, a server reads the next page while this one is written.
    const next = isBusy ? undefined : readAfter(last, false)
    next?.catch(() => undefined)
    yield await linesOf(page, merchant)
    await (isBusy ? waitBesidePayments(pauseFactor * limits.recordsBusyPauseMs) : nextTurn())
    page = await (next ?? readAfter(last, true))
  }
}

/** The place of a row in the order of settlement. */
type RecordPosition = Pick<RecordRow, 'settled_on' | 'file_id' | 'number'>

/**
 * The lines of pages of rows.
 *
 * @returns a function that writes the lines of a page of rows of a merchant, each with its LF, in UTF-8
 */
export function recordPages(
  dependencies: Dependencies,
  options: RecordOptions,
): (page: readonly RecordRow[], merchant: string) => Promise<Buffer> {
  const recordsOf = recordMaker(dependencies)
  return async (page, merchant) => {
    const { add, bytes } = lineBytes(page.length)
    for (let start = 0; start < page.length; start += limits.recordsAtOnce) {
      // The driver of the server sends and receives in turns of the event loop: the next page is read meanwhile.
      await nextTurn()
      for (const record of await recordsOf(page.slice(start, start + limits.recordsAtOnce), merchant))
        add(recordLine(record, options))
    }
    return bytes()
  }
}

/**
 * The records of pages of rows. The settlement files of the rows are read once.
 *
 * @returns a function that makes the records of a page of rows of a merchant
 */
export function recordMaker(
  dependencies: Dependencies,
): (page: readonly RecordRow[], merchant: string) => Promise<readonly ReconciliationRecord[]> {
  const files = new Map<string, SettlementFileRow | undefined>()
  const clearings = clearingsByMerchant(dependencies)
  return async (page, merchant) => {
    let lastFileId = ''
    for (const { file_id: fileId } of page) {
      if (fileId !== lastFileId && !files.has(fileId))
        files.set(fileId, await dependencies.storage.settlementFile(fileId))
      lastFileId = fileId
    }
    const rows = rowsWithPayment(page)
    const read = page.map((stored, index) => ({ stored, row: rowAt(rows, index) }))
    const facts = {
      sourceOf: sourcesOf(files, clearings),
      entitiesOf: memoizeLast((channel: string) => entitiesOf(dependencies, merchant, channel)),
      transactions: await transactionsOf(dependencies, page, rows),
      resultOf: await chargebackResults(dependencies.storage, read),
    }
    return read.map((each) => recordOf(each, facts))
  }
}

/** Sorts after all ids of files. */
const AFTER_ALL = 'g'

/** A row as it is stored and as it was read. */
interface ReadRow {
  readonly stored: RecordRow
  readonly row: RowWithPayment
}

function rowAt(rows: readonly RowWithPayment[], index: number): RowWithPayment {
  const row = rows[index]
  if (row) return row
  throw new InvariantError('each stored row is read')
}

/** The transactions of matched rows without references: a snapshot has matches that were undone since. */
async function transactionsOf(
  { storage }: Dependencies,
  page: readonly RecordRow[],
  rows: readonly RowWithPayment[],
): Promise<ReadonlyMap<string, TransactionRow>> {
  const ids = new Set<string>()
  for (const [index, { transaction_id: id }] of page.entries())
    if (id !== null && rows[index]?.payment === undefined) ids.add(id)
  const transactions = ids.size === 0 ? [] : await storage.transactions([...ids])
  return new Map(transactions.map((row) => [row.id, row]))
}

function recordOf(read: ReadRow, facts: PageFacts): ReconciliationRecord {
  const { stored, row } = read
  const { transaction_id: id } = stored
  return reconciliationRecord({
    row,
    source: facts.sourceOf(stored, row.clearingMerchantId),
    entities: facts.entitiesOf(stored.channel),
    verdict: verdictOf(stored),
    payment: id === null ? undefined : paymentOf(id, row, facts.transactions),
    chargebackId: stored.chargeback_id ?? undefined,
    chargeback: facts.resultOf(read),
  })
}

function paymentOf(
  id: string,
  row: RowWithPayment,
  transactions: ReadonlyMap<string, TransactionRow>,
): RecordedPayment | undefined {
  if (row.payment) return recordedPayment(id, row.payment)
  const transaction = transactions.get(id)
  return transaction && recordedPayment(id, paymentReferencesOf(row, transaction))
}

/** What the records of a page have in common. Rows that follow each other usually have the same source and channel. */
interface PageFacts {
  readonly sourceOf: (stored: RecordRow, clearingMerchantId: string) => SettlementSource
  readonly entitiesOf: (channel: string) => RecordEntities
  readonly transactions: ReadonlyMap<string, TransactionRow>
  readonly resultOf: Awaited<ReturnType<typeof chargebackResults>>
}

/** The institutes that wrote the rows of files. */
function sourcesOf(
  files: ReadonlyMap<string, SettlementFileRow | undefined>,
  clearings: ReadonlyMap<string, Clearing>,
): PageFacts['sourceOf'] {
  let last: { readonly fileId: string; readonly merchantId: string; readonly source: SettlementSource } | undefined
  return ({ file_id: fileId, settled_on: settledOn }, merchantId) => {
    if (last?.fileId !== fileId || last.merchantId !== merchantId) {
      const [file, clearing] = [files.get(fileId), clearings.get(merchantId)]
      const source = {
        instituteName: file?.institute ?? clearing?.institute ?? merchantId,
        format: file?.format ?? '',
        timeZone: clearing?.cutOff.timeZone ?? 'UTC',
        readAtMs: file?.created_at_ms ?? Date.parse(settledOn),
      }
      last = { fileId, merchantId, source }
    }
    return last.source
  }
}

function clearingsByMerchant({ acquirers }: Dependencies): ReadonlyMap<string, Clearing> {
  const clearings = new Map<string, Clearing>()
  for (const name of clearedConnectors(acquirers)) {
    const clearing = clearingOf(acquirers, name)
    if (clearing && !clearings.has(clearing.merchantId)) clearings.set(clearing.merchantId, clearing)
  }
  return clearings
}

/** The entities of the rows of a merchant's channel: those above it, too. */
function entitiesOf({ directory }: Dependencies, merchant: string, channel: string): RecordEntities {
  const division = parentOf(directory, merchant)
  const psp = division?.kind === 'division' ? parentOf(directory, division.id) : division
  return {
    pspId: psp?.id ?? merchant,
    divisionId: division?.kind === 'division' ? division.id : undefined,
    merchantId: merchant,
    merchantAccountId: channel,
    merchantAccountName: directory.entity(channel)?.name,
  }
}

function parentOf(directory: Dependencies['directory'], id: string) {
  const parentId = directory.entity(id)?.parent_id
  return parentId === null || parentId === undefined ? undefined : directory.entity(parentId)
}

const readIds = storedReader(Type.Array(Type.String()))

function verdictOf({ status, transaction_id: id, candidates }: RecordRow): RecordedVerdict {
  if (status === 'MATCHED') return { status, id: id ?? undefined }
  if (status === 'MULTIPLE_MATCHES') return { status, ids: readIds(candidates ?? '[]') }
  return { status: 'NOT_MATCHED' }
}
