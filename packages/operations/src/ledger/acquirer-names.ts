import type { AcquirerAttemptRow, Storage, TransactionRow } from '@tollgate/storage'
import { limits } from '../limits.ts'
import { routedOf } from '../records/routed.ts'
import type { FeedPage } from './transaction-feed.ts'

/** The acquirers of transactions. */
export interface AcquirerNames {
  /** The name of the connector to which a transaction was last sent; '' if it was sent to none. */
  nameOf(row: TransactionRow): string
}

/** Reads the acquirers of the transactions of a page. */
export async function acquirerNames(
  storage: Pick<Storage, 'acquirerAttempts' | 'acquirerAttemptsFrom'>,
  { transactions, late }: Pick<FeedPage, 'transactions' | 'late'>,
): Promise<AcquirerNames> {
  const [first, last] = [transactions.find(isRouted), transactions.findLast(isRouted)]
  const attempts = first && last ? await attemptsBetween(storage, first.id, last.id) : []
  const lateAttempts = await Promise.all(late.filter(isRouted).map(({ id }) => storage.acquirerAttempts(id)))
  const connectors = new Map<string, string>()
  for (const { kind, transaction_id: id, connector } of [...attempts, ...lateAttempts.flat()])
    if (kind === 'request') connectors.set(id, connector)
  return { nameOf: (row) => connectors.get(row.id) ?? routedOf(row)?.connector ?? (isSent(row) ? 'simulator' : '') }
}

const isRouted = (row: TransactionRow): boolean => row.facts.includes('"routed":')

/** Whether a transaction without a route was sent to the simulator: without a reference it was refused before. */
const isSent = ({ status, outcome }: TransactionRow): boolean =>
  status === 'ACK' || outcome.includes('"ConnectorTxID1":')

/** All messages about transactions in a range of ids. */
async function attemptsBetween(
  storage: Pick<Storage, 'acquirerAttemptsFrom'>,
  firstId: string,
  lastId: string,
): Promise<AcquirerAttemptRow[]> {
  const attempts: AcquirerAttemptRow[] = []
  for (let start = firstId; ; ) {
    const page = await storage.acquirerAttemptsFrom(start, lastId, limits.feedAttemptsRead)
    const last = page.at(-1)
    if (page.length < limits.feedAttemptsRead || !last) return [...attempts, ...page]
    // The page may lack messages about its last transaction, of which each has far fewer than a page.
    attempts.push(...page.filter((each) => each.transaction_id !== last.transaction_id))
    start = last.transaction_id
  }
}
