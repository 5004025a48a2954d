import { createHash } from 'node:crypto'
import { type MatchedKind, matchedKindOf, type SettlementRow } from '@tollgate/domain'
import type { TransactionRow, UniqueKeyRow } from '@tollgate/storage'
import { limits } from '../limits.ts'

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
    id: createHash('sha256').update(`settlement row\n${id}\n${kind}\n${earlier}`).digest('hex'),
    merchant,
    transaction_id: id,
    created_at_ms: atMs,
    expires_at_ms: atMs + limits.matchClaimMs,
  }
}
