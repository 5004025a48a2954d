import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOf } from './declare-read.ts'
import { memoryDisk } from './memory/disk.ts'
import { newestFirst } from './position.ts'
import { openMemory } from './memory/open.ts'
import type { PositionedTransaction, Storage, TransactionFilter, Unit } from './port.ts'
import { children, roots, units as randomUnits } from './testing/random-units.ts'
import { plainIds } from './testing/random-values.ts'
import { expectedVersion, transactionFeed, velocity } from './testing/sample-rows.ts'
import type { TransactionRow, UniqueKeyRow } from './schema.ts'
import { openPostgres } from './postgres/open.ts'
import { openReader } from './sqlite/database.ts'
import { openSqlite } from './sqlite/open.ts'
import { emptyDatabase, newDatabase, removeDatabase, runSql } from './testing/postgres-database.ts'
import { emptySqlite } from './testing/run-sqlite.ts'

const server = process.env['TOLLGATE_TEST_DATABASE_URL']
/** Whether a dialect can be tested: PostgreSQL needs a server. */
const isAvailable = ({ name }: { readonly name: string }) => name !== 'postgres' || server !== undefined
let url = ''

beforeAll(async () => {
  if (server) url = await newDatabase(server)
})

afterAll(async () => {
  if (server) await removeDatabase(url)
})

const { merchant } = expectedVersion('p1')
const merchants = listOf([merchant, 'another'])

const filters: readonly TransactionFilter[] = [
  { merchant },
  { merchant: 'another' },
  { merchant, channel: 'x1' },
  { merchant, types: ['RG', 'CP'] },
  { merchant, channel: 'x2', types: ['DB'], methods: ['CC', 'DD'] },
  { merchant, methods: ['DD'] },
]

/** Sorts rows. In this test, unlike in production, two trees may share an id; the order of such rows is undefined. */
const sorted = (rows: readonly TransactionRow[]) => {
  const sortKeyOf = (row: TransactionRow) => [row.id, row.root_id, row.merchant].join(' ')
  return rows.toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))
}

const timeAndId = ({ created_at_ms: atMs, id }: TransactionRow) => [atMs, id]

/** The positions of all transactions that a scan returns. */
async function scan(storage: Storage, filter: TransactionFilter) {
  const scanned: PositionedTransaction[] = []
  for (let before = 'z'; before > ''; ) {
    const { transactions, reached } = await storage.transactionsBefore(filter, before, '')
    scanned.push(...transactions)
    before = reached
  }
  return scanned
}

/** All rows that a scan returns in steps of two. Expects the same transactions as in a scan without rows. */
async function scanRows(storage: Storage, filter: TransactionFilter) {
  const scanned: TransactionRow[] = []
  for (let before = 'z'; before > ''; ) {
    const { transactions, reached } = await storage.rowsBefore(filter, before, '', 2)
    scanned.push(...transactions.map(({ row }) => row))
    before = reached
  }
  expect(scanned.map((row) => row.id)).toEqual((await scan(storage, filter)).map(({ id }) => id))
  return sorted(scanned)
}

const queuesOfJobs = ['delivery', 'other'].flatMap((kind) => ['a', 'b'].map((queue) => [kind, queue] as const))

/** Sorts rows of a read that defines no order, or no order of rows with the same time. */
const inAnyOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted()

/** The results of all reads of the port. */
async function contents(storage: Storage) {
  return {
    trees: await Promise.all([...roots, ...children].map((id) => storage.treeOf(id))),
    treesWithChildren: (await storage.treesWithChildren(roots)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    transactions: sorted(await storage.transactions([...roots, ...children])),
    children: await Promise.all(children.map(async (id) => sorted(await storage.transactions([id])))),
    accounts: await Promise.all(plainIds.map((id) => storage.account(id))),
    pages: await Promise.all(['', ...plainIds].map((id) => storage.accountsAfter(id, 2))),
    accountKeys: await Promise.all(
      ['', ...plainIds].map(async (id) => inAnyOrder(await storage.accountKeysAfter(id, 2))),
    ),
    registrations: await Promise.all(plainIds.map((id) => storage.registration(id))),
    uses: await Promise.all(plainIds.map((id) => storage.lastUse(id))),
    expired: await storage.expiredRegistrations(1, 10),
    byNetworkId: await Promise.all(plainIds.map((id) => storage.byNetworkId(id, merchant))),
    agreements: await Promise.all(
      plainIds.map(async (id) => sorted(await storage.newestOfAgreement(id, merchant, 99))),
    ),
    newestOfAgreement: await Promise.all(
      plainIds.map(async (id) => (await storage.newestOfAgreement(id, merchant, 2)).map(timeAndId)),
    ),
    scans: await Promise.all(filters.map((filter) => scan(storage, filter))),
    scansWithRows: await Promise.all(filters.slice(3, 5).map((filter) => scanRows(storage, filter))),
    boundedScan: await storage.transactionsBefore({ merchant }, 'p3', 'c2'),
    referenced: await Promise.all(
      plainIds.flatMap((id) => filters.map(async (filter) => sorted(await storage.transactionsOf(id, filter, 99)))),
    ),
    someReferenced: await Promise.all(
      plainIds.map(async (id) => (await storage.transactionsOf(id, { merchant }, 1)).length),
    ),
    positionsByReference: await Promise.all(
      plainIds.flatMap((id) => filters.map(async (filter) => newestFirst(await storage.positionsOf(id, filter)))),
    ),
    keys: await Promise.all(plainIds.map((id) => storage.idempotencyKey(id))),
    jobs: await Promise.all(plainIds.map((id) => storage.job(id))),
    due: await Promise.all(['a', 'b'].map((queue) => storage.dueJobs('delivery', queue, 1, 1))),
    dueQueues: await storage.dueQueues(queuesOfJobs, 1),
    next: await Promise.all(['a', 'b'].map((queue) => storage.nextDue('delivery', queue))),
    counts: await Promise.all(['a', 'b'].map((queue) => storage.countDue('delivery', queue, 1, 1))),
    firstInOrder: await Promise.all(
      queuesOfJobs.flatMap(([kind, queue]) => ['a', 'b'].map((line) => storage.firstInOrder(kind, queue, line, 0))),
    ),
    oldestWaiting: await Promise.all(queuesOfJobs.map(([kind, queue]) => storage.oldestWaiting(kind, queue, 9))),
    newestJobs: await Promise.all(['a', 'b'].map((queue) => storage.jobsBefore('delivery', queue, 'x2', 2))),
    deadLettered: await storage.deadLetteredBefore('~', 2),
    deadLetteredCounts: inAnyOrder(await storage.countDeadLettered(9)),
    done: await storage.doneJobsBelow('x2', 2),
    events: await Promise.all(plainIds.map((id) => storage.event(id))),
    between: await storage.eventsBetween(merchant, 'x1', 'x1', 2),
    below: await storage.eventsBelow('x2', 2),
    attempts: await storage.attemptsOf('j1'),
    webhooks: await storage.webhooks(),
    webhookKeys: await storage.webhookKeys(),
    schedules: await Promise.all(plainIds.map((id) => storage.schedule(id))),
    checkouts: await Promise.all(plainIds.map((id) => storage.checkout(id))),
    oldCheckouts: inAnyOrder(await storage.checkoutsBefore(10_000, 9)),
    oldSessions: inAnyOrder(await storage.sessionsBefore(10_000, 9)),
    sessions: await Promise.all(plainIds.map((id) => storage.session(id))),
    chains: await Promise.all(plainIds.map((id) => storage.scheduleChain(id, 2))),
    plans: await Promise.all(plainIds.map((id) => storage.schedulesOf(id, 2))),
    values: await Promise.all(plainIds.map((id) => storage.installation(id))),
    velocity: await Promise.all(['a', 'b'].map((counter) => storage.velocity(counter, velocity('').merchant, 1))),
    cardDeclines: await Promise.all(plainIds.map((id) => storage.cardDeclines(id))),
    changedCardDeclines: await storage.cardDeclinesAfter(1, 'x1', 9),
    oldCardDeclines: inAnyOrder(await storage.cardDeclinesBefore(2, 9)),
    oldVelocity: (await storage.velocityBefore(2, 9)).length,
    entities: await storage.entities(),
    rules: await storage.riskRules(),
    routes: await storage.routeLists(),
    connectors: await storage.connectors(),
    tokens: await storage.accessTokens(),
    feed: await storage.transactionFeed('transactions'),
    roots: (await storage.rootsFrom('p1', 'p3', 2)).map(timeAndId),
    childrenInOrder: (await storage.childrenFrom('c2', 'c4', 9)).map(timeAndId),
    late: await storage.lateTransactions('', 'z', 9),
    requests: await storage.acquirerRequestsOf(listOf(plainIds)),
    messages: await storage.sentMessagesFrom('x1', 'x2', 3),
    postings: await Promise.all(plainIds.map((id) => storage.postingsOf(id))),
    postingsInOrder: await storage.postingsFrom('x1', 'x2', 1),
    postingsOfAcquirer: await storage.acquirerPostingsFrom('x1', 'x2', listOf(['acme']), 1),
    journal: await storage.postingsAfter(merchant, 0, '', '', 9, 99),
    journalAfter: await storage.postingsAfter(merchant, 1, 'x1', 'charge', 1, 2),
    ledgerDays: await storage.ledgerDays(merchant, 0, 1),
    ledgerSums: inAnyOrder(await storage.ledgerSums(merchant, 1)),
    transactionDays: inAnyOrder(await storage.transactionDays(merchant, 1, 1)),
    acquirerDays: await storage.ledgerDaysOfAcquirer('acme', 1),
    nextDay: await storage.nextLedgerDay('acme', 0),
    batch: await storage.clearingBatch('acme/1'),
    batches: await storage.clearingBatchesBefore('acme', 2, 1),
    batchesToCompare: await storage.clearingBatchesToCompare('acme', 1, 9),
    batchesOfDays: await storage.clearingBatchesAfter('acme/', 0, 99_999, 9),
    files: await Promise.all(plainIds.map((id) => storage.settlementFile(id))),
    filesIn: await storage.settlementFilesIn('received', 1),
    filesBefore: await storage.settlementFilesBefore(1, 'x2', 2),
    filesNamed: await storage.settlementFilesNamed('i', 'x1'),
    statement: [await storage.statementBefore('a', 'c'), await storage.statementAfter('a', 'c')],
    waiting: await storage.statementsWaiting('a', 'c', 1),
    content: await storage.settlementContent('c1', 1),
    unused: await storage.contentsWithoutFile('', 'c2', 2),
    booked: await Promise.all(plainIds.map((id) => storage.settlementRowsBooked(id))),
    settlementRow: await storage.settlementRow('x1', 1),
    settlementRows: await storage.settlementRowsAfter('x1', 0, 1),
    settledBy: await storage.settlementRowsOf(listOf(plainIds)),
    unrecorded: await storage.unrecordedChargebacks('', '', '', 0, 9),
    unrecordedAfter: await storage.unrecordedChargebacks('d0', 'CHARGEBACK', 'x1', 1, 2),
    openRows: await storage.openSettlementRowsAfter('d0', 'x1', 0, 2),
    fees: await storage.unownedFeesAfter('d0', 'x1', 0, 2),
    sums: await storage.settlementSumsAfter(merchant, 'd1', 'd0', '', 2),
    sumsOf: await storage.settlementSumsOf('g1'),
    rowsAfter: await storage.aggregationRowsAfter('g1', '%', 0, 'x1', 0, 3),
    rowsBefore: await storage.aggregationRowsBefore('g1', 'SETTLED', 1, 'x2', 2, 3),
    snapshots: await storage.reportSnapshotsBefore(2, 2),
    snapshotPages: [await storage.reportPage('c1', 1), await storage.reportPagesBefore(1, 2)],
    merchantRows: await storage.merchantSettlementRowsAfter(merchant, 'd1', 'd0', 'x1', 0, 2),
    disputes: await Promise.all(plainIds.map((rowId) => storage.dispute(rowId))),
    disputesBefore: await storage.disputesBefore(1, 'x2', 2),
    disputesDue: await storage.disputesDueAfter('d1', 'd0', 'x1', 2),
    evidence: await storage.evidenceOf('x1'),
    evidenceAfter: await storage.evidenceAfter('x1', 2),
    evidencePart: await storage.evidencePart('x1', 1),
    byNetwork: (await storage.transactionsByNetworkId('x1', 9)).map(timeAndId),
    byNetworkBetween: (await storage.transactionsByNetworkIdBetween('x1', merchants, 1, 3, 9)).map(timeAndId),
    named: (await storage.transactionsNamed('x1', 9)).map(timeAndId),
    namedBetween: (await storage.transactionsNamedBetween('x1', merchants, 1, 3, 9)).map(timeAndId),
    byReference: await storage.postingsByReferences(listOf(['r1', 'r2'])),
    postingsOfAll: await storage.postingsOfAll(listOf(plainIds)),
    digits: (await storage.accountDigits(listOf(plainIds))).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    sftpKeys: await storage.sftpKeys(),
    settlementDays: await Promise.all(['d0', 'd1'].map((day) => storage.settlementDay(merchant, day))),
    sftpAccounts: await storage.sftpAccounts(),
    sftpAccount: await storage.sftpAccount('x1'),
    sftpDeliveries: await Promise.all(plainIds.map((id) => storage.sftpDelivery(id))),
    composing: await storage.sftpDeliveriesIn('composing', 1, 2),
    deliveriesOfAccount: await storage.sftpDeliveriesBefore('a1', 'x2', 2),
    part: await storage.sftpDeliveryPart('d1', 1),
    partAt: await storage.sftpDeliveryPartAt('d1', 15),
    pulled: await storage.pulledFile('a1', 'x1'),
    pulledInOrder: await storage.pulledFilesAfter('a1', 'x1', 1),
    undelivered: await storage.undeliveredRows(merchant, 2),
    feePlans: await storage.feePlans(),
    terms: await storage.merchantTerms(),
    matchings: await Promise.all(plainIds.map((id) => storage.settlementMatching(id))),
    merchantAccounts: await Promise.all(plainIds.map((id) => storage.merchantAccount(id))),
    payouts: await Promise.all(plainIds.map((id) => storage.payout(id))),
    newestPayouts: await storage.payoutsBefore(1, 'x2', 'instructed', 2),
    payoutsInAnyState: await storage.payoutsBefore(2, '', '%', 9),
    merchantPayouts: await storage.merchantPayoutsBefore('x1', 2, '', '%', 1),
    bankEntries: await Promise.all(plainIds.map((id) => storage.bankEntry(id))),
    openBankEntries: await storage.bankEntriesAfter('unmatched', 'd0', 'x1', 2),
  }
}

/** Commits units concurrently. @returns the kind of each error, or the result of the commit */
async function commitTogether(storage: Storage, units: readonly Unit[]) {
  const results = await Promise.allSettled(units.map((each) => storage.commit(each)))
  return results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.kind))
}

/** An empty storage. */
interface EmptyStorage {
  readonly storage: Storage
  /** Reads the unique keys, for which the port has no method. */
  readonly uniqueKeys: () => Promise<UniqueKeyRow[]>
  readonly close: () => Promise<void>
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-equal-'))
const file = join(folder, 'test.db')
/** One storage for all runs, because emptying it is faster than opening a new one. */
let sqlite: Storage | undefined

afterAll(async () => {
  await sqlite?.close()
  rmSync(folder, { recursive: true })
})

/** A dialect that is compared with memory. */
interface ComparedDialect {
  readonly name: string
  readonly runs: number
  /** Whether expired rows are removed in the same commit as in memory. */
  readonly removesExpiredAtOnce: boolean
  readonly openEmpty: () => Promise<EmptyStorage>
}

const dialects: readonly ComparedDialect[] = [
  {
    name: 'sqlite',
    runs: 60,
    removesExpiredAtOnce: true,
    openEmpty: async () => {
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
    removesExpiredAtOnce: false,
    openEmpty: async () => {
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
const TIMEOUT_MS = isLong ? 900_000 : 300_000

/** Copies of the units with increasing times. */
function withIncreasingTimes(groups: readonly (readonly Unit[])[]): Unit[][] {
  let atMs = 0
  const delayed = <Row extends { readonly created_at_ms: number; readonly expires_at_ms: number | null }>(
    row: Row,
  ) => ({
    ...row,
    created_at_ms: atMs,
    expires_at_ms: row.expires_at_ms === null ? null : atMs + row.expires_at_ms - row.created_at_ms,
  })
  return groups.map((group) =>
    group.map((each) => {
      atMs += 1
      const claim = each.claim && {
        ...delayed(each.claim),
        expires_at_ms: atMs + each.claim.expires_at_ms - each.claim.created_at_ms,
      }
      return { ...each, claim, unique: each.unique?.map(delayed) }
    }),
  )
}

/** After the times of `withIncreasingTimes` and the random lifetimes. Only other keys expire later, or never. */
const endMs = 1000

/**
 * The rows that have not expired at `endMs`. Only these are compared, because a dialect with several batches in flight
 * may remove expired rows sooner or later than memory does.
 */
const unexpired = <Row extends { readonly expires_at_ms: number | null }>(rows: readonly (Row | undefined)[]) =>
  rows.filter((row) => row && (row.expires_at_ms ?? Infinity) > endMs)

for (const { name, runs, removesExpiredAtOnce, openEmpty } of dialects.filter(isAvailable)) {
  test(
    `${name} returns and stores the same as memory, for any units and any concurrency`,
    async () => {
      const numRuns = isLong ? 50 * runs : runs
      const outcomes: Record<string, number> = {}
      const groups = fc.array(fc.array(randomUnits, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 })
      await fc.assert(
        fc.asyncProperty(removesExpiredAtOnce ? groups : groups.map(withIncreasingTimes), async (units) => {
          const disk = memoryDisk()
          const memory = openMemory(disk)
          const { storage, uniqueKeys, close } = await openEmpty()
          try {
            const feed = [transactionFeed({ closed_before: 'p2' })]
            for (const group of [[{ id: 'feed', expectedVersions: [], rows: { transaction_feed: feed } }], ...units]) {
              const expected = await commitTogether(memory, group)
              expect(await commitTogether(storage, group)).toEqual(expected)
              for (const result of expected) {
                const kind = typeof result === 'string' ? result : result.kind
                outcomes[kind] = (outcomes[kind] ?? 0) + 1
              }
            }
            const [actual, expected] = [await contents(storage), await contents(memory)]
            const keys = [...disk.unique_key.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
            if (removesExpiredAtOnce) {
              expect(actual).toEqual(expected)
              expect(await uniqueKeys()).toEqual(keys)
            } else {
              expect({ ...actual, keys: unexpired(actual.keys) }).toEqual({
                ...expected,
                keys: unexpired(expected.keys),
              })
              expect(unexpired(await uniqueKeys())).toEqual(unexpired(keys))
            }
          } finally {
            await close()
          }
        }),
        // Each attempt to find a shorter counterexample takes as long as a run.
        { numRuns, interruptAfterTimeLimit: TIMEOUT_MS / 2, markInterruptAsFailure: true },
      )
      // Few runs may miss an outcome; 60 runs must cover all outcomes.
      if (numRuns >= 60)
        expect(Object.keys(outcomes).toSorted()).toEqual(['claimed', 'committed', 'conflict', 'constraint', 'stale'])
    },
    TIMEOUT_MS,
  )
}
