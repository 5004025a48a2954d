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
/** Adds an entry. @returns the ids of the earlier entries */
const idsBefore = async (row: VelocityRow, sinceMs = 0) =>
  (await velocity.add(row, sinceMs)).map(({ id }) => id).toSorted()

beforeEach(() => {
  velocity = createVelocity(storage)
})

test('the first entry has no earlier entries', async () => {
  expect(await idsBefore(entry('a1'))).toEqual([])
})

test('each of several concurrent entries counts only the earlier entries', async () => {
  const ids = ['b1', 'b2', 'b3', 'b4']
  const earlierIds = await Promise.all(ids.map((id) => idsBefore(entry(id, { counter: 'b' }))))
  expect(earlierIds).toEqual([[], ['b1'], ['b1', 'b2'], ['b1', 'b2', 'b3']])
})

test('an entry that was stored in the meantime counts once, with its stored amount', async () => {
  await velocity.add(entry('c1', { counter: 'c' }), 0)
  await store(entry('c1', { counter: 'c', amount_minor: 0 }))
  expect(await velocity.add(entry('c2', { counter: 'c' }), 0)).toEqual([entry('c1', { counter: 'c', amount_minor: 0 })])
})

test('a stored entry that was not added in this process counts', async () => {
  await store(entry('d1', { counter: 'd' }))
  expect(await idsBefore(entry('d2', { counter: 'd' }))).toEqual(['d1'])
})

test('a later entry does not count, although it is stored before the earlier entry', async () => {
  const disk = new EventEmitter()
  const ready = once(disk, 'ready')
  const slowVelocity = createVelocity({
    ...storage,
    velocity: (...args) => ready.then(() => storage.velocity(...args)),
  })
  const earlierEntries = slowVelocity.add(entry('i2', { counter: 'i' }), 0)
  void slowVelocity.add(entry('i1', { counter: 'i' }), 0)
  await store(entry('i1', { counter: 'i' }))
  disk.emit('ready')
  expect(await earlierEntries).toEqual([])
})

test.each([
  ['before the window', entry('e1', { counter: 'e', created_at_ms: 999 })],
  ['under another counter', entry('e2', { counter: 'f' })],
  ['of another merchant', entry('e3', { counter: 'e', merchant: 'n' })],
])('an entry %s does not count', async (_label, otherEntry) => {
  await velocity.add(otherEntry, 0)
  expect(await idsBefore(entry('e9', { counter: 'e' }), 1000)).toEqual([])
})

test('the number of entries in memory is bounded, and the oldest entry is removed first', async () => {
  for (let index = 0; index <= limits.velocityInFlightMax; index += 1) {
    await velocity.add(entry(`g${index}`, { counter: index < 2 ? 'g' : `g${index}` }), 0)
  }
  expect(await idsBefore(entry('h', { counter: 'g' }))).toEqual(['g1'])
})

test('a removed entry does not count, and the other entries of its counter still do', async () => {
  const [removed, kept] = [entry('k1', { counter: 'k' }), entry('k2', { counter: 'k' })]
  await Promise.all([velocity.add(removed, 0), velocity.add(kept, 0)])
  velocity.remove([removed])
  velocity.remove([removed])
  expect(await idsBefore(entry('k3', { counter: 'k' }))).toEqual(['k2'])
})
