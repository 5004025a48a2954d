import {
  type CandidateSearch,
  type MatchVerdict,
  matchRows,
  normaliseReference,
  type SettlementRow,
} from '@tollgate/domain'
import type { SettlementRowRow, TransactionRow } from '@tollgate/storage'
import { clearedConnectors, clearingOf } from '../acquirer/clearing-of.ts'
import type { Context } from '../context.ts'
import { findCandidates } from './find-candidates.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'clock'>

/** A row with its place among the rows of its file, from 1. */
export interface NumberedRow {
  readonly number: number
  readonly row: SettlementRow
}

/** Matches rows of a file with transactions. */
export async function settledRows(
  dependencies: Dependencies,
  fileId: string,
  numbered: readonly NumberedRow[],
): Promise<readonly SettlementRowRow[]> {
  const rows = numbered.map(({ row }) => row)
  const [verdicts, chargedIds] = await Promise.all([
    matchAll(dependencies, rows),
    chargedTransactions(dependencies, rows),
  ])
  const ids = new Set([...verdicts.flatMap(idsIn), ...chargedIds.values()])
  const transactions = ids.size === 0 ? [] : await dependencies.storage.transactions([...ids])
  const byId = new Map(transactions.map((transaction) => [transaction.id, transaction]))
  return numbered.map(({ number, row }, index) => {
    const verdict = verdicts[index] ?? { status: 'NOT_MATCHED', reason: 'noTransaction' }
    const about = byId.get(idsIn(verdict)[0] ?? chargedIds.get(row) ?? '')
    return settledRow(dependencies, { fileId, number, row }, verdict, about)
  })
}

const idsIn = (verdict: MatchVerdict): readonly string[] =>
  verdict.status === 'MATCHED' && verdict.id !== undefined ? [verdict.id] : []

async function matchAll(dependencies: Dependencies, rows: readonly SettlementRow[]): Promise<readonly MatchVerdict[]> {
  const zones = zonesOf(dependencies)
  const subjects = rows.map((row) => ({ row, timeZone: zones.get(row.clearingMerchantId) ?? 'UTC' }))
  const matching = matchRows(subjects)
  let state = matching.next()
  while (state.done !== true) state = matching.next(await findCandidates(dependencies, state.value))
  return state.value
}

/**
 * The transactions for which fees are charged, by the references of the fees. A fee is not matched with a transaction,
 * but belongs to its merchant.
 */
async function chargedTransactions(
  dependencies: Dependencies,
  rows: readonly SettlementRow[],
): Promise<ReadonlyMap<SettlementRow, string>> {
  const fees: SettlementRow[] = []
  const searches: CandidateSearch[] = []
  for (const row of rows) {
    const key = row.kind === 'FEE' ? normaliseReference(row.connectorTxId1) : undefined
    if (key === undefined) continue
    fees.push(row)
    searches.push({ by: 'connectorTxId1', key, clearingMerchantId: row.clearingMerchantId })
  }
  const found = searches.length === 0 ? [] : await findCandidates(dependencies, searches)
  return new Map(
    fees.flatMap((row, index) => {
      const id = found[index]?.[0]?.id
      return id === undefined ? [] : [[row, id]]
    }),
  )
}

/** The time zones of the institutes, by the merchant's id there. */
function zonesOf({ acquirers }: Dependencies): ReadonlyMap<string, string> {
  const clearings = clearedConnectors(acquirers).flatMap((name) => clearingOf(acquirers, name) ?? [])
  return new Map(clearings.map(({ merchantId, cutOff }) => [merchantId, cutOff.timeZone]))
}

/** @param about the transaction that determines the merchant of the row */
function settledRow(
  { clock }: Dependencies,
  { fileId, number, row }: NumberedRow & { readonly fileId: string },
  verdict: MatchVerdict,
  about: TransactionRow | undefined,
): SettlementRowRow {
  return {
    file_id: fileId,
    number,
    merchant: about?.merchant ?? '',
    channel: about?.channel ?? '',
    kind: row.kind,
    status: verdict.status,
    transaction_id: idsIn(verdict)[0] ?? null,
    candidates: verdict.status === 'MULTIPLE_MATCHES' ? JSON.stringify(verdict.ids) : null,
    reason: verdict.status === 'NOT_MATCHED' ? verdict.reason : verdict.step,
    settled_on: row.settledOn,
    row: JSON.stringify(row),
    chargeback_id: null,
    changed_at_ms: clock.now(),
  }
}
