import { limits } from '../limits.ts'
import type { CommitResult } from '../port.ts'
import type { IdempotencyRow, TransactionFeedRow, TreeRow, UniqueKeyRow } from '../schema.ts'
import { insertInto, replaceIn } from '../sql-writes.ts'
import { StorageError, type StorageErrorKind } from '../storage-error.ts'
import { storedColumnsOf } from '../columns.ts'
import type { FlatUnit } from '../flat-unit.ts'
import { isStoredSql } from '../packed-columns.ts'
import type { SqlValue } from '../sql-value.ts'
import { changeableTables, type TableName, writableTables } from '../tables.ts'
import { TRANSACTIONS } from '../transaction-feed.ts'
import type { Database } from './database.ts'
import { faultEffectOf, storageErrorOf } from './faults.ts'

/** An error in the form in which the writer thread sends it. */
export interface Failure {
  readonly kind: 'failed'
  readonly error: { readonly kind: StorageErrorKind; readonly message: string }
}

export type Outcome = CommitResult | Failure

/**
 * Prepares the writer's statements. The returned function commits units in one transaction and returns their outcomes.
 *
 * Units run in the order of arrival. All conditions of a unit are checked before its first write, so that no savepoint
 * is needed. A unit sees the writes of earlier units of its batch; no result is returned before all units are on disk.
 * After an error that one of the units may have caused, all units run again, each in a transaction of its own. While
 * the database is locked or read-only, all units fail.
 * @throws StorageError `unknown` if the disk or the database has failed
 */
export function applier(database: Database): (units: readonly FlatUnit[]) => Outcome[] {
  const begin = writing(database, 'BEGIN IMMEDIATE')
  const commit = writing(database, 'COMMIT')
  const treeById = database.prepare(
    `SELECT root.merchant, coalesce(tree.version, 1) AS version
      FROM payment_transaction AS root LEFT JOIN tree ON tree.id = root.id AND tree.merchant = root.merchant
      WHERE root.root_id = ?1 AND root.id = ?1`,
  )
  const storeVersion = writing(database, replaceIn('tree', placeholders('tree')))
  const keyById = database.prepare('SELECT * FROM idempotency_key WHERE id = ?')
  const insertKey = writing(database, insertInto('idempotency_key', placeholders('idempotency_key')))
  const uniqueById = database.prepare('SELECT * FROM unique_key WHERE id = ?')
  const insertUnique = writing(database, insertInto('unique_key', placeholders('unique_key')))
  const removeExpiredKeys = writing(database, removeExpired('idempotency_key'))
  const removeExpiredUnique = writing(database, removeExpired('unique_key'))
  const comparisons = new Map(changeableTables.map((table) => [table, database.prepare(selectSame(table))]))
  const removals = new Map(changeableTables.map((table) => [table, writing(database, removeSame(table))]))
  const inserts = new Map(
    writableTables.map((table) => [table, writing(database, insertInto(table, placeholders(table)))]),
  )
  const replacements = new Map(
    changeableTables.map((table) => [table, writing(database, replaceIn(table, placeholders(table)))]),
  )

  const feed = database.prepare(`SELECT closed_before FROM transaction_feed WHERE id = '${TRANSACTIONS}'`)
  const readClosedBefore = () => {
    const row: Pick<TransactionFeedRow, 'closed_before'> | undefined = feed.get()
    return row?.closed_before ?? ''
  }
  let closedBefore = ''
  const insertLate = writing(database, replaceIn('late_transaction', placeholders('late_transaction')))

  /** Completes the write of a row of another table. */
  function afterWrite(table: TableName, values: readonly SqlValue[]): void {
    if (table === 'payment_transaction') {
      if (String(values[idPlace]) >= closedBefore) return
      insertLate(values[idPlace] ?? null, values[statusPlace] ?? null, values[merchantPlace] ?? null)
    } else if (table === 'transaction_feed') closedBefore = readClosedBefore()
  }

  function applyUnit(unit: FlatUnit): CommitResult {
    if (unit.claim) {
      const row: IdempotencyRow | undefined = keyById.get(unit.claim.id)
      if (row && row.expires_at_ms > unit.claim.atMs) return { kind: 'claimed', row }
    }
    for (const expected of unit.expectedVersions) {
      const tree: Omit<TreeRow, 'id'> | undefined = treeById.get(expected.id)
      const isMet = tree
        ? tree.merchant === expected.merchant && tree.version === expected.version
        : expected.version === 0
      if (!isMet) return { kind: 'stale' }
    }
    for (const { id, created_at_ms: atMs } of unit.unique) {
      const row: UniqueKeyRow | undefined = uniqueById.get(id)
      if (row && (row.expires_at_ms ?? Infinity) > atMs) return { kind: 'conflict', row }
    }
    for (const { table, from } of unit.compareAndSets)
      if (!comparisons.get(table)?.get(...from)) return { kind: 'stale' }
    for (const { id, merchant, version } of unit.expectedVersions)
      if (version > 0) storeVersion(id, merchant, version + 1)
    if (unit.claim) {
      insertKey(...unit.claim.values)
      removeExpiredKeys(unit.claim.atMs, limits.expiredRemoved)
    }
    for (const { id, merchant, transaction_id, created_at_ms, expires_at_ms } of unit.unique) {
      insertUnique(id, merchant, transaction_id, created_at_ms, expires_at_ms)
    }
    if (unit.unique.length > 0) {
      const atMs = Math.max(...unit.unique.map((row) => row.created_at_ms))
      removeExpiredUnique(atMs, unit.unique.length * limits.expiredRemoved)
    }
    for (const { table, to } of unit.compareAndSets) {
      if (!to) continue
      replacements.get(table)?.(...to)
      afterWrite(table, to)
    }
    for (const { table, values } of unit.rows) {
      inserts.get(table)?.(...values)
      afterWrite(table, values)
    }
    for (const { table, from, to } of unit.compareAndSets) if (!to) removals.get(table)?.(...from)
    return { kind: 'committed' }
  }

  function transaction(units: readonly FlatUnit[]): Outcome[] {
    try {
      begin()
      closedBefore = readClosedBefore()
      const outcomes = units.map(applyUnit)
      commit()
      return outcomes
    } catch (error) {
      // After SQLITE_FULL the transaction is rolled back already.
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  return function applyUnits(units): Outcome[] {
    try {
      return transaction(units)
    } catch (error) {
      const effect = faultEffectOf(error)
      const { kind, message } = storageErrorOf(error)
      if (effect === 'stop') throw new StorageError(kind, message, { cause: error })
      if (effect === 'split' && units.length > 1) return units.flatMap((unit) => applyUnits([unit]))
      return units.map(() => ({ kind: 'failed', error: { kind, message } }))
    }
  }
}

const places = storedColumnsOf('payment_transaction').map(([column]) => column)
const [idPlace, statusPlace, merchantPlace] = [
  places.indexOf('id'),
  places.indexOf('status'),
  places.indexOf('merchant'),
]

/**
 * Prepares a statement that returns no rows. `get` executes it as `run` would, without the object that contains the
 * number of changed rows. Measured: 0.8 µs less for each call, a tenth of the time of a payment's statements.
 */
function writing(database: Database, sql: string): (...values: readonly SqlValue[]) => void {
  const statement = database.prepare(sql)
  return (...values) => void statement.get(...values)
}

/** Selects a stored row that is the same in every column. */
const selectSame = (table: TableName): string => `SELECT 1 FROM ${table} WHERE ${isComparedSql(table)}`

const removeExpired = (table: 'idempotency_key' | 'unique_key'): string =>
  `DELETE FROM ${table} WHERE id IN ` +
  `(SELECT id FROM ${table} WHERE expires_at_ms <= ? ORDER BY expires_at_ms, id LIMIT ?)`

const removeSame = (table: TableName): string => `DELETE FROM ${table} WHERE ${isComparedSql(table)}`

const isComparedSql = (table: TableName): string => isStoredSql(table, '', (_column, place) => `?${place}`)

/** The placeholders of a row's values. */
const placeholders = (table: TableName): string =>
  `VALUES (${storedColumnsOf(table)
    .map(() => '?')
    .join(', ')})`
