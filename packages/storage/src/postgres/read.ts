import { limits } from '../limits.ts'
import type { Reader } from '../port.ts'
import { scanReads } from '../scan.ts'
import type { JobRow } from '../schema.ts'
import { dueQueuesRead, referenceReads, tableReads, treeReads } from '../sql-reads.ts'
import type { SqlValue } from '../sql-value.ts'
import type { Prepare } from '../statement.ts'
import { columnList } from '../columns.ts'
import { unpacking } from '../packed-columns.ts'
import { openPool } from './database.ts'
import { openCommitsOn } from './open-commits.ts'
import { definiteErrorOf } from './faults.ts'
import { type Changes, listenTo } from './listen.ts'
import { numberParameters } from './number-parameters.ts'
import { retryReads } from './retry-reads.ts'
import { leaseJobs } from './lease-jobs.ts'
import { partitionedSql } from './partitions.ts'
import { messagesChannel } from './notifications.ts'

const CLOCK_SQL = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "atMs"'

/**
 * Reads over a few connections, which are opened on demand. A committed unit is visible to every read that
 * begins after its answer. A failed read throws a StorageError `unavailable`; a read whose connection was lost waits
 * for another connection.
 *
 * @param scanEntries entries of an index that one step of a scan reads
 */
export function postgresReader(url: string, scanEntries?: number): Reader {
  const pool = openPool(url)
  const closing = new AbortController()
  const retry = retryReads(closing.signal)
  let listening: ReturnType<typeof listenTo> | undefined

  const prepare: Prepare = <Row extends object>(name: string, sql: string) => {
    const text = numberParameters(sql)
    async function all(...values: SqlValue[]): Promise<Row[]> {
      // No stored text contains NUL, so nothing matches; PostgreSQL would reject the value.
      if (values.some((value) => typeof value === 'string' && value.includes('\0'))) return []
      try {
        return await retry(async () => (await pool.query<Row>({ name, text, values })).rows)
      } catch (error) {
        throw definiteErrorOf(error)
      }
    }
    return { all, one: async (...values) => (await all(...values))[0] }
  }
  const time = prepare<{ readonly atMs: number }>('time', CLOCK_SQL)
  const changes = prepare<Changes>('changes', 'SELECT name, changes FROM watched_table')

  return {
    ...readsOn(unpacking(prepare), scanEntries),
    async serverTime() {
      const row = await time.one()
      if (!row) throw new Error('invariant: a SELECT without a table returned no row')
      return row.atMs
    },
    openCommits: openCommitsOn(prepare),
    peers: {
      listen(listener) {
        listening ??= listenTo(url, () => changes.all(), listener)
      },
      // A message is not repeated after an outage, because it would then be out of date.
      publish: async (message) => {
        const text = `SELECT pg_notify('${messagesChannel}', $1)`
        await pool.query({ name: 'publish', text, values: [message] })
      },
      lock: async (name) => listening?.lock(name),
    },
    async close() {
      closing.abort()
      await listening?.close()
      await pool.end()
    },
  }
}

/** All reads of the dialect. */
export function readsOn(prepare: Prepare, scanEntries: number = limits.scanEntriesOnServer): Omit<Reader, 'close'> {
  const leaseStatement = prepare<JobRow>('leaseJobs', leaseJobs)

  return {
    // An array makes the server look up one value after the other in an index; a join could read the whole table.
    ...tableReads(prepare, '= ANY (ARRAY(SELECT value FROM json_array_elements_text(?)))'),
    ...treeReadsOf(prepare),
    ...referenceReads(prepare),
    dueQueues: dueQueuesRead(prepare, 'json_array_elements'),
    ...scanReads(prepare, { entries: scanEntries, rows: limits.scanRowsOnServer }),
    leaseJobs: (kind, queue, atMs, max, leaseMs) => leaseStatement.all(kind, queue, atMs, max, leaseMs),
  }
}

/**
 * The reads of trees. Children are found by `child_transaction`, which is complete when the transactions are
 * partitioned; before, as in a database of an earlier version, by the index of the table. Trees that are not found are
 * looked up in the archive.
 */
function treeReadsOf(prepare: Prepare): ReturnType<typeof treeReads> {
  const byIndex = treeReads(prepare, {
    transactions: 'payment_transaction',
    children: 'payment_transaction',
    listedRoots: listedRootsSql('payment_transaction'),
    listedChildren: listedSql('SELECT * FROM payment_transaction WHERE id = listed.value AND id <> root_id'),
    listedTrees: listedTreesSql,
  })
  const byLookUpIn = (transactions: 'payment_transaction' | 'archived_payment_transaction') =>
    treeReads(prepare, {
      transactions,
      children: 'child_transaction',
      listedRoots: listedRootsSql(transactions),
      listedChildren: listedSql(
        `SELECT r.* FROM ${transactions} AS r
          WHERE r.root_id = (SELECT c.root_id FROM child_transaction AS c WHERE c.id = listed.value)
            AND r.id = listed.value`,
      ),
      listedTrees: listedTreesSql,
    })
  const byLookUp = byLookUpIn('payment_transaction')
  const archived = byLookUpIn('archived_payment_transaction')
  const partitioned = prepare('partitioned', partitionedSql)
  let isPartitioned = false
  const current = async () => {
    isPartitioned = (await partitioned.one()) !== undefined
    return isPartitioned ? byLookUp : byIndex
  }
  return {
    // A tree moves to the archive in one transaction: a tree that the first read missed is there for the second.
    treeOf: async (id) => (await (isPartitioned ? byLookUp : await current()).treeOf(id)) ?? archived.treeOf(id),
    treesWithChildren: byLookUp.treesWithChildren,
    async transactions(ids) {
      const rows = await (isPartitioned ? byLookUp : await current()).transactions(ids)
      if (rows.length >= ids.length) return rows
      const found = new Set(rows.map(({ id }) => id))
      return [...rows, ...(await archived.transactions(ids.filter((id) => !found.has(id))))]
    },
    byNetworkId: async (id, merchant) =>
      (await byLookUp.byNetworkId(id, merchant)) ?? archived.byNetworkId(id, merchant),
  }
}

/**
 * Selects a transaction for each id of a list, which is the value. OFFSET makes the server look up one id after the
 * other, each in one partition; the plan of a join could read all partitions.
 */
const listedSql = (select: string): string => `SELECT ${columnList('payment_transaction', 't.')}
  FROM (SELECT DISTINCT value FROM json_array_elements_text(?)) AS listed, LATERAL (${select} OFFSET 0) AS t`

const listedRootsSql = (table: string): string =>
  listedSql(`SELECT * FROM ${table} WHERE root_id = listed.value AND id = listed.value`)

/**
 * The rows `t` of the trees with children among the listed roots, of current and archived trees at one moment; each is
 * looked up as in `listedSql`. A tree without a row in `tree` has no children, and its partition is not read.
 */
const listedTreesSql = `(SELECT DISTINCT value FROM json_array_elements_text(?)) AS listed,
    LATERAL (SELECT id FROM tree WHERE id = listed.value OFFSET 0) AS changed,
    LATERAL (${selectInBoth('root_id', 'root_id = changed.id AND id <> changed.id')} LIMIT 1) AS parent,
    LATERAL (${selectInBoth(columnList('payment_transaction'), 'root_id = parent.root_id')} OFFSET 0) AS t`

function selectInBoth(columns: string, where: string): string {
  const tables = ['payment_transaction', 'archived_payment_transaction']
  return tables.map((table) => `SELECT ${columns} FROM ${table} WHERE ${where}`).join(' UNION ALL ')
}
