import { EventEmitter, once } from 'node:events'
import { openMemory, type VelocityRow } from '@tollgate/storage'
import { beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createVelocity } from './velocity.ts'
import type { Velocity } from '../ports/velocity.ts'

const storage = openMemory()
const entry = (id: string, changes: Partial<VelocityRow> = {}): VelocityRow => ({
  counter: 'payment|customer.ip|192.0.2.1',
  merchant: 'm',
  created_at_ms: 1000,
  id,
  amount_minor: 9200,
  currency: 'EUR',
  ...changes,
})
const store = (...velocity: VelocityRow[]) => storage.commit({ id: 'u', expectedVersions: [], rows: { velocity } })

let velocity: Velocity
/** The ids of those that came before. */
const before = async (row: VelocityRow, sinceMs = 0) =>
  (await velocity.add(row, sinceMs)).map(({ id }) => id).toSorted()

beforeEach(() => {
  velocity = createVelocity(storage)
})

test('the first one has none before it', async () => {
  expect(await before(entry('a1'))).toEqual([])
})

test('of several at once, each counts those before it and no other', async () => {
  const ids = ['b1', 'b2', 'b3', 'b4']
  const found = await Promise.all(ids.map((id) => before(entry(id, { counter: 'b' }))))
  expect(found).toEqual([[], ['b1'], ['b1', 'b2'], ['b1', 'b2', 'b3']])
})

test('one that is on disk by now counts once, as it is there', async () => {
  await velocity.add(entry('c1', { counter: 'c' }), 0)
  await store(entry('c1', { counter: 'c', amount_minor: 0 }))
  expect(await velocity.add(entry('c2', { counter: 'c' }), 0)).toEqual([entry('c1', { counter: 'c', amount_minor: 0 })])
})

test('one that was stored before the process began counts', async () => {
  await store(entry('d1', { counter: 'd' }))
  expect(await before(entry('d2', { counter: 'd' }))).toEqual(['d1'])
})

test('one that came later and was on disk sooner does not count', async () => {
  const disk = new EventEmitter()
  const ready = once(disk, 'ready')
  const slow = createVelocity({ ...storage, velocity: (...about) => ready.then(() => storage.velocity(...about)) })
  const first = slow.add(entry('i2', { counter: 'i' }), 0)
  void slow.add(entry('i1', { counter: 'i' }), 0)
  await store(entry('i1', { counter: 'i' }))
  disk.emit('ready')
  expect(await first).toEqual([])
})

test.each([
  ['before the time asked for', entry('e1', { counter: 'e', created_at_ms: 999 })],
  ['under another counter', entry('e2', { counter: 'f' })],
  ['of another merchant', entry('e3', { counter: 'e', merchant: 'n' })],
])('one %s does not count', async (_what, other) => {
  await velocity.add(other, 0)
  expect(await before(entry('e9', { counter: 'e' }), 1000)).toEqual([])
})

test('the number of entries is bounded, and the oldest is removed first', async () => {
  for (let index = 0; index <= limits.riskUnderWayMax; index += 1) {
    await velocity.add(entry(`g${index}`, { counter: index < 2 ? 'g' : `g${index}` }), 0)
  }
  expect(await before(entry('h', { counter: 'g' }))).toEqual(['g1'])
})

test('only the entries of a payment that is not stored are removed', async () => {
  const [gone, kept] = [entry('k1', { counter: 'k' }), entry('k2', { counter: 'k' })]
  await Promise.all([velocity.add(gone, 0), velocity.add(kept, 0)])
  velocity.remove([gone])
  velocity.remove([gone])
  expect(await before(entry('k3', { counter: 'k' }))).toEqual(['k2'])
})
