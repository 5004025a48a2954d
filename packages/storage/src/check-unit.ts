import { limits } from './limits.ts'
import type { ExpectedVersion, Unit } from './port.ts'
import type { Schema, TransactionRow } from './schema.ts'
import { StorageError } from './storage-error.ts'
import { columnsOf } from './columns.ts'
import { type ColumnType, tables, writableTables } from './tables.ts'

const accepts: Record<ColumnType, (value: unknown) => boolean> = {
  text: isText,
  packed: isText,
  integer: (value) => Number.isSafeInteger(value),
  bytes: (value) => value instanceof Uint8Array,
  'text?': (value) => value === null || isText(value),
  'integer?': (value) => value === null || Number.isSafeInteger(value),
  'bytes?': (value) => value === null || value instanceof Uint8Array,
}

/** Whether a value is a text without NUL, a character that PostgreSQL cannot store. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0')
}

/**
 * Refuses an invalid unit, equally for all dialects, before it shares a database transaction with other units.
 *
 * @throws StorageError `constraint`; the message names the table and column of a wrong value
 */
export function checkUnit(unit: Unit): void {
  let rowCount = 0
  for (const table of writableTables) {
    const rows = unit.rows[table]
    if (!rows) continue
    for (const row of rows) checkRow(table, row)
    rowCount += rows.length
  }
  if (rowCount > limits.unitRows) throw new StorageError('constraint', `the unit has too many rows: ${rowCount}`)
  if (unit.claim) checkRow('idempotency_key', unit.claim)
  for (const row of unit.unique ?? []) checkRow('unique_key', row)
  for (const { table, from, to } of unit.compareAndSets ?? []) {
    checkRow(table, from)
    if (to) checkRow(table, to)
    if (table === 'payment_transaction') checkChange(from, to)
    if (table === 'unique_key' && unit.unique?.some(({ id }) => id === from.id)) throw addedAndChanged(table)
    if (table === 'idempotency_key' && unit.claim?.id === from.id) throw addedAndChanged(table)
  }
  for (const { id, merchant, version } of unit.expectedVersions) checkRow('tree', { id, merchant, version })
  for (const expected of unit.expectedVersions) if (expected.version === 0) checkRootAdded(unit, expected)
  if (hasDuplicates(unit.expectedVersions))
    throw new StorageError('constraint', 'the unit expects two versions of one tree')
  if (unit.unique && hasDuplicates(unit.unique))
    throw new StorageError('constraint', 'the unit contains a unique key twice')
}

const hasDuplicates = (rows: readonly { readonly id: string }[]): boolean =>
  rows.length > 1 && new Set(rows.map(({ id }) => id)).size < rows.length

/** The version of a new tree follows from its root's row, so the unit that creates a tree adds its root. */
function checkRootAdded({ rows }: Unit, { id, merchant }: ExpectedVersion): void {
  const isRoot = (row: TransactionRow) => row.id === id && row.root_id === id && row.merchant === merchant
  const isAdded = rows.payment_transaction?.some(isRoot)
  if (!isAdded) throw new StorageError('constraint', 'the unit creates a tree without its root')
}

const addedAndChanged = (table: keyof Schema): StorageError =>
  new StorageError('constraint', `the unit both adds and changes a row of ${table}`)

/** A decided transaction is immutable, and the key of a transaction never changes. */
function checkChange(from: TransactionRow, to: TransactionRow): void {
  if (from.status === 'ACK' || from.status === 'NOK') {
    throw new StorageError('constraint', 'a decided payment_transaction cannot change')
  }
  for (const column of tables.payment_transaction.key) {
    if (Reflect.get(from, column) !== Reflect.get(to, column))
      throw new StorageError('constraint', `payment_transaction.${column} cannot change`)
  }
}

function checkRow(table: keyof Schema, row: object): void {
  for (const [column, type] of columnsOf(table)) {
    if (!accepts[type](Reflect.get(row, column))) {
      const required = type === 'packed' ? 'text' : type.replace('?', ' or null')
      throw new StorageError('constraint', `${table}.${column} must be ${required}`)
    }
  }
}
