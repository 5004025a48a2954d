import type { Schema, TransactionRow, VelocityRow } from '../schema.ts'
import { columnsOf } from '../tables.ts'

/**
 * Rows in memory by their id or name. Transactions stand by root in the order of arrival, children also by id; velocity
 * stands by counter and merchant.
 */
export type MemoryDisk = {
  readonly [T in Exclude<keyof Schema, 'payment_transaction' | 'velocity'>]: Map<string, Schema[T]>
} & {
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
    transactionsOf: new Map(),
    rootOfChild: new Map(),
    velocityOf: new Map(),
  }
}

/** Where the rows of a counter stand. */
export const velocityKey = ({ counter, merchant }: Pick<VelocityRow, 'counter' | 'merchant'>): string =>
  JSON.stringify([counter, merchant])

/** All that counts, the oldest first. */
export function inAge({ velocityOf }: MemoryDisk): VelocityRow[] {
  const rank = ({ counter, merchant, id }: VelocityRow): string => JSON.stringify([counter, merchant, id])
  return [...velocityOf.values()]
    .flat()
    .toSorted((a, b) => a.created_at_ms - b.created_at_ms || (rank(a) < rank(b) ? -1 : 1))
}

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
