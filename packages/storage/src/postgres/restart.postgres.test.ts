import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Storage } from '../port.ts'
import { expectedVersion, idempotencyKey, transaction } from '../testing/sample-rows.ts'
import { findPrograms, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { openPostgres } from './open.ts'

let server: PostgresServer
let storage: Storage

beforeAll(async () => {
  const programs = findPrograms(process.env['PATH'] ?? '')
  if (!programs) throw new Error('PostgreSQL is not installed: run apt-get install postgresql')
  server = await startPostgres(programs)
  storage = await openPostgres({ url: server.url })
  const unit = { id: 'p1', expectedVersions: [expectedVersion('p1')], claim: idempotencyKey('k1') }
  await storage.commit({ ...unit, rows: { payment_transaction: [transaction('p1')] } })
})

afterAll(async () => {
  await storage.close()
  await server.remove()
})

/** The reads that precede the commit of a payment, a follow-up, a registration or a checkout. */
const reads: readonly (readonly [name: string, read: () => Promise<unknown>])[] = [
  ['an idempotency key', () => storage.idempotencyKey('k1')],
  ['a tree by its root', () => storage.treeOf('p1')],
  ['transactions', () => storage.transactions(['p1'])],
  ['an account', () => storage.account('a1')],
  ['a registration', () => storage.registration('r1')],
  ['the use of a registration', () => storage.lastUse('r1')],
  ['a payment by the id of its network', () => storage.byNetworkId('n1', 'm1')],
  ['payments of an agreement', () => storage.newestOfAgreement('i1', 'm1', 1)],
  ['the rows that risk rules count', () => storage.velocity('c1', 'm1', 0)],
  ['a checkout', () => storage.checkout('c1')],
  ['a redirect session', () => storage.session('v1')],
  ['a schedule', () => storage.schedule('s1')],
  ['access tokens', () => storage.accessTokens()],
  ['entities', () => storage.entities()],
]

test('reads wait during a restart of the server, and then succeed', async () => {
  const before = await Promise.all(reads.map(([, read]) => read()))
  await server.stop()
  const outcomes = reads.map(async ([name, read]) => [name, await read().catch(String)] as const)
  const firstOutcome = Promise.race(outcomes)
  const waited = await Promise.race([firstOutcome, new Promise((resolve) => setTimeout(() => resolve('waits'), 500))])
  expect(waited).toBe('waits')
  await server.start()
  expect(await Promise.all(outcomes)).toEqual(reads.map(([name], index) => [name, before[index]]))
})

test('closing a storage ends the reads that wait for its server', async () => {
  const otherStorage = await openPostgres({ url: server.url })
  await server.stop()
  const read = otherStorage.treeOf('p1').catch((error: unknown) => error)
  await new Promise((resolve) => setTimeout(resolve, 100))
  await otherStorage.close()
  expect(await read).toMatchObject({ name: 'StorageError', kind: 'unavailable' })
  await server.start()
})

test('the storage is reachable again after a restart, even without commits', async () => {
  await server.stop()
  await expect.poll(() => storage.isReachable()).toBe(false)
  await server.start()
  await expect.poll(() => storage.isReachable(), { timeout: 10_000 }).toBe(true)
})
