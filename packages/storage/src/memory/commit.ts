import { checkUnit } from '../check-unit.ts'
import { limits } from '../limits.ts'
import type { CommitResult, Unit } from '../port.ts'
import type { Schema, TransactionRow, VelocityRow, WritableTable } from '../schema.ts'
import { StorageError } from '../storage-error.ts'
import { writableTables } from '../tables.ts'
import { copyOf, isSame, type KeyedTable, keyOf, type MemoryDisk, put, velocityKey } from './disk.ts'

/**
 * Commits one unit at once: what every other dialect must amount to.
 * @throws StorageError `constraint`; nothing was written.
 */
export function commitToMemory(disk: MemoryDisk, unit: Unit): CommitResult {
  checkUnit(unit)
  const claimed = unit.claim && lasting(disk.idempotency_key, unit.claim)
  if (claimed) return { kind: 'claimed', row: copyOf('idempotency_key', claimed) }
  for (const guard of unit.guards) {
    const tree = disk.tree.get(guard.id)
    const isMet = tree ? tree.merchant === guard.merchant && tree.version === guard.version : guard.version === 0
    if (!isMet) return { kind: 'stale' }
  }
  const taken = unit.unique?.map((row) => lasting(disk.unique_key, row)).find((row) => row !== undefined)
  if (taken) return { kind: 'taken', row: copyOf('unique_key', taken) }
  for (const { table, from } of unit.swaps ?? []) {
    const stored = table === 'velocity' ? twinOf(disk, from) : disk[table].get(keyOf(table, from))
    if (!stored || !isSame(table, stored, from)) return { kind: 'stale' }
  }
  const { payment_transaction: transactions = [], velocity = [], ...others } = unit.rows
  refuseTakenIds(disk, transactions)
  refuseTakenCounts(disk, velocity)
  refuseTakenKeys(disk, 'event', others.event)
  refuseTakenKeys(disk, 'delivery_attempt', others.delivery_attempt)

  for (const { id, merchant, version } of unit.guards) disk.tree.set(id, { id, merchant, version: version + 1 })
  if (unit.claim) addLasting(disk.idempotency_key, 'idempotency_key', unit.claim)
  for (const row of unit.unique ?? []) addLasting(disk.unique_key, 'unique_key', row)
  for (const row of transactions) addTransaction(disk, row)
  for (const row of velocity) addVelocity(disk, row)
  for (const { table, from, to } of unit.swaps ?? []) {
    if (to) put(disk, table, to)
    else if (table === 'velocity') removeVelocity(disk, from)
    else disk[table].delete(keyOf(table, from))
  }
  for (const table of plainTables) putAll(disk, table, others[table])
  return { kind: 'committed' }
}

/** A root holds an id once, and no two transactions that refer to another share one. */
function refuseTakenIds(disk: MemoryDisk, transactions: readonly TransactionRow[]): void {
  const added = new Set<string>()
  for (const { root_id: root, id } of transactions) {
    const isChild = id !== root
    const isStored = isChild ? disk.rootOfChild.has(id) : disk.transactionsOf.get(root)?.some((row) => row.id === id)
    const key = isChild ? `child ${id}` : `root ${id}`
    if (isStored || added.has(key)) throw new StorageError('constraint', 'payment_transaction.id is taken')
    added.add(key)
  }
}

function addTransaction(disk: MemoryDisk, row: TransactionRow): void {
  const siblings = disk.transactionsOf.get(row.root_id) ?? []
  siblings.push(copyOf('payment_transaction', row))
  disk.transactionsOf.set(row.root_id, siblings)
  if (row.id !== row.root_id) disk.rootOfChild.set(row.id, row.root_id)
}

/** A transaction counts once. */
function refuseTakenCounts(disk: MemoryDisk, velocity: readonly VelocityRow[]): void {
  const isTwin = (one: VelocityRow, other: VelocityRow) =>
    velocityKey(one) === velocityKey(other) && one.id === other.id && one.created_at_ms === other.created_at_ms
  for (const [index, row] of velocity.entries()) {
    const others = [...(disk.velocityOf.get(velocityKey(row)) ?? []), ...velocity.slice(0, index)]
    if (others.some((other) => isTwin(other, row))) throw new StorageError('constraint', 'velocity.id is taken')
  }
}

const twinOf = (disk: MemoryDisk, row: VelocityRow): VelocityRow | undefined =>
  disk.velocityOf.get(velocityKey(row))?.find((other) => isSame('velocity', other, row))

function removeVelocity(disk: MemoryDisk, row: VelocityRow): void {
  const left = (disk.velocityOf.get(velocityKey(row)) ?? []).filter((other) => !isSame('velocity', other, row))
  disk.velocityOf.set(velocityKey(row), left)
}

function addVelocity(disk: MemoryDisk, row: VelocityRow): void {
  const others = disk.velocityOf.get(velocityKey(row)) ?? []
  others.push(copyOf('velocity', row))
  disk.velocityOf.set(velocityKey(row), others)
}

/** Neither stored nor twice in the unit. */
function refuseTakenKeys<T extends PlainTable>(disk: MemoryDisk, table: T, rows: readonly Schema[T][] = []): void {
  const keys = rows.map((row) => keyOf(table, row))
  if (new Set(keys).size < keys.length || keys.some((key) => disk[table].has(key))) {
    throw new StorageError('constraint', `${table}: a key is taken`)
  }
}

/** What there may be once until it expires. */
interface Lasting {
  readonly id: string
  readonly created_at_ms: number
  readonly expires_at_ms: number | null
}

/** The row that has this one's id already and lasts beyond its moment. */
function lasting<Row extends Lasting>(rows: ReadonlyMap<string, Row>, { id, created_at_ms: atMs }: Row) {
  const row = rows.get(id)
  return row && (row.expires_at_ms ?? Infinity) > atMs ? row : undefined
}

/** Adds the row, and removes a few that have expired, the oldest first. */
function addLasting<T extends 'idempotency_key' | 'unique_key'>(
  rows: Map<string, Schema[T]>,
  table: T,
  row: Schema[T],
): void {
  rows.set(row.id, copyOf(table, row))
  const expired = [...rows.values()]
    .map(({ id, expires_at_ms: endMs }) => ({ id, endMs: endMs ?? Infinity }))
    .filter(({ endMs }) => endMs <= row.created_at_ms)
    .toSorted((a, b) => a.endMs - b.endMs || (a.id < b.id ? -1 : 1))
  for (const { id } of expired.slice(0, limits.expiredRemoved)) rows.delete(id)
}

type PlainTable = Extract<WritableTable, KeyedTable>

/** The tables that a unit fills and nothing more is to be said of. */
const plainTables = writableTables.filter(isPlain)

function isPlain(table: WritableTable): table is PlainTable {
  return table !== 'payment_transaction' && table !== 'velocity'
}

function putAll<T extends PlainTable>(disk: MemoryDisk, table: T, rows: readonly Schema[T][] = []): void {
  for (const row of rows) put(disk, table, row)
}
