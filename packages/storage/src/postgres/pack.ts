import { columnsOf } from '../columns.ts'
import type { FlatUnit } from '../flat-unit.ts'
import { comparedValues, storedValues } from '../packed-columns.ts'
import { areSame, copyOfValues, keyTextOf, valuesOf } from '../row-values.ts'
import type { SqlValue } from '../sql-value.ts'
import { changeableTables, isReplacing, type TableName, writableTables } from '../tables.ts'

/**
 * The purpose of rows in a batch. version: trees and their expected versions. claim, unique: keys. check: rows that
 * must be unchanged. put: rows to write. change: rows that replace checked rows of tables to which `put` only adds.
 * remove: rows to delete.
 */
export type Relation = 'version' | 'claim' | 'unique' | `${'check' | 'put' | 'change' | 'remove'} ${TableName}`

/** A row of a relation. */
interface PackedRow {
  readonly relation: Relation
  /** The key within its table. */
  readonly key: string
  /** The values in the order of the relation's columns, without the place of the unit. */
  readonly cells: readonly SqlValue[]
}

/** A copy of a unit, which later changes of the unit's objects do not affect. */
export interface PackedUnit {
  /** The keys by which units are ordered: of two units with a common key, the later waits for the earlier's outcome. */
  readonly keys: ReadonlySet<string>
  readonly rows: readonly PackedRow[]
}

/**
 * Packs a checked unit. PostgreSQL can change a row only once in a statement, so each row is written only once, with
 * the result of all writes of the unit in their order.
 */
export function pack({ expectedVersions, claim, unique, compareAndSets, rows }: FlatUnit): PackedUnit {
  const keys = new Set<string>()
  const packedRows: PackedRow[] = []

  function add(relation: Relation, key: string, cells: readonly SqlValue[]): void {
    keys.add(key)
    packedRows.push({ relation, key, cells })
  }

  for (const { id, merchant, version } of expectedVersions) add('version', `tree ${id}`, [id, merchant, version])
  if (claim) add('claim', keyOf('idempotency_key', claim.values), claim.values)
  for (const [place, row] of unique.entries()) {
    const values = valuesOf('unique_key', row)
    add('unique', keyOf('unique_key', values), [place, ...values])
  }
  /** The last write to each row, by key. */
  const lastWrites = new Map<string, PackedRow>()
  for (const { table, from, to } of compareAndSets) {
    add(`check ${table}`, keyOf(table, from), comparedValues(table, copyOfValues(from)))
    if (to)
      lastWrites.set(keyOf(table, to), { relation: changeOf(table), key: keyOf(table, to), cells: cellsOf(table, to) })
  }
  for (const { table, values } of rows) {
    const key = keyOf(table, values)
    const packedRow = { relation: `put ${table}` as const, key, cells: cellsOf(table, values) }
    if (table === 'payment_transaction') {
      // Two units of a batch that add the same id are not ordered: one of them breaks a constraint in any order.
      packedRows.push(packedRow)
      // Another unit may change an undecided transaction.
      if (!isDecided(values)) keys.add(key)
    } else if (!isReplacing(table) && lastWrites.has(key)) packedRows.push(packedRow)
    else lastWrites.set(key, packedRow)
  }
  // A row is removed if it is still the expected row, and the unit adds no row with its key.
  for (const { table, from, to } of compareAndSets) {
    const [key, cells] = [keyOf(table, from), cellsOf(table, from)]
    const written = lastWrites.get(key)
    const isRemovable = !written || (isReplacing(table) && areSame(written.cells, cells))
    if (!to && isRemovable) lastWrites.set(key, { relation: `remove ${table}`, key, cells })
  }
  for (const { relation, key, cells } of lastWrites.values()) add(relation, key, cells)
  return { keys, rows: packedRows }
}

/** The values of a row in the order of the stored columns. */
const cellsOf = (table: TableName, values: readonly SqlValue[]): SqlValue[] => storedValues(table, copyOfValues(values))

const statusPlace = columnsOf('payment_transaction').findIndex(([column]) => column === 'status')

const isDecided = (values: readonly SqlValue[]): boolean =>
  values[statusPlace] === 'ACK' || values[statusPlace] === 'NOK'

/** Whether a changed row of the table is written by a relation of its own, because `put` only adds rows or claims. */
const isChangedApart = (table: TableName): boolean => table === 'idempotency_key' || !isReplacing(table)

const changeOf = (table: TableName): Relation => (isChangedApart(table) ? `change ${table}` : `put ${table}`)

const keyOf = (table: TableName, values: readonly SqlValue[]): string => `${table} ${keyTextOf(table, values)}`

/** A row with the place of its unit in the batch. */
export interface PlacedRow {
  readonly place: number
  readonly key: string
  readonly cells: readonly SqlValue[]
}

/** A batch: the rows of each relation, in the order of their keys. */
export type BatchRows = ReadonlyMap<Relation, readonly PlacedRow[]>

/** Relations in the order of their execution. */
export const relations: readonly Relation[] = [
  'version',
  'claim',
  'unique',
  ...changeableTables.map((table) => `check ${table}` as const),
  ...writableTables.map((table) => `put ${table}` as const),
  ...changeableTables.filter(isChangedApart).map((table) => `change ${table}` as const),
  ...changeableTables.map((table) => `remove ${table}` as const),
]

/** Joins the rows of units. They are sorted by key, because all processes must lock rows in one order. */
export function packTogether(units: readonly PackedUnit[]): BatchRows {
  const rowsOf = new Map<Relation, PlacedRow[]>()
  for (const [place, unit] of units.entries()) {
    for (const { relation, key, cells } of unit.rows) {
      const row = { place, key, cells }
      const relationRows = rowsOf.get(relation)
      if (relationRows) relationRows.push(row)
      else rowsOf.set(relation, [row])
    }
  }
  const packed = new Map<Relation, readonly PlacedRow[]>()
  for (const relation of relations) {
    const rows = rowsOf.get(relation)
    if (rows)
      packed.set(
        relation,
        rows.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))),
      )
  }
  return packed
}
