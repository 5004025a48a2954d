import { setTimeout as wait } from 'node:timers/promises'
import { openPostgres, type Storage, type TransactionRow } from '@tollgate/storage'
import { newDatabase, removeDatabase, runSql } from '@tollgate/storage/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDirectory } from '../directory/directory.ts'
import { createIds } from '../ids.ts'
import { testLoop } from '../testing/loop-times.ts'
import { startTimer } from '../wait.ts'
import { postTransactions } from './post-transactions.task.ts'

// Two processes on one database, whose clocks differ by a minute, post the transactions that both commit meanwhile.

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const TRANSACTIONS_MAX = isLong ? 4_000 : 400
const SKEW_MS = 60_000

interface Process {
  readonly storage: Storage
  readonly clock: { readonly now: () => number }
  readonly ids: ReturnType<typeof createIds>
}

let url: string
let processes: readonly Process[]

beforeAll(async () => {
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  processes = await Promise.all(
    [0, SKEW_MS].map(async (skewMs) => {
      const clock = { now: () => Date.now() - skewMs }
      return { storage: await openPostgres({ url }), clock, ids: createIds(clock) }
    }),
  )
})
afterAll(async () => {
  await Promise.all(processes.map(({ storage }) => storage.close()))
  await removeDatabase(url)
})

const merchant = 'e'.repeat(32)
const debit = (id: string, atMs: number, status: string): TransactionRow => ({
  root_id: id,
  id,
  merchant,
  channel: 'c'.repeat(32),
  referenced_id: null,
  type: 'DB',
  status,
  amount_minor: 100,
  currency: 'EUR',
  brand: 'VISA',
  method: 'CC',
  test_mode: 'INTERNAL',
  account_id: null,
  registration_id: null,
  network_transaction_id: null,
  initial_transaction_id: null,
  merchant_transaction_id: null,
  result_code: status === 'ACK' ? '000.100.110' : '000.200.000',
  facts: '{}',
  echo: '{}',
  outcome: '{"result":{},"resultDetails":{"ConnectorTxID1":"R1"}}',
  created_at_ms: atMs,
})

/** Commits a debit, in one commit or in two, after waits of up to some seconds. */
async function pay({ storage, clock, ids }: Process): Promise<string> {
  const atMs = clock.now()
  const id = ids.ordered()
  await wait(Math.random() * 3_000)
  const isDecided = Math.random() < 0.5
  const first = debit(id, atMs, isDecided ? 'ACK' : 'SENT')
  const expectedVersions = [{ id, merchant, version: 0 }]
  await storage.commit({ id, expectedVersions, rows: { payment_transaction: [first] } })
  if (isDecided) return id
  await wait(Math.random() * 9_000)
  const compareAndSets = [{ table: 'payment_transaction' as const, from: first, to: debit(id, atMs, 'ACK') }]
  await storage.commit({ id: ids.ordered(), expectedVersions: [], compareAndSets, rows: {} })
  return id
}

/** A sweep of the ledger, as a background task does it. */
async function post({ storage, clock, ids }: Process, isOver: () => boolean): Promise<void> {
  const acquirers = { accounts: { find: () => undefined, names: () => [] }, startTimer }
  const taskClock = { now: clock.now, machineNow: () => Date.now() }
  const directory = await openDirectory(storage, (token) => Buffer.from(token), false)
  const commands = { units: () => 0 }
  const task = postTransactions({
    storage,
    clock: taskClock,
    ids,
    directory,
    acquirers,
    commands,
    eventLoop: testLoop(),
  })
  while (!isOver()) {
    await task.step().catch(() => undefined)
    await wait(20)
  }
}

/** Holds a commit of a transaction open for a while, as a slow or suspended process does. */
async function holdOpen({ ids, clock }: Process): Promise<string> {
  const id = ids.ordered()
  const { root_id: _root, ...row } = debit(id, clock.now(), 'ACK')
  const columns = ['root_id', ...Object.keys(row)]
  const values = [id, ...Object.values(row)].map((value) => (value === null ? 'NULL' : `'${value}'`))
  const names = columns.map((column) => `"${column}"`).join(', ')
  await runSql(
    url,
    `BEGIN; INSERT INTO payment_transaction (${names}) VALUES (${values.join(', ')}); SELECT pg_sleep(8); COMMIT`,
  )
  return id
}

test('every transaction is posted exactly once', { timeout: 120_000 }, async () => {
  let isOver = false
  const posting = processes.map((each) => post(each, () => isOver))
  // Only the faster clock draws ids for which the feed is not closed yet.
  const held = processes.slice(0, 1).map((each) => wait(2_000).then(() => holdOpen(each)))
  const payments = Array.from({ length: TRANSACTIONS_MAX }, async (_, index) => {
    await wait(Math.random() * 10_000)
    const payer = processes[index % 2]
    return payer ? pay(payer) : ''
  })
  const ids = await Promise.all([...payments, ...held])
  const [{ storage } = { storage: undefined }] = processes
  // The slower clock reaches the last transactions of the faster one a minute later.
  const postings = async () => (await storage?.postingsFrom('', 'g', 9_999)) ?? []
  await expect.poll(async () => (await postings()).length, { timeout: 90_000, interval: 500 }).toBe(ids.length)
  await wait(1_000)
  isOver = true
  await Promise.all(posting)
  expect((await postings()).map((row) => row.transaction_id)).toEqual(ids.toSorted())
  const days = (await storage?.ledgerDays(merchant, 0, 99_999)) ?? []
  expect(days.reduce((sum, day) => sum + day.postings, 0)).toBe(ids.length)
  expect(days.reduce((sum, day) => sum + day.amount_minor, 0)).toBe(100 * ids.length)
  const counts = (await storage?.transactionDays(merchant, 0, 99_999)) ?? []
  expect(counts.reduce((sum, day) => sum + day.transactions, 0)).toBe(ids.length)
  expect(await storage?.lateTransactions('', 'g', 9)).toEqual([])
})
