import type { AccountKeys, Storage, StoredTree } from '../port.ts'
import { limits } from '../limits.ts'
import type { AccountRow, Schema, TransactionRow, VelocityRow } from '../schema.ts'
import { copyOf, inAge, type MemoryDisk, velocityKey } from './disk.ts'

/** The reading half of the port on `disk`; every row is a copy. */
export function memoryReader(disk: MemoryDisk): Omit<Storage, 'commit' | 'depth' | 'close'> {
  return {
    treeOf: async (id) => treeOfRoot(disk, id) ?? treeOfRoot(disk, disk.rootOfChild.get(id)),
    account: async (id) => copied('account', disk.account.get(id)),
    accountsAfter: async (id, count) => accountsAfter(disk, id, count),
    accountKeysAfter: async (id, count) => keysOf(accountsAfter(disk, id, count)),
    registration: async (id) => copied('registration', disk.registration.get(id)),
    lastUse: async (id) => {
      const uses = roots(disk).filter((row) => row.registration_id === id && row.status !== 'NOK')
      return uses.length === 0 ? undefined : Math.max(...uses.map((row) => row.created_at_ms))
    },
    expiredRegistrations: async (atMs, max) =>
      [...disk.registration.values()]
        .filter((row) => row.deleted_at_ms === null && row.expires_at_ms <= atMs)
        .toSorted((a, b) => a.expires_at_ms - b.expires_at_ms || compare(a.id, b.id))
        .slice(0, max)
        .map((row) => copyOf('registration', row)),
    byNetworkId: async (id, merchant) => {
      const row = inTime(disk, merchant, (each) => each.network_transaction_id === id).find(({ root_id: root }) =>
        disk.tree.has(root),
      )
      return row && { row, version: disk.tree.get(row.root_id)?.version ?? 0 }
    },
    newestUnder: async (id, merchant, max) =>
      inTime(disk, merchant, (each) => each.initial_transaction_id === id)
        .toReversed()
        .slice(0, max),
    idempotencyKey: async (id) => copied('idempotency_key', disk.idempotency_key.get(id)),
    velocity: async (counter, merchant, sinceMs) =>
      newest(
        (disk.velocityOf.get(velocityKey({ counter, merchant })) ?? []).filter((row) => row.created_at_ms >= sinceMs),
      ),
    hasVelocityBefore: async (atMs) => (inAge(disk)[0]?.created_at_ms ?? atMs) < atMs,
    entities: async () => inOrder('entity', disk.entity),
    riskRules: async () =>
      [...disk.risk_rules.values()]
        .toSorted((a, b) => compare(a.entity_id, b.entity_id))
        .map((row) => copyOf('risk_rules', row)),
    accessTokens: async () => inOrder('access_token', disk.access_token),
    installation: async (name) => disk.installation.get(name)?.value,
  }
}

function treeOfRoot(disk: MemoryDisk, root: string | undefined): StoredTree | undefined {
  const tree = disk.tree.get(root ?? '')
  const rows = disk.transactionsOf.get(root ?? '')
  if (!tree || !rows) return undefined
  const inOrderOfIds = rows.toSorted((a, b) => Number(a.id !== root) - Number(b.id !== root) || compare(a.id, b.id))
  return { ...tree, transactions: inOrderOfIds.map((row) => copyOf('payment_transaction', row)) }
}

function roots(disk: MemoryDisk): TransactionRow[] {
  return [...disk.transactionsOf.values()].flatMap((rows) => rows.filter(({ id, root_id: root }) => id === root))
}

/** The transactions of a merchant that are wanted, oldest first. */
function inTime(disk: MemoryDisk, merchant: string, isWanted: (row: TransactionRow) => boolean): TransactionRow[] {
  return [...disk.transactionsOf.values()]
    .flat()
    .filter((row) => row.merchant === merchant && isWanted(row))
    .toSorted((a, b) => a.created_at_ms - b.created_at_ms || compare(a.id, b.id))
    .map((row) => copyOf('payment_transaction', row))
}

function accountsAfter(disk: MemoryDisk, id: string, count: number): AccountRow[] {
  return inOrder('account', disk.account)
    .filter((row) => row.id > id)
    .slice(0, count)
}

function keysOf(page: readonly AccountRow[]): AccountKeys[] {
  const found = new Map<string, AccountKeys>()
  for (const { id, key_id, fingerprint_key_id } of page) {
    const pair = JSON.stringify([key_id, fingerprint_key_id])
    const accounts = (found.get(pair)?.accounts ?? 0) + 1
    found.set(pair, { key_id, fingerprint_key_id, accounts, last_id: id })
  }
  return [...found.values()]
}

function copied<T extends keyof Schema>(table: T, row: Schema[T] | undefined): Schema[T] | undefined {
  return row && copyOf(table, row)
}

function inOrder<T extends 'entity' | 'access_token' | 'account'>(
  table: T,
  rows: ReadonlyMap<string, Schema[T]>,
): Schema[T][] {
  return [...rows.values()].toSorted((a, b) => compare(a.id, b.id)).map((row) => copyOf(table, row))
}

function newest(rows: readonly VelocityRow[]): VelocityRow[] {
  return rows
    .toSorted((a, b) => b.created_at_ms - a.created_at_ms || compare(b.id, a.id))
    .slice(0, limits.velocityRows)
    .map((row) => copyOf('velocity', row))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
