import { positionOf, type StoredTree, timeOf, type TransactionRow } from '@tollgate/storage'
import type { RequestMark } from '../answer.ts'
import type { Context } from '../context.ts'
import { renderTransaction } from '../records/transaction-view.ts'

/** A stored transaction as queries show it: the answer that it had, with the moment at which it was made. */
export function recordOf({ render }: Context, { requestId }: RequestMark, row: TransactionRow): string {
  return renderTransaction(render, row, { requestId, atMs: timeOf(positionOf(row)) })
}

/** What is linked to a transaction: the rest of its tree, newest first. */
export const linkedTo = ({ transactions }: StoredTree, id: string): readonly TransactionRow[] =>
  transactions.filter((row) => row.id !== id).toSorted((a, b) => (positionOf(a) > positionOf(b) ? -1 : 1))

/** The JSON of an object with one more member, a list of what is JSON already. */
export const withList = (object: string, name: string, items: readonly string[]): string =>
  `${object.slice(0, -1)},"${name}":[${items.join(',')}]}`
