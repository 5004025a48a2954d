import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clearing } from '@tollgate/connectors'
import { recordHeader, recordLine, type RecordOptions, type ReconciliationRecord } from '@tollgate/contract'
import {
  type MatchVerdict,
  reconciliationRecord,
  type RecordedPayment,
  type RecordEntities,
  type SettlementRow,
} from '@tollgate/domain'
import type { SettlementFileRow, SettlementRowRow, TransactionRow } from '@tollgate/storage'
import { Type } from 'typebox'
import { clearedConnectors, clearingOf } from '../acquirer/clearing-of.ts'
import { watchBusy } from '../busy-watch.ts'
import type { Context } from '../context.ts'
import { shortIdOf } from '../ids.ts'
import { limits } from '../limits.ts'
import { resultDetailsOf } from '../records/payment-record.ts'
import { optional, storedReader } from '../records/stored-json.ts'
import { wait } from '../wait.ts'
import { rowIn } from './stored-row.ts'

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
 * @returns a function that renders a page
 */
export function recordPages(
  dependencies: Dependencies,
  options: RecordOptions,
): (page: readonly SettlementRowRow[]) => Promise<string> {
  const recordsOf = recordMaker(dependencies)
  return async (page) => (await recordsOf(page)).map((record) => recordLine(record, options)).join('')
}

/**
 * The records of pages of rows. The settlement files of the rows are read once.
 *
 * @returns a function that makes the records of a page
 */
export function recordMaker(
  dependencies: Dependencies,
): (page: readonly SettlementRowRow[]) => Promise<readonly ReconciliationRecord[]> {
  const files = new Map<string, SettlementFileRow | undefined>()
  return async (page) => {
    for (const id of new Set(page.map((row) => row.file_id)))
      if (!files.has(id)) files.set(id, await dependencies.storage.settlementFile(id))
    const transactions = await transactionsOf(dependencies, page)
    const facts = { clearings: clearingsByMerchant(dependencies), entities: new Map<string, RecordEntities>() }
    return page.map((row) => recordOf(dependencies, row, files, transactions, facts))
  }
}

/** Sorts after all ids of files. */
const AFTER_ALL = 'g'

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

async function transactionsOf(
  { storage }: Dependencies,
  rows: readonly SettlementRowRow[],
): Promise<ReadonlyMap<string, TransactionRow>> {
  const ids = new Set(rows.flatMap((row) => (row.transaction_id === null ? [] : [row.transaction_id])))
  const transactions = ids.size === 0 ? [] : await storage.transactions([...ids])
  return new Map(transactions.map((row) => [row.id, row]))
}

function recordOf(
  dependencies: Dependencies,
  stored: SettlementRowRow,
  files: ReadonlyMap<string, SettlementFileRow | undefined>,
  transactions: ReadonlyMap<string, TransactionRow>,
  { clearings, entities }: PageFacts,
) {
  const row = rowIn(stored)
  const clearing = clearings.get(row.clearingMerchantId)
  const known = entities.get(stored.channel)
  const owners = known?.merchantId === stored.merchant ? known : entitiesOf(dependencies, stored)
  entities.set(stored.channel, owners)
  const file = files.get(stored.file_id)
  const transaction = stored.transaction_id === null ? undefined : transactions.get(stored.transaction_id)
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
    payment: transaction && paymentOf(row, transaction),
    chargebackId: stored.chargeback_id ?? undefined,
  })
}

/** What the records of a page have in common: the clearings by the merchants' ids, and the entities by channel. */
interface PageFacts {
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
function entitiesOf({ directory }: Dependencies, { merchant, channel }: SettlementRowRow): RecordEntities {
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

function verdictOf({ status, transaction_id: id, candidates, reason }: SettlementRowRow): MatchVerdict | undefined {
  if (status === 'MATCHED') return { status, id: id ?? undefined, step: reason }
  if (status === 'MULTIPLE_MATCHES') return { status, ids: readIds(candidates ?? '[]'), step: reason }
  return { status: 'NOT_MATCHED', reason: 'noTransaction' }
}

const readInvoice = storedReader(Type.Object({ merchantInvoiceId: optional(Type.String()) }))

const readMemo = storedReader(Type.Object({ merchantMemo: optional(Type.String()) }))

function paymentOf(settled: SettlementRow, row: TransactionRow): RecordedPayment {
  const details = hasReferences(settled) ? {} : resultDetailsOf(row)
  return {
    id: row.id,
    shortId: shortIdOf(row.id),
    brand: row.brand ?? undefined,
    merchantTransactionId: row.merchant_transaction_id ?? undefined,
    merchantInvoiceId: row.echo.includes('"merchantInvoiceId":') ? readInvoice(row.echo).merchantInvoiceId : undefined,
    connectorTxId1: details['ConnectorTxID1'],
    connectorTxId2: details['ConnectorTxID2'],
    connectorTxId3: details['ConnectorTxID3'],
    merchantMemo: row.facts.includes('"merchantMemo":') ? readMemo(row.facts).merchantMemo : undefined,
  }
}

/** Whether a row states all references of the institute, so that those of its transaction need not be read. */
const hasReferences = ({ connectorTxId1, connectorTxId2, connectorTxId3 }: SettlementRow): boolean =>
  connectorTxId1 !== undefined && connectorTxId2 !== undefined && connectorTxId3 !== undefined
