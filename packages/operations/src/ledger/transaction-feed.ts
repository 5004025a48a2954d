import {
  type LateTransactionRow,
  timeOf,
  TRANSACTIONS,
  type TransactionFeedRow,
  type TransactionRow,
  type Unit,
} from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { timePartOf } from '../ids.ts'
import { limits } from '../limits.ts'
import { createRangeReader, type RangeReader } from './range-reader.ts'

type Dependencies = Pick<Context, 'storage' | 'clock' | 'ids'>

/** Transactions that the feed returns once, and the condition of the unit that processes them. */
export interface FeedPage {
  /** Transactions in the order of their ids. One that is undecided returns, as a late one, when it is decided. */
  readonly transactions: readonly TransactionRow[]
  /** All transactions below this id were read, or will be late. */
  readonly readBefore: string
  /** The time of the id at which the feed is closed, epoch milliseconds. */
  readonly closedAtMs: number
  /** Transactions that were decided, or stored, after the feed had passed their ids. All are decided. */
  readonly late: readonly TransactionRow[]
  /**
   * Commits the changes that follow from the page, and moves the feed on.
   *
   * @returns false if another process has processed the page: nothing was written
   */
  commit(rows: Unit['rows']): Promise<boolean>
}

/** Reads all transactions, each exactly once in its decided form (storage, `transaction-feed.ts`). */
export interface TransactionFeed {
  /**
   * The next transactions of all merchants.
   *
   * @param rowsMax the maximum of transactions that are not late
   * @returns undefined: all transactions are read that are older than `limits.feedLagMs`, or a commit is still open
   */
  nextPage(rowsMax: number): Promise<FeedPage | undefined>
}

export function createTransactionFeed(dependencies: Dependencies): TransactionFeed {
  const { storage } = dependencies
  /** The position at which the feed was closed when the commits that were open then had ended. */
  let awaited = ''
  const reader = createRangeReader(storage)

  async function haveOpenCommitsEnded({ closed_before: position }: TransactionFeedRow): Promise<boolean> {
    if (awaited === position) return true
    if ((await storage.openCommits?.()) === false) return false
    awaited = position
    return true
  }

  return {
    async nextPage(rowsMax) {
      const feed = await readOrBeginFeed(dependencies)
      if (!feed) return undefined
      const isRead = feed.read_before === feed.closed_before
      const late = isRead ? await latePage(dependencies, feed) : undefined
      if (late) return late
      const closed = isRead ? await closeFeed(dependencies, feed) : feed
      return closed && (await haveOpenCommitsEnded(closed))
        ? rangePage(dependencies, reader, closed, rowsMax)
        : undefined
    },
  }
}

/** @returns undefined if another process has just begun the feed */
export const readOrBeginFeed = async (dependencies: Dependencies): Promise<TransactionFeedRow | undefined> =>
  (await dependencies.storage.transactionFeed(TRANSACTIONS)) ?? (await beginFeed(dependencies))

async function beginFeed(dependencies: Dependencies): Promise<TransactionFeedRow | undefined> {
  const row: TransactionFeedRow = { id: TRANSACTIONS, closed_before: '', read_before: '' }
  const isAdded = await commitChange(dependencies, { rows: { transaction_feed: [row] } }).catch(() => false)
  return isAdded ? row : undefined
}

/** Closes the feed at a later id, so that the transactions below it can be read. */
async function closeFeed(
  dependencies: Dependencies,
  from: TransactionFeedRow,
): Promise<TransactionFeedRow | undefined> {
  const atMs = dependencies.clock.now() - limits.feedLagMs
  const position = timePartOf(atMs)
  if (position <= from.closed_before) return undefined
  // While there are no transactions, the feed need not be written every few seconds.
  const isIdle = atMs - timeOf(from.closed_before) < limits.feedIdleMs
  if (isIdle && (await isEmptyBetween(dependencies, from.closed_before, position))) return undefined
  const to = { ...from, closed_before: position }
  const isClosed = await commitChange(dependencies, { compareAndSets: [{ table: 'transaction_feed', from, to }] })
  return isClosed ? to : undefined
}

async function isEmptyBetween({ storage }: Dependencies, from: string, before: string): Promise<boolean> {
  const [roots, children] = await Promise.all([
    storage.rootsFrom(from, before, 1),
    storage.childrenFrom(from, before, 1),
  ])
  return roots.length + children.length === 0
}

/** The next transactions below the id at which the feed is closed. */
async function rangePage(
  dependencies: Dependencies,
  reader: RangeReader,
  feed: TransactionFeedRow,
  max: number,
): Promise<FeedPage> {
  const { read_before: start, closed_before: end } = feed
  const transactions = await reader.read({ start, end, max })
  const last = transactions.at(-1)
  // No other id is between an id and the same id with another digit.
  const readBefore = transactions.length === max && last ? `${last.id}0` : end
  const late = await allLate(dependencies, start, readBefore)
  const seen = new Map(transactions.map((row) => [row.id, row]))
  const covered = late.filter(({ id, status }) => !isDecided(status) || isDecided(seen.get(id)?.status ?? ''))
  return {
    transactions,
    readBefore,
    closedAtMs: timeOf(end),
    late: [],
    commit(rows) {
      if (readBefore !== end) reader.readAhead({ start: readBefore, end, max })
      return commitPage(dependencies, feed, { ...feed, read_before: readBefore }, covered, rows)
    },
  }
}

/** All records of late transactions in a range of ids: few, because most transactions are not late. */
async function allLate({ storage }: Dependencies, from: string, before: string): Promise<LateTransactionRow[]> {
  const late: LateTransactionRow[] = []
  for (let start = from; ; ) {
    const page = await storage.lateTransactions(start, before, limits.feedRowsPerStep)
    const last = page.at(-1)
    if (page.length < limits.feedRowsPerStep || !last) return [...late, ...page]
    // The page may lack records of its last transaction.
    late.push(...page.filter(({ id }) => id !== last.id))
    start = last.id
  }
}

/** Late transactions below the id up to which the feed was read; undefined if there are none. */
async function latePage(dependencies: Dependencies, feed: TransactionFeedRow): Promise<FeedPage | undefined> {
  const { storage } = dependencies
  const records = await storage.lateTransactions('', feed.read_before, limits.feedRowsPerStep)
  if (records.length === 0) return undefined
  const decidedIds = records.flatMap(({ id, status }) => (isDecided(status) ? [id] : []))
  const late = decidedIds.length === 0 ? [] : await storage.transactions(decidedIds)
  return {
    transactions: [],
    readBefore: feed.read_before,
    closedAtMs: timeOf(feed.closed_before),
    late: late.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    commit: (rows) => commitPage(dependencies, feed, feed, records, rows),
  }
}

const isDecided = (status: string): boolean => status === 'ACK' || status === 'NOK'

function commitPage(
  dependencies: Dependencies,
  from: TransactionFeedRow,
  to: TransactionFeedRow,
  late: readonly LateTransactionRow[],
  rows: Unit['rows'],
): Promise<boolean> {
  return commitChange(dependencies, {
    compareAndSets: [
      { table: 'transaction_feed', from, to },
      ...late.map((row) => ({ table: 'late_transaction' as const, from: row, to: null })),
    ],
    rows,
  })
}
