import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createFairQueue, type FairQueue } from './fair-queue.ts'

const { workingUnits: working, waitingUnits: waiting, unitBytes, admittedTogether } = limits

let fairQueue: FairQueue
/** The outcomes of waiting requests, in order. */
let events: string[]

/** The clock, and deferred work, which the test runs. */
const world = { nowMs: 0, later: [] as (() => void)[] }

function newFairQueue(): FairQueue {
  world.nowMs = 0
  world.later = []
  return createFairQueue({ now: () => world.nowMs, later: (work) => void world.later.push(work) })
}

beforeEach(() => {
  fairQueue = newFairQueue()
  events = []
})

/** A request of a merchant; its outcome is recorded, at once or later. */
function enter(merchant: string, bytes = 100, name = merchant): boolean | Promise<boolean> {
  const entered = fairQueue.enter(fairQueue.queueOf(merchant), bytes)
  if (typeof entered === 'object') void entered.then((admitted) => events.push(`${name} ${admitted ? 'in' : 'out'}`))
  return entered
}
/** Several requests of a merchant: which of them may begin at once. */
const many = (count: number, merchant: string) => Array.from({ length: count }, () => enter(merchant) === true)
const leave = (merchant: string, bytes = 100) => fairQueue.leave(fairQueue.queueOf(merchant), bytes)
/** The outcomes recorded since the last call, after all deferred work. */
async function noted(): Promise<readonly string[]> {
  for (let work = world.later.shift(); work; work = world.later.shift()) work()
  return told()
}
/** The outcomes recorded since the last call, without deferred work. */
async function told(): Promise<readonly string[]> {
  await new Promise((resolve) => void setImmediate(resolve))
  return events.splice(0)
}
const times = (count: number, event: string) => Array.from({ length: count }, () => event)

test('while places are free, no request waits', () => {
  expect(many(working, 'a')).not.toContain(false)
  expect(enter('a')).toBeInstanceOf(Promise)
})

test('a merchant alone has its turns in the order in which its requests came', async () => {
  many(working, 'a')
  for (const name of ['first', 'second', 'third']) void enter('a', 100, name)
  for (let count = 0; count < 2; count += 1) leave('a')
  expect(await noted()).toEqual(['first in', 'second in'])
})

describe('while one merchant floods', () => {
  beforeEach(() => {
    many(working + waiting, 'flood')
  })

  test('further requests are refused before their bodies are read', () => {
    expect(fairQueue.takes(fairQueue.queueOf('flood'))).toBe(false)
    expect(fairQueue.takes(fairQueue.queueOf('other'))).toBe(true)
    expect(enter('flood')).toBe(false)
  })

  test('another takes the place of its newest, and goes first', async () => {
    void enter('other')
    expect(await noted()).toEqual(['flood out'])
    leave('flood')
    expect(await noted()).toEqual(['other in'])
    leave('flood')
    expect(await noted()).toEqual(['flood in'])
  })

  test('another that sends as much comes to have half of all there is', async () => {
    for (let round = 0; round < working; round += 1) {
      void enter('other')
      leave(round % 2 === 0 ? 'flood' : 'other')
      await noted()
    }
    expect(fairQueue.queueOf('other').working).toBe(working / 2)
    expect(fairQueue.queueOf('flood').working).toBe(working / 2)
  })

  test('many others are all let in before it has another turn', async () => {
    const others = Array.from({ length: 20 }, (_, index) => `other ${index}`)
    for (const merchant of others) void enter(merchant)
    expect(await noted()).toEqual(times(others.length, 'flood out'))
    for (let count = 0; count < others.length; count += 1) leave('flood')
    expect(await noted()).toEqual(others.map((merchant) => `${merchant} in`))
  })

  test('and nothing is left of it when it ends', async () => {
    for (let count = 0; count < working + waiting; count += 1) leave('flood')
    expect(await noted()).toEqual(times(waiting, 'flood in'))
    expect(many(working, 'other')).not.toContain(false)
    expect(fairQueue.queueOf('flood')).toMatchObject({ working: 0, queued: 0, waiting: [] })
  })
})

describe('turns are taken in steps', () => {
  test('between which whoever has less goes first', async () => {
    many(working + 2 * admittedTogether, 'flood')
    for (let count = 0; count < 2 * admittedTogether; count += 1) leave('flood')
    expect(await told()).toEqual(times(admittedTogether, 'flood in'))
    void enter('other')
    expect(await told()).toEqual([])
    expect(await noted()).toEqual(['other in', ...times(admittedTogether - 1, 'flood in')])
  })

  test('and a step that is not used up goes on at once', async () => {
    many(working + 2, 'flood')
    leave('flood')
    expect(await told()).toEqual(['flood in'])
    leave('flood')
    expect(await told()).toEqual(['flood in'])
  })

  test('a new request does not overtake waiting requests', async () => {
    many(working + admittedTogether + 1, 'flood')
    for (let count = 0; count < working; count += 1) leave('flood')
    expect(await told()).toEqual(times(admittedTogether, 'flood in'))
    expect(enter('flood', 100, 'late')).toBeInstanceOf(Promise)
    expect(await noted()).toEqual(['flood in', 'late in'])
  })
})

test('a request that has waited too long is refused, and the next one is admitted', async () => {
  many(working, 'a')
  void enter('a', 100, 'first')
  world.nowMs += 1
  void enter('a', 100, 'second')
  world.nowMs += limits.waitingMsMax
  leave('a')
  expect(await noted()).toEqual(['first out', 'second in'])
})

test('turns go round among those who have as much', async () => {
  many(working, 'busy')
  for (const merchant of ['a', 'a', 'a', 'b', 'b', 'c']) void enter(merchant)
  // Of each that comes in one leaves at once, so that all have nothing under way.
  for (let turn = 0; turn < 6; turn += 1) leave('busy')
  expect(await noted()).toEqual(['a in', 'b in', 'c in', 'a in', 'b in', 'a in'])
})

describe('a large body', () => {
  const large = 100 * unitBytes

  test('takes the room of many requests', () => {
    many(working, 'a')
    for (let count = 0; count < 3; count += 1) expect(enter('a', large)).toBeInstanceOf(Promise)
    expect(enter('a', large)).toBe(false)
    expect(enter('a')).toBeInstanceOf(Promise)
  })

  test('gives way to the small ones of another, and not to one that is larger', async () => {
    many(working, 'a')
    for (let count = 0; count < 3; count += 1) void enter('a', large)
    expect(enter('b', 4 * large)).toBe(false)
    expect(enter('b', large)).toBeInstanceOf(Promise)
    expect(await noted()).toEqual(['a out'])
  })

  test('without room removes no other request', async () => {
    many(working, 'a')
    many(waiting / 2, 'a')
    many(waiting / 2, 'b')
    // Room for it would leave both others with less than itself.
    expect(enter('c', 150 * unitBytes)).toBe(false)
    expect(await noted()).toEqual([])
    expect(enter('c', 120 * unitBytes)).toBeInstanceOf(Promise)
    expect((await noted()).length).toBe(121)
  })

  test('may begin wherever one place is free, so that none waits for ever', async () => {
    many(working, 'a')
    void enter('b', 2 * large)
    leave('a')
    expect(await noted()).toEqual(['b in'])
    void enter('a')
    leave('a')
    expect(await noted()).toEqual([])
    leave('b', 2 * large)
    expect(await noted()).toEqual(['a in'])
  })
})

test('whatever comes and goes: bounds hold, nobody waits while there is room, and nobody is forgotten', async () => {
  const step = fc.record({
    merchant: fc.constantFrom('a', 'b', 'c', 'd'),
    requests: fc.integer({ min: 1, max: 200 }),
    bytes: fc.constantFrom(0, 100, unitBytes, 20 * unitBytes),
    leaves: fc.integer({ min: 0, max: 200 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      fairQueue = newFairQueue()
      const under: { merchant: string; bytes: number }[] = []
      let unsettled = 0
      const settled = async (entered: Promise<boolean>, one: { merchant: string; bytes: number }) => {
        if (await entered) under.push(one)
        unsettled -= 1
      }
      for (const { merchant, requests, bytes, leaves } of steps) {
        for (let count = 0; count < requests; count += 1) {
          const takes = fairQueue.takes(fairQueue.queueOf(merchant))
          const entered = fairQueue.enter(fairQueue.queueOf(merchant), bytes)
          if (!takes) expect(entered).toBe(false)
          if (bytes < unitBytes && takes) expect(entered).not.toBe(false)
          if (entered === true) under.push({ merchant, bytes })
          if (typeof entered === 'boolean') continue
          unsettled += 1
          void settled(entered, { merchant, bytes })
        }
        for (const done of under.splice(0, leaves)) leave(done.merchant, done.bytes)
        await noted()
        const byTenant = ['a', 'b', 'c', 'd'].map((one) => fairQueue.queueOf(one))
        const sum = (of: 'working' | 'queued') => byTenant.reduce((total, queue) => total + queue[of], 0)
        expect(sum('queued')).toBeLessThanOrEqual(waiting)
        expect(sum('working')).toBeLessThan(working + 1 + 20)
        if (unsettled > 0) expect(sum('working')).toBeGreaterThanOrEqual(working)
        expect(byTenant.reduce((total, queue) => total + queue.waiting.length, 0)).toBe(unsettled)
      }
      while (under.length > 0) {
        for (const done of under.splice(0)) leave(done.merchant, done.bytes)
        await noted()
      }
      expect(unsettled).toBe(0)
    }),
    { numRuns: 50 },
  )
})
