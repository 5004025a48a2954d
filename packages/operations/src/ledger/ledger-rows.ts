import { hasFinal, normaliseReference, type Posting, postingsOf } from '@tollgate/domain'
import type { PostingRow, TransactionRow, Unit } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { detailOf, paymentTree, transactionOf } from '../records/payment-record.ts'
import { type AcquirerFacts, acquirerFacts } from './acquirer-facts.ts'
import { type FeePlans, readFeePlans } from './fee-plans.ts'
import type { FeedPage } from './transaction-feed.ts'
import { ledgerDays, transactionDays } from './daily-sums.ts'

type Dependencies = Pick<Context, 'storage' | 'directory' | 'acquirers'>

/** The rows that follow from a page of the feed: entries of the ledger, and daily sums of entries and transactions. */
export async function ledgerRowsOf(
  dependencies: Dependencies,
  page: FeedPage,
): Promise<Pick<Unit['rows'], 'posting' | 'ledger_day' | 'transaction_day'>> {
  const [plans, facts] = await Promise.all([readFeePlans(dependencies), acquirerFacts(dependencies, page)])
  const postings = [...singlePostings(page, plans), ...(await treePostings(dependencies, page, plans))]
  const lateIds = new Set(page.late.map(({ id }) => id))
  const posting = (await newAmong(dependencies, page, postings)).map((each) =>
    postingRow(each, facts, entryDayOf(each.cause, lateIds.has(each.cause.id) ? page.closedAtMs : undefined, facts)),
  )
  return {
    posting,
    ledger_day: ledgerDays(posting),
    transaction_day: transactionDays([...page.transactions, ...page.late], facts),
  }
}

/**
 * The business day of an entry. A day is complete when it is cleared: later entries of its transactions belong to the
 * current day.
 *
 * @param lateAtMs the time up to which all other transactions were read; undefined for transactions that are not late
 */
function entryDayOf(row: TransactionRow, lateAtMs: number | undefined, facts: AcquirerFacts): number {
  const day = facts.dayOf(row)
  if (lateAtMs === undefined) return day
  return Math.max(day, facts.dayAt(facts.nameOf(row), lateAtMs - limits.clearingDelayMs))
}

/** An entry, and the stored transaction from which it follows. */
interface PostingOfRow {
  readonly posting: Posting
  readonly row: TransactionRow
  /** The transaction of the page that causes the entry, to whose day it belongs: usually the same. */
  readonly cause: TransactionRow
  /** Whether the entry may be stored already. */
  readonly mayBeStored: boolean
}

const isDecidedFollowUp = ({ id, root_id: root, status }: TransactionRow): boolean =>
  id !== root && (status === 'ACK' || status === 'NOK')

/** The entries of roots without follow-ups on the page. */
function singlePostings({ transactions, late }: FeedPage, plans: FeePlans): PostingOfRow[] {
  const withFollowUps = new Set([...transactions, ...late].filter(isDecidedFollowUp).map((row) => row.root_id))
  const ofRows = (rows: readonly TransactionRow[], mayBeStored: boolean) =>
    rows.flatMap((row) => {
      const transaction = row.id === row.root_id && !withFollowUps.has(row.id) ? transactionOf(row) : undefined
      if (transaction?.status !== 'ACK') return []
      const planAt = (atMs: number) => plans.planAt(row.merchant, atMs)
      const postings = postingsOf({ version: 1, transactions: [transaction] }, planAt)
      return postings.map((posting) => ({ posting, row, cause: row, mayBeStored }))
    })
  return [...ofRows(transactions, false), ...ofRows(late, true)]
}

/**
 * The entries of the payments of follow-ups: of the follow-ups on the page and, if a transaction closes the payment, of
 * all transactions that were read, because some entries depend on later transactions.
 */
async function treePostings(
  { storage }: Dependencies,
  { transactions, late, readBefore }: FeedPage,
  plans: FeePlans,
): Promise<PostingOfRow[]> {
  const rows = [...transactions, ...late]
  const rootIds = new Set(rows.filter(isDecidedFollowUp).map((row) => row.root_id))
  if (rootIds.size === 0) return []
  const ids = new Set(rows.map(({ id }) => id))
  const lateIds = new Set(late.map(({ id }) => id))
  const trees = await storage.treesWithChildren([...rootIds])
  return trees.flatMap((stored) => {
    const tree = paymentTree(stored)
    if (!tree) return []
    const isClosed = hasFinal(tree)
    return postingsOf(tree, (atMs) => plans.planAt(stored.merchant, atMs)).flatMap((posting) => {
      const { transactionId: id } = posting
      const row = stored.transactions.find((each) => each.id === id)
      if (!row || !(ids.has(id) || (isClosed && id < readBefore))) return []
      // The end of a remaining hold belongs to the day of the transaction that closes the payment.
      const isCause = ids.has(id) && !(posting.kind === 'expiry' && row.type === 'PA')
      const cause = isCause ? row : (rows.findLast((each) => each.root_id === stored.id) ?? row)
      return [{ posting, row, cause, mayBeStored: isClosed || lateIds.has(id) }]
    })
  })
}

/** The entries that are not stored. */
async function newAmong(
  { storage }: Dependencies,
  { pageBefore }: FeedPage,
  postings: readonly PostingOfRow[],
): Promise<readonly PostingOfRow[]> {
  const doubtful = new Set(postings.filter((each) => each.mayBeStored).map(({ row }) => row.id))
  if (doubtful.size === 0) return postings
  await pageBefore
  const stored = (await Promise.all([...doubtful].map((id) => storage.postingsOf(id)))).flat()
  const keys = new Set(stored.map((row) => `${row.transaction_id} ${row.kind}`))
  return postings.filter(({ posting }) => !keys.has(`${posting.transactionId} ${posting.kind}`))
}

const postingRow = ({ posting, row }: PostingOfRow, facts: AcquirerFacts, day: number): PostingRow => ({
  transaction_id: posting.transactionId,
  kind: posting.kind,
  merchant: row.merchant,
  acquirer: facts.nameOf(row),
  currency: posting.currency,
  day,
  amount_minor: posting.amountMinor,
  fee_minor: posting.feeMinor,
  reference: normaliseReference(detailOf(row, 'ConnectorTxID1')) ?? null,
})
