import type { AccountKeys, Storage, StoredTree, TransactionFilter } from '../port.ts'
import { foundOf, newestFirst, positionOf } from '../position.ts'
import { limits } from '../limits.ts'
import type { AccountRow, JobRow, Schema, TransactionRow, VelocityRow } from '../schema.ts'
import { copyOf, type MemoryDisk } from './disk.ts'

/** The reading half of the port on `disk`; every row is a copy. */
export function memoryReader(disk: MemoryDisk): Omit<Storage, 'commit' | 'depth' | 'totals' | 'isReachable' | 'close'> {
  return {
    treeOf: async (id) => treeOfRoot(disk, id) ?? treeOfRoot(disk, disk.rootOfChild.get(id)),
    transactions: async (ids) =>
      ids.flatMap((id) => {
        const trees = [id, disk.rootOfChild.get(id) ?? ''].flatMap((root) => disk.transactionsOf.get(root) ?? [])
        const row = trees.find((each) => each.id === id)
        return row ? [copyOf('payment_transaction', row)] : []
      }),
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
    transactionsBefore: async (filter, below, from) => {
      const isBetween = (row: TransactionRow) => positionOf(row) < below && positionOf(row) >= from
      return { found: newestFirst(wanted(disk, filter, isBetween).map(foundOf)), reached: from }
    },
    rowsBefore: async (filter, below, from, max) => {
      const isBetween = (row: TransactionRow) => positionOf(row) < below && positionOf(row) >= from
      const rows = wanted(disk, filter, isBetween).map((row) => copyOf('payment_transaction', row))
      const found = newestFirst(rows.map((row) => ({ ...foundOf(row), row }))).slice(0, max)
      return { found, reached: found[max - 1]?.position ?? from }
    },
    transactionsOf: async (reference, filter, max) =>
      wanted(disk, filter, (row) => row.merchant_transaction_id === reference)
        .slice(0, max)
        .map((row) => copyOf('payment_transaction', row)),
    positionsOf: async (reference, filter) =>
      wanted(disk, filter, (row) => row.merchant_transaction_id === reference).map(foundOf),
    idempotencyKey: async (id) => copied('idempotency_key', disk.idempotency_key.get(id)),
    velocity: async (counter, merchant, sinceMs) =>
      newest(
        [...disk.velocity.values()].filter(
          (row) => row.counter === counter && row.merchant === merchant && row.created_at_ms >= sinceMs,
        ),
      ),
    job: async (id) => copied('job', disk.job.get(id)),
    dueJobs: async (kind, lane, atMs, max) => waiting(disk, kind, lane, atMs).slice(0, max),
    takeJobs: async (kind, lane, atMs, max) => waiting(disk, kind, lane, atMs).slice(0, max),
    firstOfLine: async (kind, lane, line, attemptsMax) =>
      waiting(disk, kind, lane, Infinity)
        .filter((row) => row.line === line && row.attempts <= attemptsMax)
        .toSorted((a, b) => (a.line_place ?? 0) - (b.line_place ?? 0) || compare(a.id, b.id))[0],
    dueLanes: async (lanes, atMs) => lanes.filter(([kind, lane]) => waiting(disk, kind, lane, atMs).length > 0),
    nextDue: async (kind, lane) => waiting(disk, kind, lane, Infinity)[0]?.due_at_ms,
    countDue: async (kind, lane, atMs, max) => Math.min(max, waiting(disk, kind, lane, atMs).length),
    oldestWaiting: async (kind, lane, max) =>
      waiting(disk, kind, lane, Infinity)
        .slice(0, max)
        .map(({ id }) => id)
        .toSorted(compare)[0],
    countParked: async (max) => {
      const jobs = new Map<string, number>()
      const parked = [...disk.job.values()].filter((row) => row.parked_at_ms !== null).slice(0, max)
      for (const { kind } of parked) jobs.set(kind, (jobs.get(kind) ?? 0) + 1)
      return Array.from(jobs, ([kind, count]) => ({ kind, jobs: count }))
    },
    jobsBefore: async (kind, lane, id, max) => before(disk, id, max, (row) => row.kind === kind && row.lane === lane),
    parkedBefore: async (id, max) => before(disk, id, max, (row) => row.parked_at_ms !== null),
    doneJobsBelow: async (id, max) => inOrder('job', disk.job, (row) => row.id < id && row.done_at_ms !== null, max),
    event: async (id) => copied('event', disk.event.get(id)),
    eventsBetween: async (merchant, from, to, max) =>
      inOrder('event', disk.event, (row) => row.merchant === merchant && row.id >= from && row.id <= to, max),
    eventsBelow: async (id, max) => inOrder('event', disk.event, (row) => row.id < id, max),
    attemptsOf: async (id) =>
      [...disk.delivery_attempt.values()]
        .filter((row) => row.delivery_id === id)
        .toSorted((a, b) => a.number - b.number)
        .map((row) => copyOf('delivery_attempt', row)),
    webhooks: async () => inOrder('webhook', disk.webhook),
    webhookKeys: async () => inOrder('webhook_key', disk.webhook_key),
    schedule: async (id) => copied('schedule', disk.schedule.get(id)),
    scheduleChain: async (id, max) => inOrder('schedule', disk.schedule, (row) => row.chain_id === id, max),
    schedulesOf: async (id, max) => inOrder('schedule', disk.schedule, (row) => row.registration_id === id, max),
    checkout: async (id) => copied('checkout', disk.checkout.get(id)),
    checkoutsBefore: async (atMs, max) =>
      [...disk.checkout.values()]
        .filter((row) => row.expires_at_ms < atMs)
        .toSorted((a, b) => a.expires_at_ms - b.expires_at_ms)
        .slice(0, max)
        .map((row) => copyOf('checkout', row)),
    visit: async (id) => copied('visit', disk.visit.get(id)),
    visitsBefore: async (atMs, max) =>
      [...disk.visit.values()]
        .filter((row) => row.forgotten_at_ms < atMs)
        .toSorted((a, b) => a.forgotten_at_ms - b.forgotten_at_ms)
        .slice(0, max)
        .map((row) => copyOf('visit', row)),
    velocityBefore: async (atMs, max) =>
      [...disk.velocity.values()]
        .filter((row) => row.created_at_ms < atMs)
        .toSorted((a, b) => a.created_at_ms - b.created_at_ms)
        .slice(0, max)
        .map((row) => copyOf('velocity', row)),
    entities: async () => inOrder('entity', disk.entity),
    riskRules: async () =>
      [...disk.risk_rules.values()]
        .toSorted((a, b) => compare(a.entity_id, b.entity_id))
        .map((row) => copyOf('risk_rules', row)),
    accessTokens: async () => inOrder('access_token', disk.access_token),
    installation: async (name) => disk.installation.get(name)?.value,
  }
}

/** The jobs of a lane that are due and neither parked nor done. */
function waiting(disk: MemoryDisk, kind: string, lane: string, atMs: number): JobRow[] {
  return [...disk.job.values()]
    .filter((row) => row.kind === kind && row.lane === lane && row.due_at_ms <= atMs)
    .filter((row) => row.parked_at_ms === null && row.done_at_ms === null)
    .toSorted((a, b) => a.due_at_ms - b.due_at_ms || compare(a.id, b.id))
    .map((row) => copyOf('job', row))
}

function before(disk: MemoryDisk, id: string, max: number, isWanted: (row: JobRow) => boolean): JobRow[] {
  return inOrder('job', disk.job, (row) => row.id < id && isWanted(row))
    .toReversed()
    .slice(0, max)
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

/** The transactions that a filter lets through and that are wanted, in no order. */
function wanted(
  disk: MemoryDisk,
  { merchant, channel, types, methods }: TransactionFilter,
  isWanted: (row: TransactionRow) => boolean,
): TransactionRow[] {
  return [...disk.transactionsOf.values()]
    .flat()
    .filter((row) => row.merchant === merchant && row.channel === (channel ?? row.channel))
    .filter(({ type }) => types?.includes(type) ?? true)
    .filter(({ method }) => methods?.includes(method ?? '') ?? true)
    .filter(isWanted)
}

function accountsAfter(disk: MemoryDisk, id: string, count: number): AccountRow[] {
  return inOrder('account', disk.account, (row) => row.id > id, count)
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

/** The first rows that are wanted by their ids; only these are copied. */
function inOrder<T extends Identified>(
  table: T,
  rows: ReadonlyMap<string, Schema[T]>,
  isWanted: (row: Schema[T]) => boolean = () => true,
  max = Number.POSITIVE_INFINITY,
): Schema[T][] {
  return [...rows.values()]
    .filter(isWanted)
    .toSorted((a, b) => compare(a.id, b.id))
    .slice(0, max)
    .map((row) => copyOf(table, row))
}

type Identified = 'entity' | 'access_token' | 'account' | 'job' | 'event' | 'webhook' | 'webhook_key' | 'schedule'

function newest(rows: readonly VelocityRow[]): VelocityRow[] {
  return rows
    .toSorted((a, b) => b.created_at_ms - a.created_at_ms || compare(b.id, a.id))
    .slice(0, limits.velocityRows)
    .map((row) => copyOf('velocity', row))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
