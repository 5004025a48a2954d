import { checkUnit } from '../check-unit.ts'
import { limits } from '../limits.ts'
import type { CommitResult, Unit } from '../port.ts'
import { keyText } from '../row-values.ts'
import type { Schema, TransactionRow } from '../schema.ts'
import { StorageError } from '../storage-error.ts'
import { isAccumulating, isReplacing, type WritableTable, writableTables } from '../tables.ts'
import { TRANSACTIONS } from '../transaction-feed.ts'
import { accumulate, copyOf, isSame, isStored, type KeyedTable, type MemoryDisk, put, treeRowOf } from './disk.ts'

/**
 * Commits a unit of work as a whole or not at all. Tests compare the other dialects with this function.
 *
 * @throws StorageError `constraint`; nothing was written
 */
export function commitToMemory(disk: MemoryDisk, unit: Unit): CommitResult {
  checkUnit(unit)
  const claimed = unit.claim && unexpired(disk.idempotency_key, unit.claim)
  if (claimed) return { kind: 'claimed', row: copyOf('idempotency_key', claimed) }
  for (const expected of unit.expectedVersions) {
    const tree = treeRowOf(disk, expected.id)
    const isMet = tree
      ? tree.merchant === expected.merchant && tree.version === expected.version
      : expected.version === 0
    if (!isMet) return { kind: 'stale' }
  }
  const conflict = unit.unique?.map((row) => unexpired(disk.unique_key, row)).find((row) => row !== undefined)
  if (conflict) return { kind: 'conflict', row: copyOf('unique_key', conflict) }
  for (const compareAndSet of unit.compareAndSets ?? []) {
    const { table, from } = compareAndSet
    const isUnchanged = table === 'payment_transaction' ? isTransactionStored(disk, from) : isStored(disk, table, from)
    if (!isUnchanged) return { kind: 'stale' }
  }
  const { payment_transaction: transactions = [], ...otherRows } = unit.rows
  refuseDuplicateIds(disk, transactions)
  for (const table of addedTables) refuseDuplicateKeys(disk, table, otherRows[table])

  for (const { id, merchant, version } of unit.expectedVersions)
    if (version > 0) disk.tree.set(id, { id, merchant, version: version + 1 })
  if (unit.claim) addExpiring(disk.idempotency_key, 'idempotency_key', [unit.claim])
  addExpiring(disk.unique_key, 'unique_key', unit.unique ?? [])
  const closedBefore = disk.transaction_feed.get(TRANSACTIONS)?.closed_before ?? ''
  const markLate = ({ id, status, merchant }: TransactionRow) => {
    if (id < closedBefore) put(disk, 'late_transaction', { id, status, merchant })
  }
  for (const row of transactions) {
    addTransaction(disk, row)
    markLate(row)
  }
  for (const { table, to } of unit.compareAndSets ?? []) {
    if (table === 'payment_transaction') {
      changeTransaction(disk, to)
      markLate(to)
    } else if (to) put(disk, table, to)
  }
  for (const table of plainTables) putAll(disk, table, otherRows[table])
  for (const { table, from, to } of unit.compareAndSets ?? []) {
    if (table !== 'payment_transaction' && !to && isStored(disk, table, from)) disk[table].delete(keyText(table, from))
  }
  return { kind: 'committed' }
}

/** Refuses a root with the id of another root, and a child with the id of another child. */
function refuseDuplicateIds(disk: MemoryDisk, transactions: readonly TransactionRow[]): void {
  const added = new Set<string>()
  for (const { root_id: root, id } of transactions) {
    const isChild = id !== root
    const isDuplicate = isChild ? disk.rootOfChild.has(id) : disk.transactionsOf.get(root)?.some((row) => row.id === id)
    const key = isChild ? `child ${id}` : `root ${id}`
    if (isDuplicate || added.has(key)) throw new StorageError('constraint', 'payment_transaction.id exists already')
    added.add(key)
  }
}

function addTransaction(disk: MemoryDisk, row: TransactionRow): void {
  const siblings = disk.transactionsOf.get(row.root_id) ?? []
  siblings.push(copyOf('payment_transaction', row))
  disk.transactionsOf.set(row.root_id, siblings)
  if (row.id !== row.root_id) disk.rootOfChild.set(row.id, row.root_id)
}

const isTransactionStored = (disk: MemoryDisk, row: TransactionRow): boolean =>
  disk.transactionsOf.get(row.root_id)?.some((stored) => isSame('payment_transaction', stored, row)) ?? false

function changeTransaction(disk: MemoryDisk, row: TransactionRow): void {
  const siblings = disk.transactionsOf.get(row.root_id) ?? []
  const index = siblings.findIndex(({ id }) => id === row.id)
  siblings.splice(index, 1, copyOf('payment_transaction', row))
}

/** Refuses keys that are stored or occur twice in the unit. */
function refuseDuplicateKeys<T extends PlainTable>(disk: MemoryDisk, table: T, rows: readonly Schema[T][] = []): void {
  const keys = rows.map((row) => keyText(table, row))
  if (new Set(keys).size < keys.length || keys.some((key) => disk[table].has(key))) {
    throw new StorageError('constraint', `${table}: a key exists already`)
  }
}

/** A row that is unique until it expires. */
interface ExpiringRow {
  readonly id: string
  readonly created_at_ms: number
  readonly expires_at_ms: number | null
}

/** The stored row with the id of a new row, unless it has expired when the new row is created. */
function unexpired<Row extends ExpiringRow>(rows: ReadonlyMap<string, Row>, { id, created_at_ms: atMs }: Row) {
  const row = rows.get(id)
  return row && (row.expires_at_ms ?? Infinity) > atMs ? row : undefined
}

/** Adds rows and, for each of them, removes a few expired rows, the longest expired first. */
function addExpiring<T extends 'idempotency_key' | 'unique_key'>(
  rows: Map<string, Schema[T]>,
  table: T,
  added: readonly Schema[T][],
): void {
  if (added.length === 0) return
  for (const row of added) rows.set(row.id, copyOf(table, row))
  const atMs = Math.max(...added.map((row) => row.created_at_ms))
  const expired = [...rows.values()]
    .map(({ id, expires_at_ms: endMs }) => ({ id, endMs: endMs ?? Infinity }))
    .filter(({ endMs }) => endMs <= atMs)
    .toSorted((a, b) => a.endMs - b.endMs || (a.id < b.id ? -1 : 1))
  for (const { id } of expired.slice(0, added.length * limits.expiredRemoved)) rows.delete(id)
}

type PlainTable = Extract<WritableTable, KeyedTable>

/** The tables of a unit's rows, except transactions. */
const plainTables = writableTables.filter(isPlain)

function isPlain(table: WritableTable): table is PlainTable {
  return table !== 'payment_transaction'
}

/** The tables whose rows break a constraint if their key is stored. */
const addedTables = plainTables.filter((table) => !isReplacing(table) && !isAccumulating(table))

function putAll<T extends PlainTable>(disk: MemoryDisk, table: T, rows: readonly Schema[T][] = []): void {
  const write = isAccumulating(table) ? accumulate : put
  for (const row of rows) write(disk, table, row)
}
