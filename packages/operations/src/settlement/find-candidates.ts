import {
  type Candidate,
  type CandidateSearch,
  isPaymentType,
  type MatchedKind,
  matchedKindOf,
  normaliseReference,
  type SettlementRow,
} from '@tollgate/domain'
import { type PostingRow, positionAt, type StoredTree, type TransactionRow } from '@tollgate/storage'
import { clearingOf } from '../acquirer/clearing-of.ts'
import type { Context } from '../context.ts'
import { shortIdOf } from '../ids.ts'
import { limits } from '../limits.ts'
import { resultDetailsOf } from '../records/payment-record.ts'
import { rowIn } from './stored-row.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers'>

/** Finds the transactions of searches, in the order of the searches. */
export async function findCandidates(
  dependencies: Dependencies,
  searches: readonly CandidateSearch[],
): Promise<readonly (readonly Candidate[])[]> {
  const found = await Promise.all(searches.map((search) => idsOf(dependencies, search)))
  const rows = await rowsById(dependencies, [...new Set(found.flat())])
  const reversedIds = await reversedAmong(dependencies, rows)
  const candidates = new Map<string, Candidate>()
  for (const row of rows) {
    const candidate = await candidateOf(dependencies, row, reversedIds.has(row.id))
    if (candidate) candidates.set(row.id, candidate)
  }
  return searches.map(({ clearingMerchantId }, index) =>
    (found[index] ?? []).flatMap((id) => {
      const candidate = candidates.get(id)
      return candidate?.clearingMerchantId === clearingMerchantId ? [candidate] : []
    }),
  )
}

async function rowsById({ storage }: Dependencies, ids: readonly string[]): Promise<readonly TransactionRow[]> {
  return ids.length === 0 ? [] : storage.transactions(ids)
}

/** The ids of the transactions with an approved reversal, of these transactions and others of their payments. */
async function reversedAmong(
  { storage }: Dependencies,
  rows: readonly TransactionRow[],
): Promise<ReadonlySet<string | null>> {
  if (rows.length === 0) return new Set()
  const trees = await storage.treesWithChildren([...new Set(rows.map((row) => row.root_id))])
  const reversals = trees.flatMap((tree) =>
    tree.transactions.filter(({ type, status }) => type === 'RV' && status === 'ACK'),
  )
  return new Set(reversals.map((row) => row.referenced_id))
}

/** The ids of the transactions of a search. */
async function idsOf(dependencies: Dependencies, search: CandidateSearch): Promise<readonly string[]> {
  const { storage } = dependencies
  switch (search.by) {
    case 'connectorTxId1':
      return idsIn(await storage.postingsByReference(search.key))
    // The connectors of this gateway state the retrieval reference as ConnectorTxID1.
    case 'connectorTxId2':
      return []
    case 'networkTransactionId':
      return idsOfRows(await storage.transactionsByNetworkId(search.key, limits.settlementHitsMax))
    case 'id':
      return [search.key]
    case 'rootId':
      return (await storage.treeOf(search.key))?.transactions.map(({ id }) => id) ?? []
    case 'merchantTransactionId':
      return idsOfRows(await storage.transactionsNamed(search.key, limits.settlementHitsMax))
    case 'time':
      return idsIn(
        await storage.postingsFrom(
          positionAt(search.fromMs),
          positionAt(search.untilMs),
          limits.settlementDayEntriesMax,
        ),
      )
  }
}

const idsIn = (postings: readonly PostingRow[]): readonly string[] => [
  ...new Set(postings.map((row) => row.transaction_id)),
]

const idsOfRows = (rows: readonly TransactionRow[]): readonly string[] => rows.map(({ id }) => id)

/** A transaction as the rules take it; undefined unless it is approved, and cleared by this gateway. */
async function candidateOf(
  { storage, acquirers }: Dependencies,
  row: TransactionRow,
  isReversed: boolean,
): Promise<Candidate | undefined> {
  const [posting] = await storage.postingsOf(row.id)
  const clearing = posting && clearingOf(acquirers, posting.acquirer)
  if (!posting || !clearing || row.status !== 'ACK' || !isPaymentType(row.type)) return undefined
  const [account, matched, tree] = await Promise.all([
    row.account_id === null ? undefined : storage.account(row.account_id),
    storage.settlementRowsOf(row.id),
    row.type === 'CP' ? storage.treeOf(row.root_id) : undefined,
  ])
  const details = resultDetailsOf(row)
  return {
    id: row.id,
    rootId: row.root_id,
    clearingMerchantId: clearing.merchantId,
    type: row.type,
    amountMinor: row.amount_minor ?? 0,
    currency: row.currency ?? '',
    connectorTxId1: normaliseReference(details['ConnectorTxID1']),
    connectorTxId2: normaliseReference(details['ConnectorTxID2']),
    connectorTxId3: normaliseReference(details['ConnectorTxID3']),
    approvalCode: details['ConnectorTxID3'],
    networkTransactionId: row.network_transaction_id ?? details['CardholderInitiatedTransactionID'],
    clearingSequence: tree && clearingSequenceIn(tree, row),
    shortId: shortIdOf(row.id),
    merchantTransactionId: row.merchant_transaction_id ?? undefined,
    bin: account?.bin ?? undefined,
    last4: account?.last4 ?? undefined,
    createdAtMs: row.created_at_ms,
    isReversed,
    matchedKinds: standingKinds(matched.map(rowIn)),
  }
}

/** The number of a capture among those of its authorisation, in the order of their requests, from 1. */
function clearingSequenceIn({ transactions }: StoredTree, { id, referenced_id: hold }: TransactionRow): number {
  const captures = transactions.filter((row) => row.type === 'CP' && row.referenced_id === hold && row.status !== 'NOK')
  return captures.filter((row) => row.id <= id).length
}

/**
 * The kinds of the rows that stand: a failed settlement does not, and a chargeback and its reversal no longer do once
 * both are matched, because a second chargeback may follow.
 */
function standingKinds(rows: readonly SettlementRow[]): readonly MatchedKind[] {
  const kinds = rows.filter(({ status }) => status === 'SUCCESS').map(matchedKindOf)
  const count = (kind: MatchedKind) => kinds.filter((each) => each === kind).length
  const areAnswered = count('CHARGEBACK') > 0 && count('CHARGEBACK') === count('CHARGEBACK REVERSAL')
  return areAnswered ? kinds.filter((kind) => kind !== 'CHARGEBACK' && kind !== 'CHARGEBACK REVERSAL') : kinds
}
