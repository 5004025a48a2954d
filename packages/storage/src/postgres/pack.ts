import type { Unit } from '../port.ts'
import { areSame, keyText, valuesOf } from '../row-values.ts'
import type { Schema } from '../schema.ts'
import { type ChangeableTable, changeableTables, isReplacing, type WritableTable, writableTables } from '../tables.ts'
import type { SqlValue } from '../sql-value.ts'
import { comparedValues, storedValues } from '../packed-columns.ts'

/**
 * The purpose of rows in a batch. version: trees and their expected versions. claim, unique: keys. check: rows that
 * must be unchanged. put: rows to write. change: rows that replace checked rows of tables to which `put` only adds.
 * remove: rows to delete.
 */
export type Relation =
  | 'version'
  | 'claim'
  | 'unique'
  | `check ${keyof Schema}`
  | `put ${WritableTable}`
  | `change ${ChangeableTable}`
  | `remove ${keyof Schema}`

/** A row of a relation. */
interface PackedRow {
  readonly relation: Relation
  /** The key within its table. */
  readonly key: string
  /** The values in the order of the relation's columns, without the place of the unit, which `packTogether` adds. */
  readonly cells: readonly SqlValue[]
}

/** A copy of a unit, which later changes of the unit's objects do not affect. */
export interface PackedUnit {
  /** The keys by which units are ordered: of two units with a common key, the later waits for the earlier's outcome. */
  readonly keys: ReadonlySet<string>
  readonly rows: readonly PackedRow[]
}

/**
 * Flattens a checked unit. PostgreSQL can change a row only once in a statement, so each row is written only once,
 * with the result of all writes of the unit in their order.
 */
export function pack(unit: Unit): PackedUnit {
  const keys = new Set<string>()
  const packedRows: PackedRow[] = []

  function add(relation: Relation, key: string, cells: readonly SqlValue[]): void {
    keys.add(key)
    packedRows.push({ relation, key, cells })
  }

  for (const { id, merchant, version } of unit.expectedVersions) add('version', `tree ${id}`, [id, merchant, version])
  if (unit.claim) add('claim', keyOf('idempotency_key', unit.claim), valuesOf('idempotency_key', unit.claim))
  for (const [place, row] of unit.unique?.entries() ?? []) {
    add('unique', keyOf('unique_key', row), [place, ...valuesOf('unique_key', row)])
  }
  // Two units of a batch that add the same id are not ordered, because one of them breaks a constraint in any order.
  for (const row of unit.rows.payment_transaction ?? []) {
    packedRows.push({ relation: 'put payment_transaction', key: row.id, cells: cellsOf('payment_transaction', row) })
    // Another unit may change an undecided transaction.
    if (row.status !== 'ACK' && row.status !== 'NOK') keys.add(keyOf('payment_transaction', row))
  }
  /** The last write to each row, by key. */
  const lastWrites = new Map<string, PackedRow>()
  for (const { table, from, to } of unit.compareAndSets ?? []) {
    add(`check ${table}`, keyOf(table, from), comparedValues(table, valuesOf(table, from)))
    if (to)
      lastWrites.set(keyOf(table, to), { relation: changeOf(table), key: keyOf(table, to), cells: cellsOf(table, to) })
  }
  for (const table of plainTables) {
    for (const row of unit.rows[table] ?? []) {
      const packedRow = { relation: `put ${table}` as const, key: keyOf(table, row), cells: cellsOf(table, row) }
      if (!isReplacing(table) && lastWrites.has(packedRow.key)) packedRows.push(packedRow)
      else lastWrites.set(packedRow.key, packedRow)
    }
  }
  // A row is removed if it is still the expected row, and the unit adds no row with its key.
  for (const { table, from, to } of unit.compareAndSets ?? []) {
    const [key, cells] = [keyOf(table, from), cellsOf(table, from)]
    const written = lastWrites.get(key)
    const isRemovable = !written || (isReplacing(table) && areSame(written.cells, cells))
    if (!to && isRemovable) lastWrites.set(key, { relation: `remove ${table}`, key, cells })
  }
  for (const { relation, key, cells } of lastWrites.values()) add(relation, key, cells)
  return { keys, rows: packedRows }
}

/** The values of a row in the order of the stored columns. */
const cellsOf = (table: keyof Schema, row: object): SqlValue[] => storedValues(table, valuesOf(table, row))

const plainTables = writableTables.filter((table) => table !== 'payment_transaction')

const changeOf = (table: ChangeableTable): Relation =>
  table === 'payment_transaction' || table === 'idempotency_key' ? `change ${table}` : `put ${table}`

const keyOf = <T extends keyof Schema>(table: T, row: Schema[T]): string => `${table} ${keyText(table, row)}`

/** A batch: the rows of each relation, in the order of their keys, with the places of their units. */
export type BatchRows = ReadonlyMap<Relation, readonly (readonly SqlValue[])[]>

/** Relations in the order of their execution. */
export const relations: readonly Relation[] = [
  'version',
  'claim',
  'unique',
  ...changeableTables.map((table) => `check ${table}` as const),
  ...writableTables.map((table) => `put ${table}` as const),
  'change payment_transaction',
  'change idempotency_key',
  ...changeableTables.map((table) => `remove ${table}` as const),
]

/** Joins the rows of units. They are sorted by key, because all processes must lock rows in one order. */
export function packTogether(units: readonly PackedUnit[]): BatchRows {
  const rowsOf = new Map<Relation, { key: string; cells: SqlValue[] }[]>()
  for (const [place, unit] of units.entries()) {
    for (const { relation, key, cells } of unit.rows) {
      const row = { key, cells: [place, ...cells] }
      const relationRows = rowsOf.get(relation)
      if (relationRows) relationRows.push(row)
      else rowsOf.set(relation, [row])
    }
  }
  const packed = new Map<Relation, SqlValue[][]>()
  for (const relation of relations) {
    const sorted = rowsOf.get(relation)?.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    if (sorted)
      packed.set(
        relation,
        sorted.map(({ cells }) => cells),
      )
  }
  return packed
}
