import { businessDayOf } from '@tollgate/domain'
import type { SentMessage, Storage, TransactionRow } from '@tollgate/storage'
import { cutOffOf } from '../acquirer/clearing-of.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { routedOf } from '../records/routed.ts'
import type { FeedPage } from './transaction-feed.ts'

/** The acquirers of transactions, and the business days to which they belong. */
export interface AcquirerFacts {
  /**
   * The name of the connector to which a transaction was last sent; '' if it was sent to none. A chargeback, or the
   * reversal of one, has that of the disputed transaction.
   */
  nameOf(row: TransactionRow): string
  /** The business day that the acquirer has stated, or else that of its cut-off; in days since 1970. */
  dayOf(row: TransactionRow): number
  /** The business day of an acquirer at a time, epoch milliseconds. */
  dayAt(name: string, atMs: number): number
}

/** Reads the messages to acquirers about the transactions of a page. */
export async function acquirerFacts(
  { storage, acquirers }: Pick<Context, 'storage' | 'acquirers'>,
  { transactions, late }: Pick<FeedPage, 'transactions' | 'late'>,
): Promise<AcquirerFacts> {
  const [first, last] = [transactions.find(isRouted), transactions.findLast(isRouted)]
  const attempts = first && last ? await attemptsBetween(storage, first.id, last.id) : []
  const disputed = await disputedTransactions(storage, [...transactions, ...late])
  const others = [...late, ...disputed.values()].filter(isRouted)
  const otherAttempts = await Promise.all(others.map(({ id }) => storage.acquirerAttempts(id)))
  const requests = new Map<string, SentMessage>()
  for (const attempt of [...attempts, ...otherAttempts.flat()])
    if (attempt.kind === 'request') requests.set(attempt.transaction_id, attempt)
  const nameOf = (row: TransactionRow) => {
    const sent = disputed.get(row.id) ?? row
    return requests.get(sent.id)?.connector ?? routedOf(sent)?.connector ?? (isSent(sent) ? 'simulator' : '')
  }
  const dayAt = (name: string, atMs: number) => businessDayOf(cutOffOf(acquirers, name), atMs)
  return {
    nameOf,
    dayAt,
    dayOf: (row) => requests.get(row.id)?.settlement_day ?? dayAt(nameOf(row), row.created_at_ms),
  }
}

const isDispute = ({ type }: TransactionRow): boolean => type === 'CB' || type === 'CR'

/** The disputed transactions of chargebacks and their reversals, by the ids of the latter. */
async function disputedTransactions(
  storage: Pick<Storage, 'treesWithChildren'>,
  rows: readonly TransactionRow[],
): Promise<ReadonlyMap<string, TransactionRow>> {
  const disputes = rows.filter(isDispute)
  if (disputes.length === 0) return new Map()
  const trees = await storage.treesWithChildren([...new Set(disputes.map((row) => row.root_id))])
  const byId = new Map(trees.flatMap(({ transactions }) => transactions.map((row) => [row.id, row])))
  const disputedBy = (row: TransactionRow): TransactionRow => {
    const referenced = byId.get(row.referenced_id ?? '')
    return isDispute(row) && referenced ? disputedBy(referenced) : row
  }
  return new Map(disputes.map((row) => [row.id, disputedBy(row)]))
}

const isRouted = (row: TransactionRow): boolean => row.facts.includes('"routed":')

/** Whether a transaction without a route was sent to the simulator: without a reference it was refused before. */
const isSent = ({ status, outcome }: TransactionRow): boolean =>
  status === 'ACK' || outcome.includes('"ConnectorTxID1":')

/** All messages about transactions in a range of ids. */
async function attemptsBetween(
  storage: Pick<Storage, 'sentMessagesFrom'>,
  firstId: string,
  lastId: string,
): Promise<SentMessage[]> {
  const attempts: SentMessage[] = []
  for (let start = firstId; ; ) {
    const page = await storage.sentMessagesFrom(start, lastId, limits.feedAttemptsRead)
    const last = page.at(-1)
    if (page.length < limits.feedAttemptsRead || !last) return [...attempts, ...page]
    // The page may lack messages about its last transaction, of which each has far fewer than a page.
    attempts.push(...page.filter((each) => each.transaction_id !== last.transaction_id))
    start = last.transaction_id
  }
}
