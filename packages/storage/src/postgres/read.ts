import { limits } from '../limits.ts'
import { timeAndIdOf } from '../position.ts'
import type { Reader } from '../port.ts'
import { filterSql, filterValues, rowStep, scanReads, streams } from '../scan.ts'
import type { JobRow, TransactionRow } from '../schema.ts'
import { dueQueuesRead, referenceReads, tableReads, treeReads } from '../sql-reads.ts'
import type { SqlValue } from '../sql-value.ts'
import type { Prepare } from '../statement.ts'
import { columnList } from '../columns.ts'
import { unpacking } from '../packed-columns.ts'
import { openPool } from './database.ts'
import { definiteErrorOf } from './faults.ts'
import { type Changes, listenTo } from './listen.ts'
import { numberParameters } from './number-parameters.ts'
import { retryReads } from './retry-reads.ts'
import { leaseJobs } from './lease-jobs.ts'
import { partitionedSql } from './partitions.ts'
import { messagesChannel } from './notifications.ts'

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
  const changes = prepare<Changes>('changes', 'SELECT name, changes FROM watched_table')

  return {
    ...readsOn(unpacking(prepare), scanEntries),
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
  const { endOfStep, transactionsBefore } = scanReads(prepare, scanEntries)
  const leaseStatement = prepare<JobRow>('leaseJobs', leaseJobs)

  const { roots, children, registrations } = streams
  const columns = columnList('payment_transaction')
  // One entry more than a step's share, because the entry at which the step ends belongs to the step.
  const entries = `LIMIT ${scanEntries + 1}`
  // The innermost query, over all merchants, is an index-only scan. In its order a root follows its children, so the
  // root of the last tree may be beyond the limit. The middle query finds it by the children within the limit.
  const rootRows = prepare<TransactionRow>(
    'rootRowsBefore',
    `SELECT ${columnList('payment_transaction', 't.')} FROM (
      SELECT DISTINCT ON (root_id) root_id AS root, merchant AS owner FROM (
        SELECT root_id, merchant FROM payment_transaction WHERE ${roots.range} ORDER BY ${roots.order} ${entries}
      ) AS entry WHERE merchant = ? ORDER BY root_id DESC
    ) AS tree JOIN payment_transaction AS t ON t.root_id = root AND t.id = root AND t.merchant = owner
    WHERE ${filterSql} AND type <> 'RG' ORDER BY root DESC LIMIT ?`,
  )
  const childRows = prepare<TransactionRow>(
    'childRowsBefore',
    `SELECT ${columns} FROM (
      SELECT ${columns} FROM payment_transaction WHERE ${children.where} AND ${children.range}
      ORDER BY ${children.order} ${entries}
    ) AS entry WHERE merchant = ? AND ${filterSql} ORDER BY ${children.order} LIMIT ?`,
  )
  const registrationRows = prepare<TransactionRow>(
    'registrationRowsBefore',
    `SELECT ${columns} FROM (
      SELECT ${columns} FROM payment_transaction
      WHERE merchant = ? AND ${registrations.where} AND ${registrations.range}
      ORDER BY ${registrations.order} ${entries}
    ) AS entry WHERE merchant = ? AND ${filterSql} ORDER BY ${registrations.order} LIMIT ?`,
  )

  return {
    ...tableReads(prepare),
    ...treeReadsOf(prepare),
    ...referenceReads(prepare),
    dueQueues: dueQueuesRead(prepare, 'json_array_elements'),
    transactionsBefore,
    async rowsBefore(filter, before, from, max) {
      const { merchant } = filter
      const values = filterValues(filter)
      const rowsOfStreams = await Promise.all([
        rootRows.all(before, from, ...values, max),
        childRows.all(before, from, ...values, max),
        registrationRows.all(merchant, ...timeAndIdOf(before), ...timeAndIdOf(from), ...values, max),
      ])
      // A stream with `max` rows ends at its last row. The step includes no row of another stream beyond that position.
      const endOfFullStream = rowStep(rowsOfStreams, from, max).reached
      return rowStep(rowsOfStreams, await endOfStep(filter, before, endOfFullStream), max)
    },
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
