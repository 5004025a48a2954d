import { describeResult } from '@tollgate/contract'
import { positionOf, type StoredTree, timeOf, type TransactionRow } from '@tollgate/storage'
import type { Answer, RequestMark } from '../answer.ts'
import type { Context } from '../context.ts'
import { amountsView } from '../records/amounts-view.ts'
import { renderTransaction, renderWithAmounts } from '../records/transaction-view.ts'

export const FOUND = '000.000.100'
/** "Queries for nothing: 404, 700.400.580." */
export const NOT_FOUND = '700.400.580'

/**
 * The answer with a list of records.
 *
 * @param records the JSON of each item
 * @param numbers further members with numbers, such as `pages`
 */
export function listAnswer(
  { render }: Context,
  mark: RequestMark,
  name: 'payments' | 'records' | 'aggregations',
  records: readonly string[],
  numbers: Readonly<Record<string, number>> = {},
): Answer {
  return { status: 200, code: FOUND, body: render.list({ ...commonFieldsOf(mark), ...numbers }, mark, name, records) }
}

/** The JSON before and after the records of a list that is streamed in pieces. */
export const listFrame = (
  { render }: Context,
  mark: RequestMark,
  name: 'payments' | 'records' | 'aggregations',
): readonly [start: string, end: string] => render.frame(commonFieldsOf(mark), mark, name)

const commonFieldsOf = ({ requestId: id }: RequestMark) => ({
  id,
  result: { code: FOUND, description: describeResult(FOUND) },
})

/** The refusal of a query for a psp or division, which has no payments of its own. */
export const unknownMerchantAnswer = ({ render }: Context, mark: RequestMark): Answer =>
  render.refusal(400, '200.300.407', mark, { reason: 'entityId must name a merchant or a channel' })

export const tooManySearchesAnswer = ({ render }: Context, mark: RequestMark): Answer =>
  render.refusal(429, '800.120.100', mark, {
    reason: 'too many queries run at the same time: send the query again later',
  })

/**
 * Renders a stored transaction like the answer to its request, with the time of that answer. The record of a
 * transaction that began a payment also has the amounts of the payment at the time of the query.
 *
 * @param tree the tree of the transaction; undefined: a root has no children
 */
export function recordOf(
  { render }: Context,
  { requestId, atMs }: RequestMark,
  row: TransactionRow,
  tree: StoredTree = { id: row.id, merchant: row.merchant, version: 1, transactions: [row] },
): string {
  // The root of the tree, which was read together with its children, may be newer than the row.
  const current = row.id === tree.id ? (tree.transactions[0] ?? row) : row
  const recordMark = { requestId, atMs: timeOf(positionOf(row)) }
  const amounts = row.id === row.root_id ? amountsView(tree, atMs) : undefined
  return amounts
    ? renderWithAmounts(render, current, recordMark, amounts)
    : renderTransaction(render, current, recordMark)
}

/** The linked transactions of a transaction: all other transactions of its tree, newest first. */
export const linkedTransactions = ({ transactions }: StoredTree, id: string): readonly TransactionRow[] =>
  transactions.filter((row) => row.id !== id).toSorted((a, b) => (positionOf(a) > positionOf(b) ? -1 : 1))

/** Adds a list of JSON texts as a member to the JSON of an object. */
export const withList = (object: string, name: string, items: readonly string[]): string =>
  `${object.slice(0, -1)},"${name}":[${items.join(',')}]}`
