import { checkUnit } from '../check-unit.ts'
import { limits } from '../limits.ts'
import type { CommitResult, Unit } from '../port.ts'
import type { Schema, TransactionRow, UniqueKeyRow, VelocityRow } from '../schema.ts'
import { StorageError } from '../storage-error.ts'
import { copyOf, inAge, isSame, type MemoryDisk, velocityKey } from './disk.ts'

/**
 * Commits one unit at once: what every other dialect must amount to.
 * @throws StorageError `constraint`; nothing was written.
 */
export function commitToMemory(disk: MemoryDisk, unit: Unit): CommitResult {
  checkUnit(unit)
  const claimed = unit.claim && disk.idempotency_key.get(unit.claim.id)
  if (claimed) return { kind: 'claimed', row: copyOf('idempotency_key', claimed) }
  for (const guard of unit.guards) {
    const tree = disk.tree.get(guard.id)
    const isMet = tree ? tree.merchant === guard.merchant && tree.version === guard.version : guard.version === 0
    if (!isMet) return { kind: 'stale' }
  }
  const taken = unit.unique?.map((row) => lasting(disk, row)).find((row) => row !== undefined)
  if (taken) return { kind: 'taken', row: copyOf('unique_key', taken) }
  for (const { from } of unit.swaps ?? []) {
    const stored = disk.account.get(from.id)
    if (!stored || !isSame('account', stored, from)) return { kind: 'stale' }
  }
  const { payment_transaction: transactions = [], velocity = [], ...others } = unit.rows
  refuseTakenIds(disk, transactions)
  refuseTakenCounts(disk, velocity)

  for (const { id, merchant, version } of unit.guards) disk.tree.set(id, { id, merchant, version: version + 1 })
  if (unit.claim) put(disk.idempotency_key, 'idempotency_key', unit.claim.id, unit.claim)
  for (const row of unit.unique ?? []) addUniqueKey(disk, row)
  for (const row of transactions) addTransaction(disk, row)
  for (const row of velocity) addVelocity(disk, row)
  if (unit.forgetVelocityBeforeMs !== undefined) forgetVelocity(disk, unit.forgetVelocityBeforeMs)
  for (const { to } of unit.swaps ?? []) put(disk.account, 'account', to.id, to)
  for (const row of others.account ?? []) put(disk.account, 'account', row.id, row)
  for (const row of others.registration ?? []) put(disk.registration, 'registration', row.id, row)
  for (const row of others.entity ?? []) put(disk.entity, 'entity', row.id, row)
  for (const row of others.risk_rules ?? []) put(disk.risk_rules, 'risk_rules', row.entity_id, row)
  for (const row of others.access_token ?? []) put(disk.access_token, 'access_token', row.id, row)
  for (const row of others.installation ?? []) put(disk.installation, 'installation', row.name, row)
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

function addVelocity(disk: MemoryDisk, row: VelocityRow): void {
  const others = disk.velocityOf.get(velocityKey(row)) ?? []
  others.push(copyOf('velocity', row))
  disk.velocityOf.set(velocityKey(row), others)
}

function forgetVelocity(disk: MemoryDisk, beforeMs: number): void {
  const old = inAge(disk).filter(({ created_at_ms: atMs }) => atMs < beforeMs)
  for (const row of old.slice(0, limits.velocityRemoved)) {
    const left = (disk.velocityOf.get(velocityKey(row)) ?? []).filter((other) => other !== row)
    if (left.length > 0) disk.velocityOf.set(velocityKey(row), left)
    else disk.velocityOf.delete(velocityKey(row))
  }
}

/** The row that has this one's id already and lasts beyond its moment. */
function lasting(disk: MemoryDisk, { id, created_at_ms: atMs }: UniqueKeyRow): UniqueKeyRow | undefined {
  const row = disk.unique_key.get(id)
  return row && (row.expires_at_ms ?? Infinity) > atMs ? row : undefined
}

/** Adds the row, and removes a few that have expired, the oldest first. */
function addUniqueKey(disk: MemoryDisk, row: UniqueKeyRow): void {
  put(disk.unique_key, 'unique_key', row.id, row)
  const expired = [...disk.unique_key.values()]
    .map(({ id, expires_at_ms: endMs }) => ({ id, endMs: endMs ?? Infinity }))
    .filter(({ endMs }) => endMs <= row.created_at_ms)
    .toSorted((a, b) => a.endMs - b.endMs || (a.id < b.id ? -1 : 1))
  for (const { id } of expired.slice(0, limits.expiredRemoved)) disk.unique_key.delete(id)
}

function put<T extends keyof Schema>(map: Map<string, Schema[T]>, table: T, id: string, row: Schema[T]): void {
  map.set(id, copyOf(table, row))
}
