import {
  type CandidateSearch,
  type LedgerProgress,
  type MatchVerdict,
  matchRows,
  normaliseReference,
  type SettlementRow,
} from '@tollgate/domain'
import type { SettlementFileRow, SettlementRowRow, TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { ledgerCompleteToMs } from '../ledger/complete-to.ts'
import { type CandidateFinder, candidateFinder } from './find-candidates.ts'
import { instituteAccounts } from './institute-accounts.ts'
import { reported } from './settlement-sums.ts'
import { rowJson, withRow } from './stored-row.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'directory' | 'clock'>

/** A row with its place among the rows of its file, from 1. */
export interface NumberedRow {
  readonly number: number
  readonly row: SettlementRow
  /** The name of its booking on a bank account; null if it states none. */
  readonly booking: string | null
}

/**
 * Rows as they are to be stored, in the order of the rows, and the transactions that were read for them, by id. The
 * unit that stores them changes the version of the matches that was read before.
 */
export interface SettledRows {
  readonly rows: readonly SettlementRowRow[]
  readonly transactions: ReadonlyMap<string, TransactionRow>
}

/**
 * Matches rows of a file with transactions.
 *
 * @param pending rows that are being stored, and count as stored
 */
export async function settledRows(
  dependencies: Dependencies,
  { id: fileId, created_at_ms: receivedAtMs }: Pick<SettlementFileRow, 'id' | 'created_at_ms'>,
  numbered: readonly NumberedRow[],
  pending: readonly SettlementRowRow[] = [],
): Promise<SettledRows> {
  const rows = numbered.map(({ row }) => row)
  const accountOf = instituteAccounts(dependencies)
  const finder = candidateFinder(dependencies, pending)
  const progress = { receivedAtMs, completeToMs: await ledgerCompleteToMs(dependencies.storage) }
  const [verdicts, chargedIds] = await Promise.all([
    matchAll(finder, rows, progress, accountOf),
    chargedTransactions(finder, rows),
  ])
  const { transactions } = finder
  const settled: SettlementRowRow[] = []
  for (const [index, { number, row, booking }] of numbered.entries()) {
    const verdict = verdicts[index] ?? { status: 'NOT_MATCHED', reason: 'noTransaction' }
    const matched = transactions.get(idsIn(verdict)[0] ?? '')
    const about = matched ?? transactions.get(chargedIds.get(row) ?? '')
    const owner = await ownerOf(dependencies, row, about, accountOf)
    settled.push(settledRow(dependencies, { fileId, number, row, booking }, { verdict, matched, owner }))
  }
  return { rows: settled, transactions }
}

/** The acquirer, the merchant and the channel of a row; '' if unknown. */
export type RowOwner = Pick<SettlementRowRow, 'merchant' | 'channel'> & { readonly acquirer: string }

/**
 * The owner of a row: that of the transaction that it is about or, without one, of the merchant's id at the institute.
 */
export async function ownerOf(
  dependencies: Pick<Dependencies, 'storage' | 'acquirers' | 'directory'>,
  { clearingMerchantId }: SettlementRow,
  about: TransactionRow | undefined,
  accountOf = instituteAccounts(dependencies),
): Promise<RowOwner> {
  const { acquirer, merchant, channel } = accountOf(clearingMerchantId)
  if (!about) return { acquirer, merchant, channel }
  const known = acquirer || (await dependencies.storage.postingsOf(about.id))[0]?.acquirer
  return { acquirer: known ?? '', merchant: about.merchant, channel: about.channel }
}

const idsIn = (verdict: MatchVerdict): readonly string[] =>
  verdict.status === 'MATCHED' && verdict.id !== undefined ? [verdict.id] : []

async function matchAll(
  finder: CandidateFinder,
  rows: readonly SettlementRow[],
  progress: LedgerProgress,
  accountOf: ReturnType<typeof instituteAccounts>,
): Promise<readonly MatchVerdict[]> {
  const subjects = rows.map((row) => ({ row, timeZone: accountOf(row.clearingMerchantId).timeZone }))
  const matching = matchRows(subjects, progress)
  let state = matching.next()
  while (state.done !== true) state = matching.next(await finder.find(state.value))
  return state.value
}

/**
 * The transactions for which fees are charged, by the references of the fees. A fee is not matched with a transaction,
 * but belongs to its merchant.
 */
async function chargedTransactions(
  finder: CandidateFinder,
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
  const found = searches.length === 0 ? [] : await finder.find(searches)
  return new Map(
    fees.flatMap((row, index) => {
      const id = found[index]?.[0]?.id
      return id === undefined ? [] : [[row, id]]
    }),
  )
}

/** The match of a row. */
interface MatchedRow {
  readonly verdict: MatchVerdict
  /** The transaction of the verdict, if it has one. */
  readonly matched: TransactionRow | undefined
  readonly owner: RowOwner
}

function settledRow(
  { clock }: Dependencies,
  { fileId, number, row, booking }: NumberedRow & { readonly fileId: string },
  { verdict, matched, owner: { acquirer, merchant, channel } }: MatchedRow,
): SettlementRowRow {
  const stored = {
    file_id: fileId,
    number,
    merchant,
    channel,
    kind: row.kind,
    status: verdict.status,
    transaction_id: idsIn(verdict)[0] ?? null,
    candidates: verdict.status === 'MULTIPLE_MATCHES' ? JSON.stringify(verdict.ids) : null,
    reason: verdict.status === 'NOT_MATCHED' ? verdict.reason : verdict.step,
    settled_on: row.settledOn,
    row: rowJson(row, matched),
    chargeback_id: null,
    changed_at_ms: clock.now(),
    acquirer,
    booking,
    delivery_id: null,
    ...reported({ merchant, channel }, row),
  }
  return withRow(stored, row)
}
