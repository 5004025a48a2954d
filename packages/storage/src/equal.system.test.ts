import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryDisk } from './memory/disk.ts'
import { newestFirst } from './position.ts'
import { openMemory } from './memory/open.ts'
import type { FoundTransaction, Storage, TransactionFilter, Unit } from './port.ts'
import {
  accessToken,
  account,
  attempt,
  entity,
  event,
  guard,
  idempotencyKey,
  job,
  registration,
  riskRules,
  schedule,
  checkout,
  visit,
  transaction,
  uniqueKey,
  velocity,
  webhook,
  webhookKey,
} from './sample-rows.ts'
import type { TransactionRow, UniqueKeyRow } from './schema.ts'
import { openPostgres } from './postgres/open.ts'
import { openReader } from './sqlite/database.ts'
import { openSqlite } from './sqlite/open.ts'
import { emptyDatabase, newDatabase, removeDatabase, runSql } from './testing/postgres-database.ts'
import { emptySqlite } from './testing/run-sqlite.ts'

const server = process.env['TOLLGATE_TEST_DATABASE_URL']
/** Without a server its dialect is left out. */
const isHere = ({ name }: { readonly name: string }) => name !== 'postgres' || server !== undefined
let url = ''

beforeAll(async () => {
  if (server) url = await newDatabase(server)
})

afterAll(async () => {
  if (server) await removeDatabase(url)
})

// Few ids, so that units meet: trees are created twice, keys claimed twice, children put under two roots.
const roots = ['p1', 'p2', 'p3']
const children = ['c1', 'c2', 'c3', 'c4']
const { merchant } = guard('p1')
const others = ['x1', 'x2']

const some = <T>(arbitrary: fc.Arbitrary<T>, maxLength = 2) => fc.array(arbitrary, { maxLength })
const id = fc.constantFrom(...others)
const bytes = fc.option(fc.uint8Array({ maxLength: 40 }))
const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const integer = fc.maxSafeInteger()

/** Accounts of which few differ, so that many a swap finds what it starts from. */
const few = fc.constantFrom(null, Uint8Array.of(), Uint8Array.of(1))
const swapped = (each: string, sealed: Uint8Array | null) => account(each, { sealed, key_id: sealed && 'k1' })

/** Of these, too, a swap often finds what it starts from. */
const sent = (each: string, root: string) => transaction(each, root, { status: 'SENT' })
const lastingKey = (each: string) => idempotencyKey(each, { created_at_ms: 9 })
const uniqueForEver = (each: string) => uniqueKey(each, { created_at_ms: 9 })

/** Jobs of which few differ, for the same reason. */
const someJob = fc
  .record({
    each: id,
    lane: fc.constantFrom('a', 'b'),
    due_at_ms: fc.nat(2),
    parked_at_ms: fc.constantFrom(null, null, 1),
    done_at_ms: fc.constantFrom(null, null, 1),
    line: fc.constantFrom(null, 'a', 'b'),
    line_place: fc.constantFrom(null, 1, 2),
  })
  .map(({ each, ...changes }) => job(each, changes))

const unit: fc.Arbitrary<Unit> = fc
  .record({
    id: fc.uuid(),
    expectedVersions: fc.uniqueArray(
      fc.record({ root: fc.constantFrom(...roots), version: fc.nat(3) }).map((at) => guard(at.root, at.version)),
      { maxLength: 2, selector: (at) => at.id },
    ),
    claims: some(
      fc.oneof(
        id.map((each) => lastingKey(each)),
        fc
          .tuple(id, text, fc.nat(9), fc.nat(9))
          .map(([key, answer, atMs, lastsMs]) =>
            idempotencyKey(key, { answer, created_at_ms: atMs, expires_at_ms: atMs + lastsMs }),
          ),
      ),
      1,
    ),
    unique: some(
      fc.oneof(
        fc.constantFrom('k1', 'k2', 'k3').map((each) => uniqueForEver(each)),
        fc
          .tuple(
            fc.constantFrom('k1', 'k2', 'k3', 'k4', 'k5'),
            fc.constantFrom(...roots),
            fc.nat(9),
            fc.option(fc.nat(9)),
          )
          .map(([key, first, atMs, lastsMs]) =>
            uniqueKey(key, {
              transaction_id: first,
              created_at_ms: atMs,
              expires_at_ms: lastsMs === null ? null : atMs + lastsMs,
            }),
          ),
      ),
    ),
    compareAndSets: some(
      fc.oneof(
        fc
          .tuple(
            fc.constantFrom(...roots),
            fc.constantFrom(...roots, ...children),
            fc.constantFrom('ACK', 'NOK', 'SENT'),
          )
          .map(([root, each, status]) => ({
            table: 'payment_transaction' as const,
            from: sent(each, root),
            to: { ...sent(each, root), status, amount_minor: 7 },
          })),
        fc.tuple(id, text).map(([each, answer]) => ({
          table: 'idempotency_key' as const,
          from: lastingKey(each),
          to: { ...lastingKey(each), answer },
        })),
        fc.constantFrom('k1', 'k2', 'k3').map((each) => ({
          table: 'unique_key' as const,
          from: uniqueForEver(each),
          to: null,
        })),
        fc.tuple(id, few, few).map(([each, from, to]) => ({
          table: 'account' as const,
          from: swapped(each, from),
          to: swapped(each, to),
        })),
        fc.tuple(someJob, fc.option(someJob)).map(([from, to]) => ({
          table: 'job' as const,
          from,
          to: to && { ...to, id: from.id },
        })),
        fc.tuple(id, text).map(([each, payload]) => ({
          table: 'event' as const,
          from: event(each, { payload }),
          to: null,
        })),
        fc.tuple(id, fc.constantFrom('a', 'b'), fc.nat(3), fc.nat(1)).map(([each, counter, at, amount]) => ({
          table: 'velocity' as const,
          from: velocity(each, { counter, created_at_ms: at, amount_minor: amount }),
          to: null,
        })),
        fc.nat(2).map((number) => ({ table: 'delivery_attempt' as const, from: attempt(number), to: null })),
        fc.tuple(id, fc.uint8Array()).map(([each, sealed]) => ({
          table: 'webhook_key' as const,
          from: webhookKey(each, { sealed }),
          to: null,
        })),
        fc.tuple(id, fc.nat(1), fc.nat(1)).map(([each, from, to]) => ({
          table: 'schedule' as const,
          from: schedule(each, { active: from }),
          to: schedule(each, { active: to }),
        })),
        fc.tuple(id, fc.option(id), fc.option(id)).map(([each, from, to]) => ({
          table: 'checkout' as const,
          from: checkout(each, { transaction_id: from }),
          to: to === null ? null : checkout(each, { transaction_id: to }),
        })),
        fc.tuple(id, text, fc.option(text)).map(([each, from, to]) => ({
          table: 'visit' as const,
          from: visit(each, { progress: from }),
          to: to === null ? null : visit(each, { progress: to }),
        })),
        fc.tuple(id, fc.constantFrom('a', 'b'), text).map(([each, from, to]) => ({
          table: 'entity' as const,
          from: entity(each, { settings: from }),
          to: entity(each, { settings: to }),
        })),
        fc.tuple(id, fc.uint8Array({ maxLength: 1 }), fc.uint8Array({ maxLength: 1 })).map(([each, from, to]) => ({
          table: 'access_token' as const,
          from: accessToken(each, { hash: from }),
          to: accessToken(each, { hash: to }),
        })),
        fc.tuple(id, fc.constantFrom(null, 1)).map(([each, deleted]) => ({
          table: 'webhook' as const,
          from: webhook(each, { deleted_at_ms: null }),
          to: webhook(each, { deleted_at_ms: deleted }),
        })),
      ),
    ),
    rows: fc.record({
      payment_transaction: some(
        fc.oneof(
          fc
            .tuple(fc.constantFrom(...roots), fc.constantFrom(...roots, ...children))
            .map(([root, each]) => sent(each, root)),
          fc
            .record({
              root: fc.constantFrom(...roots),
              each: fc.constantFrom(...roots, ...children),
              amount_minor: fc.option(integer),
              registration_id: fc.option(id),
              status: fc.constantFrom('ACK', 'NOK'),
              network_transaction_id: fc.option(id),
              initial_transaction_id: fc.option(id),
              created_at_ms: fc.nat(2),
              type: fc.constantFrom('DB', 'RG', 'CP'),
              method: fc.constantFrom('CC', 'DD', null),
              channel: id,
              merchant_transaction_id: fc.option(id),
            })
            .map(({ root, each, type, ...changes }) =>
              // Only a root is a registration.
              transaction(each, root, { ...changes, type: type === 'RG' && root !== each ? 'CP' : type }),
            ),
        ),
      ),
      account: some(
        fc.oneof(
          fc.tuple(id, bytes, fc.option(text)).map(([each, sealed, holder]) => account(each, { sealed, holder })),
          fc.tuple(id, few).map(([each, sealed]) => swapped(each, sealed)),
        ),
      ),
      registration: some(
        fc
          .record({ each: id, deleted_at_ms: fc.option(integer), expires_at_ms: fc.nat(2) })
          .map(({ each, ...changes }) => registration(each, changes)),
      ),
      velocity: some(
        fc
          .tuple(id, fc.constantFrom('a', 'b'), fc.nat(3), fc.nat(1))
          .map(([each, counter, at, amount]) => velocity(each, { counter, created_at_ms: at, amount_minor: amount })),
      ),
      job: some(someJob),
      event: some(fc.tuple(id, text).map(([each, payload]) => event(each, { payload }))),
      delivery_attempt: some(fc.nat(2).map((number) => attempt(number))),
      webhook: some(
        fc.tuple(id, fc.constantFrom(null, 1)).map(([each, deleted]) => webhook(each, { deleted_at_ms: deleted })),
      ),
      webhook_key: some(fc.tuple(id, fc.uint8Array()).map(([each, sealed]) => webhookKey(each, { sealed }))),
      schedule: some(
        fc
          .record({ each: id, registration_id: id, chain_id: id, active: fc.nat(1) })
          .map(({ each, ...changes }) => schedule(each, changes)),
      ),
      checkout: some(fc.tuple(id, fc.option(id)).map(([each, made]) => checkout(each, { transaction_id: made }))),
      visit: some(fc.tuple(id, text).map(([each, progress]) => visit(each, { progress }))),
      risk_rules: some(fc.tuple(id, fc.option(text)).map(([each, rules]) => riskRules(each, { rules }))),
      entity: some(fc.tuple(id, text).map(([each, settings]) => entity(each, { settings }))),
      access_token: some(fc.tuple(id, fc.uint8Array()).map(([each, hash]) => accessToken(each, { hash }))),
      installation: some(fc.tuple(id, text).map(([name, value]) => ({ name, value }))),
    }),
  })
  .map(({ claims: [claim], ...unclaimed }) => Object.assign(unclaimed, claim ? { claim } : {}))

const filters: readonly TransactionFilter[] = [
  { merchant },
  { merchant: 'another' },
  { merchant, channel: 'x1' },
  { merchant, types: ['RG', 'CP'] },
  { merchant, channel: 'x2', types: ['DB'], methods: ['CC', 'DD'] },
  { merchant, methods: ['DD'] },
]

/** In an order of their own. Here an id may stand in two trees, as no payment's does: its place says nothing. */
const settled = (rows: readonly TransactionRow[]) => {
  const placeOf = (row: TransactionRow) => [row.id, row.root_id, row.merchant].join(' ')
  return rows.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

/** All that a filter lets through, step by step. */
async function walk(storage: Storage, filter: TransactionFilter) {
  const seen: FoundTransaction[] = []
  for (let before = 'z'; before > ''; ) {
    const { found, reached } = await storage.transactionsBefore(filter, before, '')
    seen.push(...found)
    before = reached
  }
  return seen
}

/** The same with the rows, which find their way whatever a step may find. */
async function walkRows(storage: Storage, filter: TransactionFilter) {
  const seen: TransactionRow[] = []
  for (let before = 'z'; before > ''; ) {
    const { found, reached } = await storage.rowsBefore(filter, before, '', 2)
    seen.push(...found.map(({ row }) => row))
    before = reached
  }
  expect(seen.map((row) => row.id)).toEqual((await walk(storage, filter)).map((found) => found.id))
  return settled(seen)
}

const lanesOfJobs = ['delivery', 'other'].flatMap((kind) => ['a', 'b'].map((lane) => [kind, lane] as const))

/** Everything that the port can tell. */
async function contents(storage: Storage) {
  return {
    trees: await Promise.all([...roots, ...children].map((each) => storage.treeOf(each))),
    transactions: settled(await storage.transactions([...roots, ...children])),
    children: await Promise.all(children.map(async (each) => settled(await storage.transactions([each])))),
    accounts: await Promise.all(others.map((each) => storage.account(each))),
    pages: await Promise.all(['', ...others].map((each) => storage.accountsAfter(each, 2))),
    registrations: await Promise.all(others.map((each) => storage.registration(each))),
    uses: await Promise.all(others.map((each) => storage.lastUse(each))),
    expired: await storage.expiredRegistrations(1, 10),
    named: await Promise.all(others.map((each) => storage.byNetworkId(each, merchant))),
    newest: await Promise.all(others.map((each) => storage.newestUnder(each, merchant, 2))),
    walks: await Promise.all(filters.map((each) => walk(storage, each))),
    walksWithRows: await Promise.all(filters.slice(3, 5).map((each) => walkRows(storage, each))),
    newestHalf: await storage.transactionsBefore({ merchant }, 'p3', 'c2'),
    referenced: await Promise.all(
      others.flatMap((each) => filters.map(async (filter) => settled(await storage.transactionsOf(each, filter, 99)))),
    ),
    someReferenced: await Promise.all(
      others.map(async (each) => (await storage.transactionsOf(each, { merchant }, 1)).length),
    ),
    foundByReference: await Promise.all(
      others.flatMap((each) => filters.map(async (filter) => newestFirst(await storage.positionsOf(each, filter)))),
    ),
    keys: await Promise.all(others.map((each) => storage.idempotencyKey(each))),
    jobs: await Promise.all(others.map((each) => storage.job(each))),
    due: await Promise.all(['a', 'b'].map((lane) => storage.dueJobs('delivery', lane, 1, 1))),
    lanes: await storage.dueLanes(lanesOfJobs, 1),
    next: await Promise.all(['a', 'b'].map((lane) => storage.nextDue('delivery', lane))),
    counts: await Promise.all(['a', 'b'].map((lane) => storage.countDue('delivery', lane, 1, 1))),
    newestJobs: await Promise.all(['a', 'b'].map((lane) => storage.jobsBefore('delivery', lane, 'x2', 2))),
    parked: await storage.parkedBefore('~', 2),
    done: await storage.doneJobsBelow('x2', 2),
    events: await Promise.all(others.map((each) => storage.event(each))),
    between: await storage.eventsBetween(merchant, 'x1', 'x1', 2),
    below: await storage.eventsBelow('x2', 2),
    attempts: await storage.attemptsOf('j1'),
    webhooks: await storage.webhooks(),
    webhookKeys: await storage.webhookKeys(),
    schedules: await Promise.all(others.map((each) => storage.schedule(each))),
    checkouts: await Promise.all(others.map((each) => storage.checkout(each))),
    visits: await Promise.all(others.map((each) => storage.visit(each))),
    chains: await Promise.all(others.map((each) => storage.scheduleChain(each, 2))),
    plans: await Promise.all(others.map((each) => storage.schedulesOf(each, 2))),
    values: await Promise.all(others.map((each) => storage.installation(each))),
    velocity: await Promise.all(['a', 'b'].map((each) => storage.velocity(each, velocity('').merchant, 1))),
    old: (await storage.velocityBefore(2, 9)).length,
    entities: await storage.entities(),
    rules: await storage.riskRules(),
    tokens: await storage.accessTokens(),
  }
}

/** Commits units at the same moment and tells how each ended, errors by their kind. */
async function commitTogether(storage: Storage, units: readonly Unit[]) {
  const results = await Promise.allSettled(units.map((each) => storage.commit(each)))
  return results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.kind))
}

/** An empty storage. */
interface Place {
  readonly storage: Storage
  /** The unique keys, which the port tells nothing of until they are brought again. */
  readonly uniqueKeys: () => Promise<UniqueKeyRow[]>
  readonly close: () => Promise<void>
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-equal-'))
const file = join(folder, 'test.db')
/** One for all runs: sooner emptied than opened anew. */
let sqlite: Storage | undefined

afterAll(async () => {
  await sqlite?.close()
  rmSync(folder, { recursive: true })
})

/** The dialects that are held against memory. */
const dialects: { name: string; runs: number; removesAtOnce: boolean; place: () => Promise<Place> }[] = [
  {
    name: 'sqlite',
    runs: 60,
    removesAtOnce: true,
    place: async () => {
      sqlite ??= await openSqlite({ file })
      emptySqlite(file)
      return {
        storage: sqlite,
        uniqueKeys: async () => {
          const database = openReader(file)
          const stored = database.prepare('SELECT * FROM unique_key ORDER BY id').all()
          database.close()
          return stored
        },
        close: async () => undefined,
      }
    },
  },
  {
    name: 'postgres',
    runs: 10,
    removesAtOnce: false,
    place: async () => {
      await emptyDatabase(url)
      const storage = await openPostgres({ url })
      return {
        storage,
        uniqueKeys: async () => {
          const stored = await runSql<Record<keyof UniqueKeyRow, string>>(url, 'SELECT * FROM unique_key ORDER BY id')
          return stored.map((row) => ({
            ...row,
            created_at_ms: Number(row.created_at_ms),
            expires_at_ms: row.expires_at_ms === null ? null : Number(row.expires_at_ms),
          }))
        },
        close: () => storage.close(),
      }
    },
  },
]

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'

/** The same units, but time goes forward from each to the next. */
function inTime(groups: readonly (readonly Unit[])[]): Unit[][] {
  let atMs = 0
  const later = <Row extends { readonly created_at_ms: number; readonly expires_at_ms: number | null }>(row: Row) => ({
    ...row,
    created_at_ms: atMs,
    expires_at_ms: row.expires_at_ms === null ? null : atMs + row.expires_at_ms - row.created_at_ms,
  })
  return groups.map((group) =>
    group.map((each) => {
      atMs += 1
      const claim = each.claim && {
        ...later(each.claim),
        expires_at_ms: atMs + each.claim.expires_at_ms - each.claim.created_at_ms,
      }
      return { ...each, claim, unique: each.unique?.map(later) }
    }),
  )
}

/** When all keys of `inTime` that expire have. */
const endMs = 1000

/**
 * Several batches may be under way at a time, and what has expired counts no more, so that a dialect may remove it
 * sooner or later than memory does.
 */
const lasting = <Row extends { readonly expires_at_ms: number | null }>(rows: readonly (Row | undefined)[]) =>
  rows.filter((row) => row && (row.expires_at_ms ?? Infinity) > endMs)

for (const { name, runs, removesAtOnce, place } of dialects.filter(isHere)) {
  test(`${name} answers and stores what memory does, whatever the units and however many at a time`, async () => {
    const numRuns = isLong ? 50 * runs : runs
    const seen: Record<string, number> = {}
    const groups = fc.array(fc.array(unit, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(removesAtOnce ? groups : groups.map(inTime), async (units) => {
        const disk = memoryDisk()
        const memory = openMemory(disk)
        const { storage, uniqueKeys, close } = await place()
        try {
          for (const group of units) {
            const expected = await commitTogether(memory, group)
            expect(await commitTogether(storage, group)).toEqual(expected)
            for (const result of expected) {
              const kind = typeof result === 'string' ? result : result.kind
              seen[kind] = (seen[kind] ?? 0) + 1
            }
          }
          const [found, expected] = [await contents(storage), await contents(memory)]
          const keys = [...disk.unique_key.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
          if (removesAtOnce) {
            expect(found).toEqual(expected)
            expect(await uniqueKeys()).toEqual(keys)
          } else {
            expect({ ...found, keys: lasting(found.keys) }).toEqual({ ...expected, keys: lasting(expected.keys) })
            expect(lasting(await uniqueKeys())).toEqual(lasting(keys))
          }
        } finally {
          await close()
        }
      }),
      { numRuns },
    )
    // The property is worth something only if every outcome came up; in a few runs one may be missing.
    if (numRuns >= 60)
      expect(Object.keys(seen).toSorted()).toEqual(['claimed', 'committed', 'constraint', 'stale', 'taken'])
  })
}
