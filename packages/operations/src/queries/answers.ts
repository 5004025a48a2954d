import { describeResult } from '@tollgate/contract'
import { positionOf, type StoredTree, timeOf, type TransactionRow } from '@tollgate/storage'
import type { Answer, RequestMark } from '../answer.ts'
import type { Context } from '../context.ts'
import { renderTransaction } from '../records/transaction-view.ts'

export const FOUND = '000.000.100'
/** "Queries for nothing: 404, 700.400.580." */
export const NOTHING = '700.400.580'

/**
 * The results, as a list.
 *
 * @param records each the JSON of a payment's answer
 * @param numbers further members
 */
export function listAnswer(
  { render }: Context,
  mark: RequestMark,
  name: 'payments' | 'records',
  records: readonly string[],
  numbers: Readonly<Record<string, number>> = {},
): Answer {
  return { status: 200, code: FOUND, body: render.list({ ...headOf(mark), ...numbers }, mark, name, records) }
}

/** The JSON before and after the records of such a list, for one that is written in pieces. */
export const listFrame = (
  { render }: Context,
  mark: RequestMark,
  name: 'payments',
): readonly [start: string, end: string] => render.frame(headOf(mark), mark, name)

const headOf = ({ requestId: id }: RequestMark) => ({ id, result: { code: FOUND, description: describeResult(FOUND) } })

/** For a psp or division the merchant of the payments is unknown. */
export const whoseAnswer = ({ render }: Context, mark: RequestMark): Answer =>
  render.refusal(400, '200.300.407', mark, { reason: 'entityId must name a merchant or a channel' })

export const tooMuchAnswer = ({ render }: Context, mark: RequestMark): Answer =>
  render.refusal(429, '800.120.100', mark, { reason: 'too many queries are under way at once' })

/** A stored transaction as queries show it: the answer that it had, with the moment at which it was made. */
export function recordOf({ render }: Context, { requestId }: RequestMark, row: TransactionRow): string {
  return renderTransaction(render, row, { requestId, atMs: timeOf(positionOf(row)) })
}

/** The linked transactions: the rest of the tree, newest first. */
export const linkedTo = ({ transactions }: StoredTree, id: string): readonly TransactionRow[] =>
  transactions.filter((row) => row.id !== id).toSorted((a, b) => (positionOf(a) > positionOf(b) ? -1 : 1))

/** The JSON of an object with one more member: a list of JSON texts. */
export const withList = (object: string, name: string, items: readonly string[]): string =>
  `${object.slice(0, -1)},"${name}":[${items.join(',')}]}`
