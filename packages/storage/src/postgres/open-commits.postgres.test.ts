import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Storage } from '../port.ts'
import { newDatabase, removeDatabase } from '../testing/postgres-database.ts'
import { expectedVersion, transaction, transactionFeed } from '../testing/sample-rows.ts'
import { type Connection, connect } from './database.ts'
import { openPostgres } from './open.ts'

let url: string
let storage: Storage
/** Another program, whose transaction remains open. */
let other: Connection

beforeAll(async () => {
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  storage = await openPostgres({ url })
  other = await connect(url, 'migrate')
})
afterAll(async () => {
  await other.close()
  await storage.close()
  await removeDatabase(url)
})

const add = (id: string) =>
  storage.commit({ id, expectedVersions: [expectedVersion(id)], rows: { payment_transaction: [transaction(id)] } })
const late = async () => (await storage.lateTransactions('', 'z', 9)).map(({ id }) => id)

test('open commits of transactions are awaited, and those that begin later are recorded as late', async () => {
  await add('a1')
  expect(await storage.openCommits?.()).toBe(true)
  await other.query('BEGIN')
  await other.query(`INSERT INTO payment_transaction SELECT * FROM payment_transaction WHERE false`)
  await storage.commit({
    id: 'close',
    expectedVersions: [],
    rows: { transaction_feed: [transactionFeed({ closed_before: 'm' })] },
  })
  await add('a2')
  expect(await late()).toEqual(['a2'])
  // The other program has not seen the position, and may still commit transactions below it.
  expect(await storage.openCommits?.()).toBe(false)
  const waiting = storage.openCommits?.()
  await other.query('COMMIT')
  expect(await waiting).toBe(true)
})

test('a program that only reads transactions is not awaited', async () => {
  await other.query('BEGIN')
  await other.query('SELECT count(*) FROM payment_transaction')
  expect(await storage.openCommits?.()).toBe(true)
  await other.query('COMMIT')
})
