import { type MismatchByHand, mismatchByHand } from '@tollgate/domain'
import type { SettlementRowRow } from '@tollgate/storage'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { movementsOf, standingChargeback } from '../records/dispute-record.ts'
import { candidateFinder } from './find-candidates.ts'
import { derivedRows } from './derived-rows.ts'
import { instituteAccounts } from './institute-accounts.ts'
import { matchingVersion, nextVersion, type VersionChange } from './matching-version.ts'
import { ownerOf } from './settled-rows.ts'
import { reported } from './settlement-sums.ts'
import { rowIn, rowJson } from './stored-row.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'directory' | 'clock' | 'ids' | 'log'>

/**
 * changed: the row as it is stored now. stale: another process changed it, or matched the transaction. Otherwise
 * nothing was changed.
 */
export type MatchResult =
  | { readonly kind: 'changed'; readonly row: SettlementRowRow }
  | {
      readonly kind: 'stale' | 'noCandidate' | 'isMatched' | 'notByHand' | 'isChargedBack' | MismatchByHand
    }

/** The prefix of the reason of a match by an operator. */
const BY_HAND = 'by hand: '

/** A match by an operator. */
interface MatchByHand {
  readonly transactionId: string
  /** The facts that the operator has, for the audit log and the record. */
  readonly reason: string
  /** Whether the operator has confirmed that the amounts differ. */
  readonly differingAmount?: boolean | undefined
}

/**
 * Matches an open row with a transaction of its type and currency, for a reason that an operator gives. It is tried
 * again while other rows, such as those of a file, are matched at the same time.
 */
export async function matchByHand(
  dependencies: Dependencies,
  row: SettlementRowRow,
  match: MatchByHand,
): Promise<MatchResult> {
  let from = row
  for (let attempt = 1; ; attempt += 1) {
    const result = await tryMatch(dependencies, from, match)
    if (result.kind !== 'stale' || attempt === limits.matchAttempts) return result
    from = (await dependencies.storage.settlementRow(row.file_id, row.number)) ?? row
  }
}

async function tryMatch(
  dependencies: Dependencies,
  from: SettlementRowRow,
  { transactionId, reason, differingAmount = false }: MatchByHand,
): Promise<MatchResult> {
  if (from.status === 'MATCHED') return { kind: 'isMatched' }
  const row = rowIn(from)
  const { clearingMerchantId } = row
  const version = await matchingVersion(dependencies)
  const finder = candidateFinder(dependencies)
  const [found = []] = await finder.find([{ by: 'id', key: transactionId, clearingMerchantId }])
  const candidate = found.find(({ id }) => id === transactionId)
  if (!candidate) return { kind: 'noCandidate' }
  const { timeZone } = instituteAccounts(dependencies)(clearingMerchantId)
  const mismatch = mismatchByHand({ row, timeZone }, candidate, differingAmount)
  if (mismatch) return { kind: mismatch }
  const transaction = finder.transactions.get(transactionId)
  const to = {
    ...from,
    ...(await ownerOf(dependencies, row, transaction)),
    row: rowJson(row, transaction),
    status: 'MATCHED',
    transaction_id: transactionId,
    candidates: null,
    reason: `${BY_HAND}${reason}`,
    changed_at_ms: dependencies.clock.now(),
    // The row is delivered again with its new state.
    delivery_id: null,
  }
  const changed = { from, to: { ...to, ...reported(to, row) }, reason }
  return change(dependencies, 'settlement row matched', changed, nextVersion(version))
}

/**
 * Undoes a match by an operator, unless the chargeback that was recorded for the row stands in the payment. The reason
 * is in the audit log.
 */
export async function undoMatch(
  dependencies: Dependencies,
  from: SettlementRowRow,
  reason: string,
): Promise<MatchResult> {
  if (from.status !== 'MATCHED' || !from.reason.startsWith(BY_HAND)) return { kind: 'notByHand' }
  if (await stands(dependencies, from)) return { kind: 'isChargedBack' }
  const row = rowIn(from)
  const to = {
    ...from,
    ...(await ownerOf(dependencies, row, undefined)),
    row: rowJson(row, undefined),
    status: 'NOT_MATCHED',
    transaction_id: null,
    chargeback_id: null,
    reason: 'noTransaction',
    changed_at_ms: dependencies.clock.now(),
    delivery_id: null,
  }
  return change(dependencies, 'settlement row unmatched', { from, to: { ...to, ...reported(to, row) }, reason })
}

/** Whether the chargeback of a row, or the reversal of one, is recorded and not taken back since. */
async function stands({ storage }: Dependencies, row: SettlementRowRow): Promise<boolean> {
  const { transaction_id: id, chargeback_id: recordedId } = row
  const tree = id !== null && recordedId ? await storage.treeOf(id) : undefined
  if (!tree || id === null) return false
  const movements = movementsOf(tree, id)
  const recorded = movements.find((movement) => movement.id === recordedId)
  return recorded?.type === 'CR' || (recorded !== undefined && standingChargeback(movements)?.id === recordedId)
}

async function change(
  dependencies: Dependencies,
  event: 'settlement row matched' | 'settlement row unmatched',
  { from, to, reason }: Record<'from' | 'to', SettlementRowRow> & { readonly reason: string },
  version?: VersionChange,
): Promise<MatchResult> {
  const compareAndSets = [{ table: 'settlement_row' as const, from, to }, ...(version?.compareAndSets ?? [])]
  const rows = { ...(await derivedRows(dependencies, [{ from, to }], new Map())), ...version?.rows }
  if (!(await commitChange(dependencies, { compareAndSets, rows }))) return { kind: 'stale' }
  audit(dependencies.log, event, {
    settlementFile: from.file_id,
    row: from.number,
    transaction: to.transaction_id ?? from.transaction_id ?? '',
    reason,
  })
  return { kind: 'changed', row: to }
}
