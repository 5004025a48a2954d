import { hash } from 'node:crypto'
import { type MatchedKind, matchedKindOf, type SettlementRow } from '@tollgate/domain'
import {
  type CompareAndSet,
  listOf,
  type SettlementRowRow,
  type Storage,
  type TransactionRow,
  type UniqueKeyRow,
} from '@tollgate/storage'
import { limits } from '../limits.ts'
import { keyReleases } from '../pending-unit.ts'
import { rowIn } from './stored-row.ts'

/**
 * The unique key of a match. Processes and operators match rows at the same time, and each reads first which kinds of
 * rows a transaction has: of two matches of one kind that have read the same rows, the second one conflicts. The key
 * expires, because later matches read the row.
 *
 * @param kinds the kinds of the transaction's successful rows when it was read
 * @returns undefined for a failed settlement, which leaves the transaction to the row of the next attempt
 */
export function matchClaim(
  row: SettlementRow,
  { id, merchant }: Pick<TransactionRow, 'id' | 'merchant'>,
  kinds: readonly MatchedKind[],
  atMs: number,
): UniqueKeyRow | undefined {
  if (row.status === 'FAILED') return undefined
  const kind = matchedKindOf(row)
  const earlier = kinds.filter((each) => each === kind).length
  return {
    id: claimId(id, kind, earlier),
    merchant,
    transaction_id: id,
    created_at_ms: atMs,
    expires_at_ms: atMs + limits.matchClaimMs,
  }
}

/** @param earlier the number of rows of the kind that the transaction had before */
const claimId = (transactionId: string, kind: MatchedKind, earlier: number): string =>
  hash('sha256', `settlement row\n${transactionId}\n${kind}\n${earlier}`)

/** Releases the claim of a match that is undone, in the unit that undoes it: the next match has the same claim. */
export async function claimRelease(
  storage: Pick<Storage, 'settlementRowsOf' | 'uniqueKey'>,
  { transaction_id: id, row }: SettlementRowRow,
  atMs: number,
): Promise<readonly CompareAndSet[]> {
  const own = rowIn({ row })
  if (id === null || own.status === 'FAILED') return []
  const kind = matchedKindOf(own)
  const stored = (await storage.settlementRowsOf(listOf([id]))).map(rowIn)
  const remaining = stored.filter((each) => each.status !== 'FAILED' && matchedKindOf(each) === kind).length - 1
  const key = await storage.uniqueKey(claimId(id, kind, remaining))
  return key ? keyReleases([key], atMs) : []
}
