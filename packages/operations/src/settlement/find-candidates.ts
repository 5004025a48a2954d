import { InvariantError } from '@tollgate/contract'
import {
  type Candidate,
  type CandidateSearch,
  isPaymentType,
  type MatchedKind,
  matchedKindOf,
  normaliseReference,
  type SettlementRow,
  type SharedReferenceName,
} from '@tollgate/domain'
import {
  type AccountDigits,
  listOf,
  type PostingRow,
  type SettlementRowRow,
  positionAt,
  type StoredTree,
  type TransactionRow,
} from '@tollgate/storage'
import { Type } from 'typebox'
import { clearedConnectors, clearingOf } from '../acquirer/clearing-of.ts'
import type { Context } from '../context.ts'
import { shortIdOf } from '../ids.ts'
import { limits } from '../limits.ts'
import { detailOf } from '../records/payment-record.ts'
import { optional, storedReader } from '../records/stored-json.ts'
import { instituteAccounts } from './institute-accounts.ts'
import { rowIn } from './stored-row.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'directory'>
type Sources = Dependencies & { readonly accountOf: ReturnType<typeof instituteAccounts> }

/** Finds the transactions of searches. */
export interface CandidateFinder {
  /** @returns the transactions of each search, in the order of the searches; undefined: more than can be examined */
  find(searches: readonly CandidateSearch[]): Promise<readonly (readonly Candidate[] | undefined)[]>
  /** The transactions that were read, by id. */
  readonly transactions: ReadonlyMap<string, TransactionRow>
}

/**
 * Creates a finder for some rows. All searches of a call share their reads.
 *
 * @param pending rows that are being stored, and count as stored
 */
export function candidateFinder(
  dependencies: Dependencies,
  pending: readonly SettlementRowRow[] = [],
): CandidateFinder {
  const transactions = new Map<string, TransactionRow>()
  const acquirerOf = new Map<string, string>()
  const sources = { ...dependencies, accountOf: instituteAccounts(dependencies) }
  return {
    transactions,
    async find(searches) {
      const found = await idsOfAll(sources, searches, acquirerOf)
      const ids = new Set(found.flatMap((each) => each ?? []))
      const rows = ids.size === 0 ? [] : await dependencies.storage.transactions([...ids])
      for (const row of rows) transactions.set(row.id, row)
      // Only rules that search days compare accounts.
      const dated = new Set(found.flatMap((each, index) => (searches[index]?.by === 'time' ? (each ?? []) : [])))
      const tied = new Set(found.flatMap((each, index) => (isTied(searches[index], each) ? (each ?? []) : [])))
      const candidates = await candidatesOf(dependencies, rows, { acquirerOf, dated, tied, pending })
      return searches.map(({ clearingMerchantId }, index) =>
        found[index]?.flatMap((id) => {
          const candidate = candidates.get(id)
          return candidate?.clearingMerchantId === clearingMerchantId ? [candidate] : []
        }),
      )
    },
  }
}

/** Whether several transactions have a reference, so that their terminals may tell them apart. */
const isTied = (search: CandidateSearch | undefined, ids: readonly string[] | undefined): boolean =>
  search?.by !== 'time' && ids !== undefined && ids.length > 1

type SearchByEntry = Extract<CandidateSearch, { readonly key: string }> & {
  readonly by: 'connectorTxId1' | 'retrievalReference'
}

/**
 * Whether entries of the ledger have the reference of a search. Connectors of this gateway state the retrieval
 * reference as ConnectorTxID1.
 */
const isByEntry = (search: CandidateSearch): search is SearchByEntry =>
  search.by === 'connectorTxId1' || search.by === 'retrievalReference'

/**
 * The ids of the transactions of each search; undefined: there are too many. Equal searches are made once.
 *
 * @param acquirerOf receives the acquirers of transactions whose entries were read
 */
async function idsOfAll(
  sources: Sources,
  searches: readonly CandidateSearch[],
  acquirerOf: Map<string, string>,
): Promise<readonly (readonly string[] | undefined)[]> {
  const keys = searches.flatMap((search) => (isByEntry(search) ? [search.key] : []))
  const postings = keys.length === 0 ? [] : await sources.storage.postingsByReferences(listOf(keys))
  for (const row of postings) acquirerOf.set(row.transaction_id, row.acquirer)
  const byReference = groupBy(postings, ({ reference }) => reference ?? '')
  const made = new Map<string, ReturnType<typeof idsOf>>()
  return Promise.all(
    searches.map((search) => {
      if (isByEntry(search)) return Promise.resolve(idsIn(byReference.get(search.key) ?? []))
      const name = JSON.stringify(search)
      const ids = made.get(name) ?? idsOf(sources, search, acquirerOf)
      made.set(name, ids)
      return ids
    }),
  )
}

/** The ids of the transactions that an approved reversal of their payment takes back. */
const reversedIn = (trees: readonly StoredTree[]): ReadonlySet<string | null> =>
  new Set(
    trees.flatMap(({ transactions }) =>
      transactions.filter(({ type, status }) => type === 'RV' && status === 'ACK').map((row) => row.referenced_id),
    ),
  )

/** The ids of the transactions of a search of which entries lack the reference; undefined: there are too many. */
async function idsOf(
  sources: Sources,
  search: CandidateSearch,
  acquirerOf: Map<string, string>,
): Promise<readonly string[] | undefined> {
  const { storage, acquirers } = sources
  switch (search.by) {
    case 'connectorTxId1':
    case 'retrievalReference':
      throw new InvariantError('entries have the references of acquirers')
    case 'networkTransactionId':
    case 'merchantTransactionId':
      return idsByShared(sources, search)
    case 'id':
      return [search.key]
    case 'rootId':
      return (await storage.treeOf(search.key))?.transactions.map(({ id }) => id) ?? []
    case 'time': {
      const names = clearedConnectors(acquirers).filter(
        (name) => clearingOf(acquirers, name)?.merchantId === search.clearingMerchantId,
      )
      const [from, until, max] = [positionAt(search.fromMs), positionAt(search.untilMs), limits.settlementDayEntriesMax]
      const postings = await storage.acquirerPostingsFrom(from, until, listOf(names), max + 1)
      for (const row of postings) acquirerOf.set(row.transaction_id, row.acquirer)
      return postings.length > max ? undefined : idsIn(postings)
    }
  }
}

type SharedSearch = Extract<CandidateSearch, { readonly by: SharedReferenceName }>

/**
 * The ids of the transactions with a reference that many can have. If there are too many, those of the period and of
 * the merchants with payments by the id at the institute. If they are too many as well, or there are none, because a
 * merchant pays by another acquirer since, the transaction of the row may be among those that were not read.
 */
async function idsByShared(
  { storage, accountOf }: Sources,
  { by, key, clearingMerchantId, fromMs, untilMs }: SharedSearch,
): Promise<readonly string[] | undefined> {
  const max = limits.settlementHitsMax
  const isNetwork = by === 'networkTransactionId'
  const all = await (isNetwork
    ? storage.transactionsByNetworkId(key, max + 1)
    : storage.transactionsNamed(key, max + 1))
  if (all.length <= max) return idsOfRows(all)
  const merchants = listOf(accountOf(clearingMerchantId).merchants)
  const ofPeriod = await (isNetwork
    ? storage.transactionsByNetworkIdBetween(key, merchants, fromMs, untilMs, max + 1)
    : storage.transactionsNamedBetween(key, merchants, fromMs, untilMs, max + 1))
  return ofPeriod.length === 0 || ofPeriod.length > max ? undefined : idsOfRows(ofPeriod)
}

const idsIn = (postings: readonly Pick<PostingRow, 'transaction_id'>[]): readonly string[] => [
  ...new Set(postings.map((row) => row.transaction_id)),
]

const idsOfRows = (rows: readonly TransactionRow[]): readonly string[] => rows.map(({ id }) => id)

/** What is known of the transactions of a finder. */
interface FinderState {
  readonly acquirerOf: Map<string, string>
  /** The transactions whose accounts the rules compare. */
  readonly dated: ReadonlySet<string>
  /** The transactions that share a reference. */
  readonly tied: ReadonlySet<string>
  readonly pending: readonly SettlementRowRow[]
}

/** Transactions as the rules take them, by id: those that are approved, and cleared by this gateway. */
async function candidatesOf(
  { storage, acquirers }: Dependencies,
  rows: readonly TransactionRow[],
  { acquirerOf, dated, tied, pending }: FinderState,
): Promise<ReadonlyMap<string, Candidate>> {
  const approved = rows.filter(({ status }) => status === 'ACK')
  if (approved.length === 0) return new Map()
  const unposted = idsOfRows(approved).filter((id) => !acquirerOf.has(id))
  const accounts = new Set(approved.flatMap(({ id, account_id: account }) => (dated.has(id) ? (account ?? []) : [])))
  const [postings, digits, settled, trees] = await Promise.all([
    unposted.length === 0 ? [] : storage.postingsOfAll(listOf(unposted)),
    accounts.size === 0 ? [] : storage.accountDigits(listOf(accounts)),
    storage.settlementRowsOf(listOf(idsOfRows(approved))),
    storage.treesWithChildren([...new Set(approved.map((row) => row.root_id))]),
  ])
  for (const row of postings) acquirerOf.set(row.transaction_id, row.acquirer)
  const digitsOf = new Map(digits.map((row) => [row.id, row]))
  const ofDays = approved.filter(({ id }) => dated.has(id))
  const terminalOf = await terminalsOf(storage, new Set([...tied, ...alikeAmong(ofDays, digitsOf)]))
  const settledBy = groupBy([...settled, ...notAmong(settled, pending)], ({ transaction_id: id }) => id ?? '')
  const treeOf = new Map(trees.map((tree) => [tree.id, tree]))
  const reversedIds = reversedIn(trees)
  const candidates = new Map<string, Candidate>()
  for (const row of approved) {
    const acquirer = acquirerOf.get(row.id)
    const clearingMerchantId = acquirer === undefined ? undefined : clearingOf(acquirers, acquirer)?.merchantId
    if (clearingMerchantId === undefined) continue
    const candidate = candidateOf(row, {
      clearingMerchantId,
      digits: digitsOf.get(row.account_id ?? ''),
      terminalId: terminalOf.get(row.id),
      tree: treeOf.get(row.root_id),
      isReversed: reversedIds.has(row.id),
      matchedKinds: standingKinds(successfulKinds((settledBy.get(row.id) ?? []).map(rowIn))),
    })
    if (candidate) candidates.set(row.id, candidate)
  }
  return candidates
}

/** The rows that are not among those that are stored: a unit may have been committed meanwhile. */
function notAmong(stored: readonly SettlementRowRow[], rows: readonly SettlementRowRow[]): readonly SettlementRowRow[] {
  if (rows.length === 0) return rows
  const keyOf = ({ file_id: file, number }: SettlementRowRow): string => `${file} ${number}`
  const keys = new Set(stored.map(keyOf))
  return rows.filter((row) => !keys.has(keyOf(row)))
}

const readSentAs = storedReader(Type.Object({ terminalId: optional(Type.String()) }))

/** The terminals from which transactions were sent to acquirers, by transaction. */
async function terminalsOf(
  storage: Dependencies['storage'],
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string | undefined>> {
  const requests = ids.size === 0 ? [] : await storage.acquirerRequestsOf(listOf(ids))
  return new Map(requests.map((row) => [row.transaction_id, readSentAs(row.sent_as).terminalId]))
}

/**
 * The transactions of days that share account, amount and currency with another one, so that their terminals may tell
 * them apart; none if there are more than can be examined, because the terminals of a part prove nothing.
 */
function alikeAmong(rows: readonly TransactionRow[], digitsOf: ReadonlyMap<string, AccountDigits>): readonly string[] {
  const last4Of = (row: TransactionRow) => digitsOf.get(row.account_id ?? '')?.last4
  const withDigits = rows.filter((row) => last4Of(row))
  const groups = groupBy(withDigits, (row) => `${last4Of(row)} ${row.amount_minor} ${row.currency}`)
  const alike = [...groups.values()].filter((group) => group.length > 1).flat()
  return alike.length > limits.settlementTerminalsMax ? [] : idsOfRows(alike)
}

/** What is stored of a transaction beside its row. */
interface CandidateFacts extends Pick<Candidate, 'clearingMerchantId' | 'isReversed' | 'matchedKinds'> {
  readonly digits: AccountDigits | undefined
  readonly terminalId: string | undefined
  /** The payment, if it has follow-ups. */
  readonly tree: StoredTree | undefined
}

function candidateOf(row: TransactionRow, facts: CandidateFacts): Candidate | undefined {
  if (!isPaymentType(row.type)) return undefined
  const { digits, tree } = facts
  const reference = normaliseReference(detailOf(row, 'ConnectorTxID1'))
  return {
    id: row.id,
    rootId: row.root_id,
    clearingMerchantId: facts.clearingMerchantId,
    type: row.type,
    amountMinor: row.amount_minor ?? 0,
    currency: row.currency ?? '',
    connectorTxId1: reference,
    retrievalReference: reference,
    approvalCode: detailOf(row, 'ConnectorTxID3'),
    networkTransactionId: row.network_transaction_id ?? detailOf(row, 'CardholderInitiatedTransactionID'),
    clearingSequence: tree && row.type === 'CP' ? clearingSequenceIn(tree, row) : undefined,
    shortId: shortIdOf(row.id),
    merchantTransactionId: row.merchant_transaction_id ?? undefined,
    bin: digits?.bin ?? undefined,
    last4: digits?.last4 ?? undefined,
    terminalId: facts.terminalId,
    createdAtMs: row.created_at_ms,
    isReversed: facts.isReversed,
    matchedKinds: facts.matchedKinds,
  }
}

/** The number of a capture among those of its authorisation, in the order of their requests, from 1. */
function clearingSequenceIn({ transactions }: StoredTree, { id, referenced_id: hold }: TransactionRow): number {
  const captures = transactions.filter((row) => row.type === 'CP' && row.referenced_id === hold && row.status !== 'NOK')
  return captures.filter((row) => row.id <= id).length
}

const successfulKinds = (rows: readonly SettlementRow[]): readonly MatchedKind[] =>
  rows.filter(({ status }) => status === 'SUCCESS').map(matchedKindOf)

/**
 * The kinds of the rows that stand: a failed settlement does not, and a chargeback and its reversal no longer do once
 * both are matched, because a second chargeback may follow.
 */
function standingKinds(kinds: readonly MatchedKind[]): readonly MatchedKind[] {
  const count = (kind: MatchedKind) => kinds.filter((each) => each === kind).length
  const areAnswered = count('CHARGEBACK') > 0 && count('CHARGEBACK') === count('CHARGEBACK REVERSAL')
  return areAnswered ? kinds.filter((kind) => kind !== 'CHARGEBACK' && kind !== 'CHARGEBACK REVERSAL') : kinds
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}
