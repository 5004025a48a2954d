import {
  type LateTransactionRow,
  timeOf,
  TRANSACTIONS,
  type TransactionFeedRow,
  type TransactionRow,
  type Unit,
} from '@tollgate/storage'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { timePartOf } from '../ids.ts'
import { limits } from '../limits.ts'

type Dependencies = Pick<Context, 'storage' | 'clock' | 'ids'>

/** Transactions that the feed returns once. */
export interface FeedPage {
  /** Transactions in the order of their ids. One that is undecided returns, as a late one, when it is decided. */
  readonly transactions: readonly TransactionRow[]
  /** All transactions below this id were read, or will be late. */
  readonly readBefore: string
  /** The time of the id at which the feed is closed, epoch milliseconds. */
  readonly closedAtMs: number
  /** Transactions that were decided, or stored, after the feed had passed their ids. All are decided. */
  readonly late: readonly TransactionRow[]
  /** Resolves when the page before is stored: until then its rows cannot be read. */
  readonly pageBefore: Promise<unknown>
}

/** The rows that follow from a page. They are prepared while the page before is committed. */
type PageRows = (page: FeedPage) => Promise<Unit['rows']>

/** A page, and the unit that processes it. */
interface PreparedPage {
  readonly page: FeedPage
  /**
   * Commits the rows of the page, and moves the feed on.
   *
   * @returns false if another process has processed the page: nothing was written
   */
  commit(): Promise<boolean>
}

/** How the next page is read. */
interface PageOptions {
  /** The maximum of transactions that are not late. */
  readonly max: number
  /** Whether the page after it is prepared while it is committed: this delays payments that arrive meanwhile. */
  readonly prepareNext: boolean
}

/** Reads all transactions, each exactly once in its decided form (storage, `transaction-feed.ts`). */
export interface TransactionFeed {
  /**
   * The next transactions of all merchants.
   *
   * @returns undefined: all transactions are read that are older than `limits.feedLagMs`, or a commit is still open
   */
  nextPage(options: PageOptions): Promise<PreparedPage | undefined>
}

export function createTransactionFeed(dependencies: Dependencies, rowsOf: PageRows): TransactionFeed {
  const { storage } = dependencies
  /** The position at which the feed was closed when the commits that were open then had ended. */
  let awaited = ''
  /** The page that was prepared from the position to which a unit moves the feed. */
  let prepared:
    | { readonly from: TransactionFeedRow; readonly max: number; readonly next: Promise<PreparedPage> }
    | undefined

  async function haveOpenCommitsEnded({ closed_before: position }: TransactionFeedRow): Promise<boolean> {
    if (awaited === position) return true
    if ((await storage.openCommits?.()) === false) return false
    awaited = position
    return true
  }

  /**
   * The next transactions below the id at which the feed is closed. A transaction may be changed before its page is
   * committed: then it is late.
   */
  async function prepareRange(from: TransactionFeedRow, options: PageOptions, pageBefore: Promise<unknown>) {
    const { page, covered } = await rangePage(dependencies, from, options.max, pageBefore)
    const rows = await rowsOf(page)
    const to = { ...from, read_before: page.readBefore }
    return {
      page,
      commit() {
        const committed = commitPage(dependencies, from, to, covered, rows)
        if (options.prepareNext && to.read_before !== to.closed_before) {
          const next = nextTurn().then(() => prepareRange(to, options, committed))
          // The failure is that of the call which returns the page.
          next.catch(() => undefined)
          prepared = { from: to, max: options.max, next }
        }
        return committed
      },
    }
  }

  async function prepareLate(feed: TransactionFeedRow): Promise<PreparedPage | undefined> {
    const late = await latePage(dependencies, feed)
    if (!late) return undefined
    const rows = await rowsOf(late.page)
    return { page: late.page, commit: () => commitPage(dependencies, feed, feed, late.records, rows) }
  }

  return {
    async nextPage(options) {
      const feed = await readOrBeginFeed(dependencies)
      if (!feed) return undefined
      const expected = prepared
      prepared = undefined
      if (expected?.max === options.max && isSame(expected.from, feed)) return expected.next
      const isRead = feed.read_before === feed.closed_before
      const late = isRead ? await prepareLate(feed) : undefined
      if (late) return late
      const closed = isRead ? await closeFeed(dependencies, feed) : feed
      return closed && (await haveOpenCommitsEnded(closed))
        ? prepareRange(closed, options, Promise.resolve())
        : undefined
    },
  }
}

const isSame = (a: TransactionFeedRow, b: TransactionFeedRow): boolean =>
  a.closed_before === b.closed_before && a.read_before === b.read_before

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

/** The next transactions below the id at which the feed is closed, and the late records that their page covers. */
async function rangePage(
  { storage }: Dependencies,
  feed: TransactionFeedRow,
  max: number,
  pageBefore: Promise<unknown>,
) {
  const { read_before: start, closed_before: end } = feed
  const transactions = await readRange(storage, start, end, max)
  const last = transactions.at(-1)
  // No other id is between an id and the same id with another digit.
  const readBefore = transactions.length === max && last ? `${last.id}0` : end
  const late = await allLate(storage, start, readBefore)
  const seen = new Map(transactions.map((row) => [row.id, row]))
  const covered = late.filter(({ id, status }) => !isDecided(status) || isDecided(seen.get(id)?.status ?? ''))
  const page: FeedPage = { transactions, readBefore, closedAtMs: timeOf(end), late: [], pageBefore }
  return { page, covered }
}

/** The first transactions with ids from `start` up to `end`, at most `max`. */
async function readRange(
  storage: Dependencies['storage'],
  start: string,
  end: string,
  max: number,
): Promise<readonly TransactionRow[]> {
  const [roots, children] = await Promise.all([
    storage.rootsFrom(start, end, max),
    storage.childrenFrom(start, end, max),
  ])
  if (children.length === 0) return roots
  return [...roots, ...children].toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, max)
}

/** All records of late transactions in a range of ids: few, because most transactions are not late. */
async function allLate(storage: Dependencies['storage'], from: string, before: string): Promise<LateTransactionRow[]> {
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
async function latePage({ storage }: Dependencies, feed: TransactionFeedRow) {
  const records = await storage.lateTransactions('', feed.read_before, limits.feedRowsPerStep)
  if (records.length === 0) return undefined
  const decidedIds = records.flatMap(({ id, status }) => (isDecided(status) ? [id] : []))
  const late = decidedIds.length === 0 ? [] : await storage.transactions(decidedIds)
  const page: FeedPage = {
    transactions: [],
    readBefore: feed.read_before,
    closedAtMs: timeOf(feed.closed_before),
    late: late.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    pageBefore: Promise.resolve(),
  }
  return { page, records }
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
