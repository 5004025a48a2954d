import { type Storage, TRANSACTIONS } from '@tollgate/storage'

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
