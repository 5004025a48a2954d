import type { Schema, TransactionRow, TreeRow } from '../schema.ts'
import { areSame, keyText, valuesOf } from '../row-values.ts'
import { columnsOf } from '../columns.ts'
import { addedColumns, tableNames } from '../tables.ts'

/** The tables that are stored as maps of rows by key. */
export type KeyedTable = Exclude<keyof Schema, 'payment_transaction'>

export type KeyedRows = { readonly [T in KeyedTable]: Map<string, Schema[T]> }

/**
 * Rows in memory by `keyText`. Transactions are stored by the id of their root, in the order of arrival; `rootOfChild`
 * maps the id of a child to the id of its root.
 */
export interface MemoryDisk extends KeyedRows {
  readonly transactionsOf: Map<string, TransactionRow[]>
  readonly rootOfChild: Map<string, string>
}

/** An empty disk. It outlives the storage that is opened on it, as a file would. */
export function memoryDisk(): MemoryDisk {
  const names = tableNames.filter((name) => name !== 'payment_transaction')
  const emptyMaps = names.map((name) => [name, new Map()])
  const keyed: KeyedRows = Object.fromEntries(emptyMaps)
  return { ...keyed, transactionsOf: new Map(), rootOfChild: new Map() }
}

/** All transactions, in no order. */
export const storedTransactions = (disk: MemoryDisk): TransactionRow[] => [...disk.transactionsOf.values()].flat()

/** The version of a stored tree, with its id and merchant. A tree without a row in `tree` is at version 1. */
export function treeRowOf({ tree, transactionsOf }: MemoryDisk, id: string): TreeRow | undefined {
  const root = transactionsOf.get(id)?.find((row) => row.id === id)
  return root && (tree.get(id) ?? { id, merchant: root.merchant, version: 1 })
}

/** Stores a row. It replaces a stored row with the same key. */
export function put<T extends KeyedTable>(disk: KeyedRows, table: T, row: Schema[T]): void {
  const rows: Map<string, Schema[T]> = disk[table]
  rows.set(keyText(table, row), copyOf(table, row))
}

/** Stores a row, with its integers added to those of the stored row with the same key. */
export function accumulate<T extends KeyedTable>(disk: KeyedRows, table: T, row: Schema[T]): void {
  const rows: Map<string, Schema[T]> = disk[table]
  const stored = rows.get(keyText(table, row))
  const sum = { ...row }
  for (const column of stored ? addedColumns(table) : [])
    Reflect.set(sum, column, Number(Reflect.get(row, column)) + Number(Reflect.get(stored ?? row, column)))
  put(disk, table, sum)
}

/** Whether the row is stored with the same value in every column. */
export function isStored<T extends KeyedTable>(disk: KeyedRows, table: T, row: Schema[T]): boolean {
  const rows: Map<string, Schema[T]> = disk[table]
  const stored = rows.get(keyText(table, row))
  return stored !== undefined && isSame(table, stored, row)
}

/** Whether two rows are the same in every column. */
export const isSame = <T extends keyof Schema>(table: T, a: Schema[T], b: Schema[T]): boolean =>
  areSame(valuesOf(table, a), valuesOf(table, b))

/** A deep copy of the row, as if it were read from a disk. */
export function copyOf<T extends keyof Schema>(table: T, row: Schema[T]): Schema[T] {
  const copy = { ...row }
  for (const column of bytesColumns.get(table) ?? []) {
    const value: unknown = Reflect.get(row, column)
    if (value instanceof Uint8Array) Reflect.set(copy, column, Uint8Array.from(value))
  }
  return copy
}

/** The columns of type bytes, by table. */
const bytesColumns: ReadonlyMap<string, readonly string[]> = new Map(
  tableNames.map((table) => [
    table,
    columnsOf(table).flatMap(([column, type]) => (type.startsWith('bytes') ? [column] : [])),
  ]),
)
