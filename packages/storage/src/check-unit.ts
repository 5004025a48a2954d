import { limits } from './limits.ts'
import type { ExpectedVersion, Unit } from './port.ts'
import type { Schema, TransactionRow } from './schema.ts'
import { StorageError } from './storage-error.ts'
import { columnsOf } from './columns.ts'
import type { FlatRow, FlatUnit } from './flat-unit.ts'
import { keyTextOf } from './row-values.ts'
import type { SqlValue } from './sql-value.ts'
import { type ColumnType, isAccumulating, type TableName, tableNames, tables, writableTables } from './tables.ts'

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
 * @returns the unit with its rows as values, because each access to a column by its name takes time
 * @throws StorageError `constraint`; the message names the table and column of a wrong value
 */
export function checkUnit(unit: Unit): FlatUnit {
  const rows: FlatRow[] = []
  for (const table of writableTables) {
    for (const row of unit.rows[table] ?? []) rows.push({ table, values: checkRow(table, row) })
  }
  for (const table of accumulatingTables) if (unit.rows[table]) checkKeysDiffer(table, rows)
  if (rows.length > limits.unitRows) throw new StorageError('constraint', `the unit has too many rows: ${rows.length}`)
  const claim = unit.claim && {
    id: unit.claim.id,
    atMs: unit.claim.created_at_ms,
    values: checkRow('idempotency_key', unit.claim),
  }
  const unique = unit.unique ?? []
  for (const row of unique) checkRow('unique_key', row)
  const compareAndSets = (unit.compareAndSets ?? []).map(({ table, from, to }) => {
    const flat = { table, from: checkRow(table, from), to: to ? checkRow(table, to) : undefined }
    if (table === 'payment_transaction') checkChange(from, to)
    if (table === 'unique_key' && unique.some(({ id }) => id === from.id)) throw addedAndChanged(table)
    if (table === 'idempotency_key' && unit.claim?.id === from.id) throw addedAndChanged(table)
    return flat
  })
  for (const { id, merchant, version } of unit.expectedVersions) checkRow('tree', { id, merchant, version })
  for (const expected of unit.expectedVersions) if (expected.version === 0) checkRootAdded(unit, expected)
  if (hasDuplicates(unit.expectedVersions))
    throw new StorageError('constraint', 'the unit expects two versions of one tree')
  if (hasDuplicates(unique)) throw new StorageError('constraint', 'the unit contains a unique key twice')
  return { expectedVersions: unit.expectedVersions, claim, unique, compareAndSets, rows }
}

const accumulatingTables = writableTables.filter(isAccumulating)

/** PostgreSQL cannot add to a row twice in one statement. */
function checkKeysDiffer(table: TableName, rows: readonly FlatRow[]): void {
  const keys = rows.flatMap((row) => (row.table === table ? [keyTextOf(table, row.values)] : []))
  if (keys.length > 1 && new Set(keys).size < keys.length)
    throw new StorageError('constraint', `the unit adds to a row of ${table} twice`)
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

interface CheckedColumn {
  readonly column: string
  readonly type: ColumnType
  readonly accept: (value: unknown) => boolean
}

const checkedColumns = new Map(
  tableNames.map((table) => [
    table,
    columnsOf(table).map(([column, type]): CheckedColumn => ({ column, type, accept: accepts[type] })),
  ]),
)

/** The values of a row in the order of the columns. */
function checkRow(table: keyof Schema, row: object): SqlValue[] {
  const columns = checkedColumns.get(table) ?? []
  return columns.map(({ column, type, accept }) => {
    const value: SqlValue = Reflect.get(row, column)
    if (!accept(value)) {
      const required = type === 'packed' ? 'text' : type.replace('?', ' or null')
      throw new StorageError('constraint', `${table}.${column} must be ${required}`)
    }
    return value
  })
}
