import type { Schema, TransactionRow, VelocityRow } from '../schema.ts'
import { columnsOf, tables } from '../tables.ts'

/** The tables whose rows stand by their key alone. */
export type KeyedTable = Exclude<keyof Schema, 'payment_transaction' | 'velocity'>

type KeyedRows = { readonly [T in KeyedTable]: Map<string, Schema[T]> }

/**
 * Rows in memory by their key without the merchant, as `keyOf` gives it. Transactions stand by root in the order of arrival, children also by id; velocity
 * stands by counter and merchant.
 */
export interface MemoryDisk extends KeyedRows {
  readonly transactionsOf: Map<string, TransactionRow[]>
  readonly rootOfChild: Map<string, string>
  readonly velocityOf: Map<string, VelocityRow[]>
}

/** An empty disk. It outlives the storage that is opened on it, as a file would. */
export function memoryDisk(): MemoryDisk {
  return {
    installation: new Map(),
    entity: new Map(),
    risk_rules: new Map(),
    access_token: new Map(),
    tree: new Map(),
    account: new Map(),
    registration: new Map(),
    idempotency_key: new Map(),
    unique_key: new Map(),
    job: new Map(),
    event: new Map(),
    delivery_attempt: new Map(),
    webhook: new Map(),
    webhook_key: new Map(),
    schedule: new Map(),
    transactionsOf: new Map(),
    rootOfChild: new Map(),
    velocityOf: new Map(),
  }
}

/** Writes the row, in the place of the one with its key. */
export function put<T extends KeyedTable>(disk: KeyedRows, table: T, row: Schema[T]): void {
  const rows: Map<string, Schema[T]> = disk[table]
  rows.set(keyOf(table, row), copyOf(table, row))
}

/** What a row is found by. */
export const keyOf = <T extends keyof Schema>(table: T, row: Schema[T]): string =>
  tables[table].key
    .filter((column) => column !== 'merchant')
    .map((column) => String(Reflect.get(row, column)))
    .join('|')

/** Where the rows of a counter stand. */
export const velocityKey = ({ counter, merchant }: Pick<VelocityRow, 'counter' | 'merchant'>): string =>
  JSON.stringify([counter, merchant])

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
  const cells = columnsOf(table).map(([column]) => {
    const cell: unknown = Reflect.get(row, column)
    return [column, cell instanceof Uint8Array ? Uint8Array.from(cell) : cell]
  })
  return Object.fromEntries(cells)
}
