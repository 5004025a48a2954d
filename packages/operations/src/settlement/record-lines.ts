import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clearing } from '@tollgate/connectors'
import { recordHeader, recordLine, type RecordOptions, type ReconciliationRecord } from '@tollgate/contract'
import { type MatchVerdict, reconciliationRecord, type RecordedPayment, type RecordEntities } from '@tollgate/domain'
import type { RecordRow, SettlementFileRow, TransactionRow } from '@tollgate/storage'
import { Type } from 'typebox'
import { clearedConnectors, clearingOf } from '../acquirer/clearing-of.ts'
import { watchBusy } from '../busy-watch.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { storedReader } from '../records/stored-json.ts'
import { wait } from '../wait.ts'
import { chargebackResults } from './chargeback-result.ts'
import { paymentReferencesOf, recordedPayment } from './recorded-payment.ts'
import { rowWithPayment } from './stored-row.ts'

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
  dependencies: Dependencies & Pick<Context, 'clock'>,
  search: RecordSearch,
): AsyncGenerator<string> {
  const { storage } = dependencies
  const { merchant, from, to, ...options } = search
  const linesOf = recordPages(dependencies, options)
  const isBusySince = watchBusy(dependencies)
  let isBusy = true
  yield recordHeader(options)
  for (let after = { settled_on: dayBefore(from), file_id: AFTER_ALL, number: 0 }; ; ) {
    const page = await storage.merchantSettlementRowsAfter(
      merchant,
      to,
      after.settled_on,
      after.file_id,
      after.number,
      isBusy ? limits.recordsPerPage : limits.recordsPerIdlePage,
    )
    const last = page.at(-1)
    if (!last) return
    yield await linesOf(page)
    after = last
    isBusy = isBusySince(0)
    await (isBusy ? wait(limits.recordsBusyPauseMs) : nextTurn())
  }
}

/**
 * The lines of pages of rows.
 *
 * @returns a function that renders a page, each line with its LF
 */
export function recordPages(
  dependencies: Dependencies,
  options: RecordOptions,
): (page: readonly RecordRow[]) => Promise<string> {
  const recordsOf = recordMaker(dependencies)
  return async (page) => {
    const lines = (await recordsOf(page)).map((record) => recordLine(record, options))
    return [...lines, ''].join('\n')
  }
}

/**
 * The records of pages of rows. The settlement files of the rows are read once.
 *
 * @returns a function that makes the records of a page
 */
export function recordMaker(
  dependencies: Dependencies,
): (page: readonly RecordRow[]) => Promise<readonly ReconciliationRecord[]> {
  const files = new Map<string, SettlementFileRow | undefined>()
  const clearings = clearingsByMerchant(dependencies)
  return async (page) => {
    for (const id of new Set(page.map((row) => row.file_id)))
      if (!files.has(id)) files.set(id, await dependencies.storage.settlementFile(id))
    const rows = page.map((stored) => ({ stored, row: rowWithPayment(stored) }))
    const transactions = await transactionsOf(dependencies, rows)
    const resultOf = await chargebackResults(dependencies.storage, rows)
    const facts = { files, transactions, resultOf, clearings, entities: new Map<string, RecordEntities>() }
    return rows.map((row) => recordOf(dependencies, row, facts))
  }
}

/** Sorts after all ids of files. */
const AFTER_ALL = 'g'

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

/** A row as it is stored and as it was read. */
interface ReadRow {
  readonly stored: RecordRow
  readonly row: ReturnType<typeof rowWithPayment>
}

/** The transactions of rows that were matched before rows had the references of their transactions. */
async function transactionsOf(
  { storage }: Dependencies,
  rows: readonly ReadRow[],
): Promise<ReadonlyMap<string, TransactionRow>> {
  const ids = new Set<string>()
  for (const { stored, row } of rows)
    if (stored.transaction_id !== null && row.payment === undefined) ids.add(stored.transaction_id)
  const transactions = ids.size === 0 ? [] : await storage.transactions([...ids])
  return new Map(transactions.map((row) => [row.id, row]))
}

function recordOf(
  dependencies: Dependencies,
  read: ReadRow,
  { files, transactions, resultOf, clearings, entities }: PageFacts,
): ReconciliationRecord {
  const { stored, row } = read
  const clearing = clearings.get(row.clearingMerchantId)
  const known = entities.get(stored.channel)
  const owners = known?.merchantId === stored.merchant ? known : entitiesOf(dependencies, stored)
  entities.set(stored.channel, owners)
  const file = files.get(stored.file_id)
  const { transaction_id: id } = stored
  return reconciliationRecord({
    row,
    source: {
      instituteName: file?.institute ?? clearing?.institute ?? row.clearingMerchantId,
      format: file?.format ?? '',
      timeZone: clearing?.cutOff.timeZone ?? 'UTC',
      readAtMs: file?.created_at_ms ?? stored.changed_at_ms,
    },
    entities: owners,
    verdict: verdictOf(stored),
    payment: id === null ? undefined : paymentOf(id, row, transactions),
    chargebackId: stored.chargeback_id ?? undefined,
    chargeback: resultOf(read),
  })
}

function paymentOf(
  id: string,
  row: ReadRow['row'],
  transactions: ReadonlyMap<string, TransactionRow>,
): RecordedPayment | undefined {
  if (row.payment) return recordedPayment(id, row.payment)
  const transaction = transactions.get(id)
  return transaction && recordedPayment(id, paymentReferencesOf(row, transaction))
}

/** What the records of a page have in common: the clearings by the merchants' ids, and the entities by channel. */
interface PageFacts {
  readonly files: ReadonlyMap<string, SettlementFileRow | undefined>
  readonly transactions: ReadonlyMap<string, TransactionRow>
  readonly resultOf: Awaited<ReturnType<typeof chargebackResults>>
  readonly clearings: ReadonlyMap<string, Clearing>
  readonly entities: Map<string, RecordEntities>
}

function clearingsByMerchant({ acquirers }: Dependencies): ReadonlyMap<string, Clearing> {
  const clearings = new Map<string, Clearing>()
  for (const name of clearedConnectors(acquirers)) {
    const clearing = clearingOf(acquirers, name)
    if (clearing && !clearings.has(clearing.merchantId)) clearings.set(clearing.merchantId, clearing)
  }
  return clearings
}

/** The entities of a row: its channel and the entities above. */
function entitiesOf({ directory }: Dependencies, { merchant, channel }: RecordRow): RecordEntities {
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

function verdictOf({ status, transaction_id: id, candidates, reason }: RecordRow): MatchVerdict | undefined {
  if (status === 'MATCHED') return { status, id: id ?? undefined, step: reason }
  if (status === 'MULTIPLE_MATCHES') return { status, ids: readIds(candidates ?? '[]'), step: reason }
  return { status: 'NOT_MATCHED', reason: 'noTransaction' }
}
