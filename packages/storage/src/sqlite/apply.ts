import { limits } from '../limits.ts'
import type { CommitResult } from '../port.ts'
import type { IdempotencyRow, Schema, TreeRow, UniqueKeyRow } from '../schema.ts'
import { StorageError, type StorageErrorKind } from '../storage-error.ts'
import { columnsOf, changeableTables, tables, writableTables } from '../tables.ts'
import type { Database } from './database.ts'
import { faultEffectOf, storageErrorOf } from './faults.ts'
import type { FlatUnit } from './pack.ts'

/** An error as it crosses from the writer to its callers. */
export interface Failure {
  readonly kind: 'failed'
  readonly error: { readonly kind: StorageErrorKind; readonly message: string }
}

export type Outcome = CommitResult | Failure

/**
 * Prepares the writer's statements; the returned function commits units in one transaction and tells how each ended.
 *
 * Units run in the order of their arrival. One whose guard, claim, unique key or swap fails has written nothing yet, so
 * that no savepoint is needed, and a later unit of the same batch may already see the tree or key of an earlier one:
 * nobody is told before all of them are on disk. If one breaks the transaction, all of them run again, each in its own.
 * @throws StorageError `unknown` when the disk or the database cannot be trusted any more.
 */
export function applier(database: Database): (units: readonly FlatUnit[]) => Outcome[] {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const treeById = database.prepare('SELECT merchant, version FROM tree WHERE id = ?')
  const createTree = database.prepare('INSERT INTO tree (version, id, merchant) VALUES (?, ?, ?)')
  const moveTree = database.prepare('UPDATE tree SET version = ? WHERE id = ? AND merchant = ?')
  const keyById = database.prepare('SELECT * FROM idempotency_key WHERE id = ?')
  const insertKey = database.prepare(insertInto('idempotency_key'))
  const uniqueById = database.prepare('SELECT * FROM unique_key WHERE id = ?')
  const insertUnique = database.prepare(insertInto('unique_key'))
  const removeExpiredKeys = database.prepare(removeExpired('idempotency_key'))
  const removeExpiredUnique = database.prepare(removeExpired('unique_key'))
  const sames = new Map(changeableTables.map((table) => [table, database.prepare(selectSame(table))]))
  const removals = new Map(changeableTables.map((table) => [table, database.prepare(removeSame(table))]))
  const inserts = new Map(writableTables.map((table) => [table, database.prepare(insertInto(table))]))
  const replacements = new Map(changeableTables.map((table) => [table, database.prepare(replaceIn(table))]))

  function applyUnit(unit: FlatUnit): CommitResult {
    if (unit.claim) {
      const row: IdempotencyRow | undefined = keyById.get(unit.claim.id)
      if (row && row.expires_at_ms > unit.claim.atMs) return { kind: 'claimed', row }
    }
    for (const guard of unit.expectedVersions) {
      const tree: Omit<TreeRow, 'id'> | undefined = treeById.get(guard.id)
      const isMet = tree ? tree.merchant === guard.merchant && tree.version === guard.version : guard.version === 0
      if (!isMet) return { kind: 'stale' }
    }
    for (const { id, created_at_ms: atMs } of unit.unique) {
      const row: UniqueKeyRow | undefined = uniqueById.get(id)
      if (row && (row.expires_at_ms ?? Infinity) > atMs) return { kind: 'taken', row }
    }
    for (const { table, from } of unit.compareAndSets) if (!sames.get(table)?.get(...from)) return { kind: 'stale' }
    for (const { id, merchant, version } of unit.expectedVersions) {
      ;(version === 0 ? createTree : moveTree).run(version + 1, id, merchant)
    }
    if (unit.claim) {
      insertKey.run(...unit.claim.row)
      removeExpiredKeys.run(unit.claim.atMs, limits.expiredRemoved)
    }
    for (const { id, merchant, transaction_id, created_at_ms, expires_at_ms } of unit.unique) {
      insertUnique.run(id, merchant, transaction_id, created_at_ms, expires_at_ms)
      removeExpiredUnique.run(created_at_ms, limits.expiredRemoved)
    }
    for (const { table, to } of unit.compareAndSets) if (to) replacements.get(table)?.run(...to)
    for (const { table, values } of unit.rows) inserts.get(table)?.run(...values)
    for (const { table, from, to } of unit.compareAndSets) if (!to) removals.get(table)?.run(...from)
    return { kind: 'committed' }
  }

  function transaction(units: readonly FlatUnit[]): Outcome[] {
    try {
      begin.run()
      const outcomes = units.map(applyUnit)
      commit.run()
      return outcomes
    } catch (error) {
      // A full disk has rolled back by itself.
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  return function applyUnits(units): Outcome[] {
    try {
      return transaction(units)
    } catch (error) {
      const consequence = faultEffectOf(error)
      const { kind, message } = storageErrorOf(error)
      if (consequence === 'stop') throw new StorageError(kind, message, { cause: error })
      if (consequence === 'alone' && units.length > 1) return units.flatMap((unit) => applyUnits([unit]))
      return units.map(() => ({ kind: 'failed', error: { kind, message } }))
    }
  }
}

/** Finds the row that is the same in every column. */
const selectSame = (table: keyof Schema): string => `SELECT 1 FROM ${table} WHERE ${isSame(table)}`

const removeExpired = (table: 'idempotency_key' | 'unique_key'): string =>
  `DELETE FROM ${table} WHERE id IN ` +
  `(SELECT id FROM ${table} WHERE expires_at_ms <= ? ORDER BY expires_at_ms, id LIMIT ?)`

const removeSame = (table: keyof Schema): string => `DELETE FROM ${table} WHERE ${isSame(table)}`

const isSame = (table: keyof Schema): string =>
  columnsOf(table)
    .map(([column]) => `${column} IS ?`)
    .join(' AND ')

const insertInto = (table: keyof Schema): string =>
  tables[table].write === 'replace' ? replaceIn(table) : addTo(table)

function addTo(table: keyof Schema): string {
  const columns = columnsOf(table).map(([column]) => column)
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
}

function replaceIn(table: keyof Schema): string {
  const keys: readonly string[] = tables[table].key
  const changed = columnsOf(table).filter(([column]) => !keys.includes(column))
  const set = changed.map(([column]) => `${column} = excluded.${column}`).join(', ')
  return `${addTo(table)} ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${set}`
}
