import { type Storage, TRANSACTIONS } from '@tollgate/storage'

/**
 * The time up to which the figures of the ledger and the daily sums are complete, except for transactions that are
 * still undecided; undefined before the feed has begun.
 *
 * @returns epoch milliseconds: the time part of the id up to which the feed of transactions was read
 */
export async function completeToMs(storage: Pick<Storage, 'transactionFeed'>): Promise<number | undefined> {
  const timePart = (await storage.transactionFeed(TRANSACTIONS))?.read_before.slice(0, 12)
  return timePart ? Number.parseInt(timePart, 16) : undefined
}

/** The member `completeTo` of reports. */
export async function completeTo(storage: Pick<Storage, 'transactionFeed'>): Promise<string | null> {
  const atMs = await completeToMs(storage)
  return atMs === undefined ? null : new Date(atMs).toISOString()
}
