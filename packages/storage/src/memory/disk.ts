import type { Schema, TransactionRow } from '../schema.ts'
import { columnsOf, tables } from '../tables.ts'

/** The tables whose rows stand by their key alone. */
export type KeyedTable = Exclude<keyof Schema, 'payment_transaction'>

export type KeyedRows = { readonly [T in KeyedTable]: Map<string, Schema[T]> }

/**
 * Rows in memory by their key without the merchant, as `keyOf` gives it. Transactions stand by root in the order of
 * arrival, children also by id.
 */
export interface MemoryDisk extends KeyedRows {
  readonly transactionsOf: Map<string, TransactionRow[]>
  readonly rootOfChild: Map<string, string>
}

/** An empty disk. It outlives the storage that is opened on it, as a file would. */
export function memoryDisk(): MemoryDisk {
  const names = Object.keys(tables).filter((name) => name !== 'payment_transaction')
  const empty = names.map((name) => [name, new Map()])
  const keyed: KeyedRows = Object.fromEntries(empty)
  return { ...keyed, transactionsOf: new Map(), rootOfChild: new Map() }
}

/** All transactions, in no order. */
export const storedTransactions = (disk: MemoryDisk): TransactionRow[] => [...disk.transactionsOf.values()].flat()

/** Writes the row, in the place of the one with its key. */
export function put<T extends KeyedTable>(disk: KeyedRows, table: T, row: Schema[T]): void {
  const rows: Map<string, Schema[T]> = disk[table]
  rows.set(keyOf(table, row), copyOf(table, row))
}

/** Whether the row is stored, the same in every column. */
export function isStored<T extends KeyedTable>(disk: KeyedRows, table: T, row: Schema[T]): boolean {
  const rows: Map<string, Schema[T]> = disk[table]
  const stored = rows.get(keyOf(table, row))
  return stored !== undefined && isSame(table, stored, row)
}

/** What a row is found by. */
export const keyOf = <T extends keyof Schema>(table: T, row: Schema[T]): string =>
  tables[table].key
    .filter((column) => column !== 'merchant')
    .map((column) => String(Reflect.get(row, column)))
    .join('|')

/** Whether two rows are the same in every column. */
export function isSame<T extends keyof Schema>(table: T, one: Schema[T], other: Schema[T]): boolean {
  return columnsOf(table).every(([column]) => {
    const [cell, twin]: unknown[] = [Reflect.get(one, column), Reflect.get(other, column)]
    const areBytes = cell instanceof Uint8Array && twin instanceof Uint8Array
    return areBytes ? Buffer.compare(cell, twin) === 0 : cell === twin
  })
}

/** A copy of the row that shares nothing with it, as if it had been to a disk and back. */
export function copyOf<T extends keyof Schema>(table: T, row: Schema[T]): Schema[T] {
  const copy = { ...row }
  for (const column of bytesOf.get(table) ?? []) {
    const cell: unknown = Reflect.get(row, column)
    if (cell instanceof Uint8Array) Reflect.set(copy, column, Uint8Array.from(cell))
  }
  return copy
}

/** The columns that hold bytes, which a copy of a row would share with it. */
const bytesOf: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(tables).map(([table, { columns }]) => [
    table,
    Object.entries(columns).flatMap(([column, type]) => (type.startsWith('bytes') ? [column] : [])),
  ]),
)
