import { describe, expect, test } from 'vitest'
import { createIds, shortIdOf } from './ids.ts'

const clockAt = (nowMs: number) => ({ now: () => nowMs })

describe('ordered ids', () => {
  test('are 32 hex digits, the first twelve of them the time', () => {
    expect(createIds(clockAt(0x123456789abc)).ordered()).toMatch(/^123456789abc[0-9a-f]{20}$/)
    expect(createIds(clockAt(1)).ordered()).toMatch(/^000000000001/)
  })

  test('sort by time', () => {
    const ids = [1, 16, 255, 256, Date.UTC(2026, 0), Date.UTC(2500, 0)].map((nowMs) =>
      createIds(clockAt(nowMs)).ordered(),
    )
    expect(ids.toSorted()).toEqual(ids)
  })

  test('follow the clock', () => {
    const clock = { nowMs: 1, now: () => clock.nowMs }
    const ids = createIds(clock)
    const first = ids.ordered()
    clock.nowMs = 2
    expect([first.slice(0, 12), ids.ordered().slice(0, 12)]).toEqual(['000000000001', '000000000002'])
  })
})

describe('sequenced ids', () => {
  test('sort in the order in which they were generated, even if the clock stands still or goes back', () => {
    const clock = { nowMs: 1_000, now: () => clock.nowMs }
    const ids = createIds(clock)
    const generated = Array.from({ length: 70_000 }, () => ids.sequenced())
    clock.nowMs = 999
    generated.push(ids.sequenced())
    clock.nowMs = 2_000
    generated.push(ids.sequenced())
    expect(generated.toSorted()).toEqual(generated)
    expect(generated.at(-1)).toMatch(/^0000000007d00000[0-9a-f]{16}$/)
  })
})

test.each([
  { source: 'the system', seed: undefined },
  { source: 'a seed', seed: 'x' },
])('ids from $source are unique', ({ seed }) => {
  const ids = createIds(clockAt(1), seed)
  const generated = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? ids.ordered() : ids.random()))
  expect(new Set(generated).size).toBe(generated.length)
  expect(generated.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true)
})

test('equal seeds give equal ids, and different seeds give different ids', () => {
  const draw = (seed: string) => {
    const ids = createIds(clockAt(1), seed)
    return [ids.ordered(), ids.random(), ids.ordered()]
  }
  expect(draw('one')).toEqual(draw('one'))
  expect(draw('one')).not.toEqual(draw('two'))
})

test.each([
  { id: '0'.repeat(32), short: '0000.0000.0000' },
  { id: `${'0'.repeat(31)}f`, short: '0000.0000.0015' },
  { id: 'f'.repeat(32), short: '5535.5535.5535' },
])('the short id of $id is $short', ({ id, short }) => {
  expect(shortIdOf(id)).toBe(short)
})

test('a random id is never before an id with a time, which begins with 0', () => {
  const ids = createIds({ now: () => Date.UTC(2500, 0) }, 'seed')
  expect(ids.ordered()).toMatch(/^0/)
  expect(Array.from({ length: 1000 }, () => ids.random()).filter((id) => !/^[1-9a-f][0-9a-f]{31}$/.test(id))).toEqual(
    [],
  )
})
