import { limits } from './limits.ts'
import type { QueueName, Reader, StoredTree } from './port.ts'
import { positioned, type PositionColumns } from './position.ts'
import { type Reads, readsBy } from './reads.ts'
import { filterSql, filterValues } from './scan.ts'
import type { JobRow, TransactionRow } from './schema.ts'
import type { SqlValue } from './sql-value.ts'
import type { Prepare } from './statement.ts'
import { columnList } from './columns.ts'
import { IN_LIST } from './declare-read.ts'

// The reads that are the same for every SQL dialect.

/**
 * The reads that reads.ts declares.
 *
 * @param inList the condition of `IN_LIST` in the dialect
 */
export function tableReads(prepare: Prepare, inList: string): Reads {
  return readsBy((name, { sql, result }) => {
    const { one, all } = prepare<{ readonly value?: SqlValue }>(name, sql.replace(IN_LIST, inList))
    if (result === 'value') return async (...values) => (await one(...values))?.value ?? undefined
    return result === 'one' ? one : all
  })
}

/** A transaction with the version of its tree. */
type VersionedTransaction = TransactionRow & { readonly version: number }

/** The parts of the reads of trees in which the SQL dialects differ. */
interface TreeSql {
  /** The table of the transactions. */
  readonly transactions: 'payment_transaction' | 'archived_payment_transaction'
  /** The table that finds the root of a child by the id of the child. */
  readonly children: 'payment_transaction' | 'child_transaction'
  /** Selects the roots whose ids a JSON list contains, which is the value. */
  readonly listedRoots: string
  /** Selects the children whose ids a JSON list contains, which is the value. */
  readonly listedChildren: string
  /**
   * Selects the transactions `t`, which have children, of the roots whose ids a JSON list contains, which is the value.
   */
  readonly listedTrees: string
}

/** The reads of trees, and of transactions by their ids or network transaction ids. */
export function treeReads(
  prepare: Prepare,
  { transactions: table, children, listedRoots, listedChildren, listedTrees }: TreeSql,
): Pick<Reader, 'treeOf' | 'treesWithChildren' | 'transactions' | 'byNetworkId'> {
  const selectFrom = (rows: string) => `SELECT ${columnList('payment_transaction', 't.')},
    coalesce(tree.version, 1) AS version
    FROM ${rows} LEFT JOIN tree ON tree.id = t.root_id AND tree.merchant = t.merchant`
  const select = selectFrom(`${table} AS t`)
  const treeOfRoot = prepare<VersionedTransaction>(
    `treeOfRoot ${table}`,
    `${select} WHERE t.root_id = ? ORDER BY t.id <> t.root_id, t.id`,
  )
  // The condition `id <> root_id` makes the query use the partial index of all transactions except the roots.
  const rootOfChild = prepare<Pick<TransactionRow, 'root_id'>>(
    `rootOfChild ${children}`,
    `SELECT c.root_id FROM ${children} AS c WHERE c.id = ? AND c.id <> c.root_id`,
  )
  const byNetworkId = prepare<VersionedTransaction>(
    `byNetworkId ${table}`,
    `${select} WHERE t.network_transaction_id = ? AND t.merchant = ? ORDER BY t.created_at_ms, t.id LIMIT 1`,
  )

  const treesOfRoots = prepare<VersionedTransaction>(
    `treesOfRoots ${table}`,
    `${selectFrom(listedTrees)} ORDER BY t.root_id, t.id <> t.root_id, t.id`,
  )

  // A list is bound as one JSON text, so that the statement is the same for lists of any length.
  const rootTransactions = prepare<TransactionRow>(`listedRoots ${table}`, listedRoots)
  const childTransactions = prepare<TransactionRow>(`listedChildren ${table} ${children}`, listedChildren)

  return {
    async treeOf(id) {
      const tree = treeOfRows(await treeOfRoot.all(id))
      if (tree) return tree
      const child = await rootOfChild.one(id)
      return child && treeOfRows(await treeOfRoot.all(child.root_id))
    },
    async treesWithChildren(rootIds) {
      const rowsByRoot = new Map<string, VersionedTransaction[]>()
      for (const row of await treesOfRoots.all(JSON.stringify(rootIds))) {
        const rows = rowsByRoot.get(row.root_id)
        if (rows) rows.push(row)
        else rowsByRoot.set(row.root_id, [row])
      }
      return [...rowsByRoot.values()].map(treeOfRows).filter((tree) => tree !== undefined)
    },
    async transactions(ids) {
      const roots = await rootTransactions.all(JSON.stringify(ids))
      const rootIds = new Set(roots.map(({ id }) => id))
      const remaining = ids.filter((id) => !rootIds.has(id))
      return remaining.length === 0 ? roots : [...roots, ...(await childTransactions.all(JSON.stringify(remaining)))]
    },
    async byNetworkId(id, merchant) {
      const stored = await byNetworkId.one(id, merchant)
      if (!stored) return undefined
      const { version, ...row } = stored
      return { row, version }
    },
  }
}

/** The tree with these rows, the root first. */
function treeOfRows(rows: readonly VersionedTransaction[]): StoredTree | undefined {
  const [root] = rows
  if (!root || root.id !== root.root_id) return undefined
  let version = 0
  const transactions = rows.map(({ version: treeVersion, ...transaction }) => {
    version = treeVersion
    return transaction
  })
  return { id: root.root_id, merchant: root.merchant, version, transactions }
}

/** The reads of transactions by merchantTransactionId. */
export function referenceReads(prepare: Prepare): Pick<Reader, 'transactionsOf' | 'positionsOf'> {
  const newestSql = (columns: string) =>
    `(SELECT ${columns} FROM payment_transaction WHERE merchant_transaction_id = ? AND merchant = ?
      ORDER BY created_at_ms DESC, id DESC LIMIT ${limits.referenceRows}) AS page WHERE ${filterSql}`
  const columns = columnList('payment_transaction')
  const transactionsOf = prepare<TransactionRow>(
    'transactionsOf',
    `SELECT ${columns} FROM ${newestSql(columns)} LIMIT ?`,
  )
  const positionsOf = prepare<PositionColumns>(
    'positionsOf',
    `SELECT id, type, created_at_ms FROM ${newestSql('id, type, created_at_ms, channel, method')}`,
  )
  return {
    transactionsOf: (reference, filter, max) => transactionsOf.all(reference, ...filterValues(filter), max),
    positionsOf: async (reference, filter) =>
      (await positionsOf.all(reference, ...filterValues(filter))).map(positioned),
  }
}

/**
 * The read of the queues with due jobs. The subquery with a limit reads one job of each queue; EXISTS would permit the
 * server to read all due jobs first.
 *
 * @param elementsOf the SQL function that returns the elements of a JSON list as rows with a column `value`
 */
export function dueQueuesRead(prepare: Prepare, elementsOf: string): Reader['dueQueues'] {
  const dueQueues = prepare<Pick<JobRow, 'kind' | 'lane'>>(
    'dueQueues',
    `SELECT queue.value ->> 0 AS kind, queue.value ->> 1 AS lane FROM ${elementsOf}(?) AS queue WHERE (
      SELECT id FROM job WHERE kind = queue.value ->> 0 AND lane = queue.value ->> 1
        AND parked_at_ms IS NULL AND done_at_ms IS NULL AND due_at_ms <= ? LIMIT 1) IS NOT NULL`,
  )
  return async (queues, atMs) =>
    (await dueQueues.all(JSON.stringify(queues), atMs)).map(({ kind, lane }): QueueName => [kind, lane])
}
