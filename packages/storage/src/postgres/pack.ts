import type { Unit } from '../port.ts'
import type { Schema, ChangeableTable, WritableTable } from '../schema.ts'
import { columnsOf, changeableTables, tables, writableTables } from '../tables.ts'
import type { SqlValue } from '../sql-value.ts'

/**
 * What the rows of a batch are for. guard: trees and their versions. claim, unique: keys. check: rows that must still
 * be as they were read. put: rows to write. change: rows to write over those that were checked, of tables whose new
 * rows are another matter. remove: rows to delete.
 */
export type Relation =
  | 'guard'
  | 'claim'
  | 'unique'
  | `check ${keyof Schema}`
  | `put ${WritableTable}`
  | `change ${ChangeableTable}`
  | `remove ${keyof Schema}`

/** One row for a relation. */
interface Line {
  readonly relation: Relation
  /** What its table finds it by. */
  readonly key: string
  /** In the order of the relation's columns. */
  readonly cells: readonly SqlValue[]
}

/** A unit as it was handed over, whatever becomes of the objects that it came in. */
export interface PackedUnit {
  /** Everything that it may wait for, or another unit for it: of two units that share one, the later goes later. */
  readonly keys: ReadonlySet<string>
  readonly lines: readonly Line[]
}

/**
 * Flattens a checked unit. PostgreSQL runs the parts of a statement without an order, so that a row may be written once
 * in a unit: what counts is what rows that are written one after the other would leave.
 */
export function pack(unit: Unit): PackedUnit {
  const keys = new Set<string>()
  const lines: Line[] = []

  function add(relation: Relation, key: string, cells: readonly SqlValue[]): void {
    keys.add(key)
    lines.push({ relation, key, cells })
  }

  for (const { id, merchant, version } of unit.expectedVersions) add('guard', `tree ${id}`, [id, merchant, version])
  if (unit.claim) add('claim', keyOf('idempotency_key', unit.claim), cellsOf('idempotency_key', unit.claim))
  for (const [place, row] of unit.unique?.entries() ?? []) {
    add('unique', keyOf('unique_key', row), [place, ...cellsOf('unique_key', row)])
  }
  // No two units of a batch may add one id either, but no unit waits for that: one of them breaks a constraint.
  for (const row of unit.rows.payment_transaction ?? []) {
    lines.push({ relation: 'put payment_transaction', key: row.id, cells: cellsOf('payment_transaction', row) })
    // But another unit may change one that is not decided yet.
    if (row.status !== 'ACK' && row.status !== 'NOK') keys.add(keyOf('payment_transaction', row))
  }
  const last = new Map<string, Line>()
  for (const { table, from, to } of unit.compareAndSets ?? []) {
    add(`check ${table}`, keyOf(table, from), cellsOf(table, from))
    if (to) last.set(keyOf(table, to), { relation: changeOf(table), key: keyOf(table, to), cells: cellsOf(table, to) })
  }
  for (const table of plainTables) {
    for (const row of unit.rows[table] ?? []) {
      const line = { relation: `put ${table}` as const, key: keyOf(table, row), cells: cellsOf(table, row) }
      if (tables[table].write === 'add' && last.has(line.key)) lines.push(line)
      else last.set(line.key, line)
    }
  }
  // Only where the row still is what the removal starts from, and none was added that is there already.
  for (const { table, from, to } of unit.compareAndSets ?? []) {
    const [key, cells] = [keyOf(table, from), cellsOf(table, from)]
    const written = last.get(key)
    const isLeft = !written || (tables[table].write === 'replace' && isSame(written.cells, cells))
    if (!to && isLeft) last.set(key, { relation: `remove ${table}`, key, cells })
  }
  for (const { relation, key, cells } of last.values()) add(relation, key, cells)
  return { keys, lines }
}

const plainTables = writableTables.filter((table) => table !== 'payment_transaction')

const changeOf = (table: ChangeableTable): Relation =>
  table === 'payment_transaction' || table === 'idempotency_key' ? `change ${table}` : `put ${table}`

/** A table and what its row is found by; no id is ever used by two merchants. */
function keyOf(table: keyof Schema, row: object): string {
  let key: string = table
  for (const column of tables[table].key) if (column !== 'merchant') key += ` ${String(Reflect.get(row, column))}`
  return key
}

function cellsOf(table: keyof Schema, row: object): SqlValue[] {
  return columnsOf(table).map(([column]) => {
    const cell: SqlValue = Reflect.get(row, column)
    return cell instanceof Uint8Array ? Uint8Array.from(cell) : cell
  })
}

function isSame(some: readonly SqlValue[], others: readonly SqlValue[]): boolean {
  return some.every((cell, index) => {
    const other = others[index]
    const areBytes = cell instanceof Uint8Array && other instanceof Uint8Array
    return areBytes ? Buffer.compare(cell, other) === 0 : cell === other
  })
}

/** A batch: for each relation that has rows, its rows with the places of their units, by key. */
export type Packed = ReadonlyMap<Relation, readonly (readonly SqlValue[])[]>

/** Relations in the order in which a statement comes to them. */
export const relations: readonly Relation[] = [
  'guard',
  'claim',
  'unique',
  ...changeableTables.map((table) => `check ${table}` as const),
  ...writableTables.map((table) => `put ${table}` as const),
  'change payment_transaction',
  'change idempotency_key',
  ...changeableTables.map((table) => `remove ${table}` as const),
]

/** Rows in the order of their keys, because all processes must come to the rows that they lock in one order. */
export function packTogether(units: readonly PackedUnit[]): Packed {
  const lines = new Map<Relation, { key: string; cells: SqlValue[] }[]>()
  for (const [place, unit] of units.entries()) {
    for (const { relation, key, cells } of unit.lines) {
      const line = { key, cells: [place, ...cells] }
      const others = lines.get(relation)
      if (others) others.push(line)
      else lines.set(relation, [line])
    }
  }
  const packed = new Map<Relation, SqlValue[][]>()
  for (const relation of relations) {
    const found = lines.get(relation)?.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    if (found)
      packed.set(
        relation,
        found.map(({ cells }) => cells),
      )
  }
  return packed
}
