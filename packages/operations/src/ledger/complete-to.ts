import { type Storage, timeOf, TRANSACTIONS } from '@tollgate/storage'

/**
 * The member `completeTo` of reports: the time up to which the figures of the ledger and the daily sums are complete,
 * except for transactions that are still undecided. It is the time part of the id up to which the feed was read.
 *
 * @returns null before the feed has begun
 */
export async function completeTo(storage: Pick<Storage, 'transactionFeed'>): Promise<string | null> {
  const timePart = (await storage.transactionFeed(TRANSACTIONS))?.read_before.slice(0, 12)
  return timePart ? new Date(Number.parseInt(timePart, 16)).toISOString() : null
}

/** After all ids, which are hexadecimal. */
const AFTER_ALL = 'g'

/**
 * The time up to which all decided transactions are in the ledger, epoch milliseconds: other than `completeTo`, also
 * those that were decided late, and have not been read since.
 *
 * @returns 0 before the feed has begun
 */
export async function ledgerCompleteToMs(
  storage: Pick<Storage, 'transactionFeed' | 'lateTransactions'>,
): Promise<number> {
  const [feed, [late]] = await Promise.all([
    storage.transactionFeed(TRANSACTIONS),
    storage.lateTransactions('', AFTER_ALL, 1),
  ])
  if (!feed?.read_before) return 0
  return Math.min(timeOf(feed.read_before), late ? timeOf(late.id) : Number.POSITIVE_INFINITY)
}
