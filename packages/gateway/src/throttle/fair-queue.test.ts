import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createFairQueue, type FairQueue } from './fair-queue.ts'

const { admittedRequestsMax: admittedMax, queuedRequestsMax: queuedMax, requestWeightBytes, admittedPerStep } = limits

let fairQueue: FairQueue
/** The outcomes of waiting requests, in the order in which their promises resolved. */
let events: string[]

/** The time, and the deferred functions, which the test calls. */
const eventLoop = { nowMs: 0, later: [] as (() => void)[] }

function newFairQueue(): FairQueue {
  eventLoop.nowMs = 0
  eventLoop.later = []
  return createFairQueue({ now: () => eventLoop.nowMs, later: (work) => void eventLoop.later.push(work) })
}

beforeEach(() => {
  fairQueue = newFairQueue()
  events = []
})

/** Sends a request of a merchant. If it waits, its outcome is added to `events`. */
function enter(merchant: string, bytes = 100, name = merchant): boolean | Promise<boolean> {
  const entered = fairQueue.enter(fairQueue.queueOf(merchant), bytes)
  if (typeof entered === 'object')
    void entered.then((admitted) => events.push(`${name} ${admitted ? 'admitted' : 'refused'}`))
  return entered
}
/** Sends several requests of a merchant. @returns for each whether it may begin at once */
const enterMany = (count: number, merchant: string) => Array.from({ length: count }, () => enter(merchant) === true)
const leave = (merchant: string, bytes = 100) => fairQueue.leave(fairQueue.queueOf(merchant), bytes)
/** Calls all deferred functions. @returns the outcomes since the last call */
async function outcomesAfterWork(): Promise<readonly string[]> {
  for (let work = eventLoop.later.shift(); work; work = eventLoop.later.shift()) work()
  return outcomes()
}
/** @returns the outcomes since the last call, without calls of deferred functions */
async function outcomes(): Promise<readonly string[]> {
  await new Promise((resolve) => void setImmediate(resolve))
  return events.splice(0)
}
const repeat = (count: number, event: string) => Array.from({ length: count }, () => event)

test('requests up to the maximum in progress are admitted at once, and the next one waits', () => {
  expect(enterMany(admittedMax, 'a')).not.toContain(false)
  expect(enter('a')).toBeInstanceOf(Promise)
})

test('requests of a single merchant are admitted in the order of their arrival', async () => {
  enterMany(admittedMax, 'a')
  for (const name of ['first', 'second', 'third']) void enter('a', 100, name)
  for (let count = 0; count < 2; count += 1) leave('a')
  expect(await outcomesAfterWork()).toEqual(['first admitted', 'second admitted'])
})

describe('while one merchant floods', () => {
  beforeEach(() => {
    enterMany(admittedMax + queuedMax, 'flood')
  })

  test('there is room for a request of another merchant, but not for further requests of the flood', () => {
    expect(fairQueue.hasRoom(fairQueue.queueOf('flood'))).toBe(false)
    expect(fairQueue.hasRoom(fairQueue.queueOf('other'))).toBe(true)
    expect(enter('flood')).toBe(false)
  })

  test('a request of another merchant replaces a request of the flood, and is admitted first', async () => {
    void enter('other')
    expect(await outcomesAfterWork()).toEqual(['flood refused'])
    leave('flood')
    expect(await outcomesAfterWork()).toEqual(['other admitted'])
    leave('flood')
    expect(await outcomesAfterWork()).toEqual(['flood admitted'])
  })

  test('another merchant that keeps sending gets half of all places', async () => {
    for (let round = 0; round < admittedMax; round += 1) {
      void enter('other')
      leave(round % 2 === 0 ? 'flood' : 'other')
      await outcomesAfterWork()
    }
    expect(fairQueue.queueOf('other').inProgress).toBe(admittedMax / 2)
    expect(fairQueue.queueOf('flood').inProgress).toBe(admittedMax / 2)
  })

  test('requests of many other merchants are admitted before the next request of the flood', async () => {
    const others = Array.from({ length: 20 }, (_, index) => `other ${index}`)
    for (const merchant of others) void enter(merchant)
    expect(await outcomesAfterWork()).toEqual(repeat(others.length, 'flood refused'))
    for (let count = 0; count < others.length; count += 1) leave('flood')
    expect(await outcomesAfterWork()).toEqual(others.map((merchant) => `${merchant} admitted`))
  })

  test('the queue of the flood is empty after its last request', async () => {
    for (let count = 0; count < admittedMax + queuedMax; count += 1) leave('flood')
    expect(await outcomesAfterWork()).toEqual(repeat(queuedMax, 'flood admitted'))
    expect(enterMany(admittedMax, 'other')).not.toContain(false)
    expect(fairQueue.queueOf('flood')).toMatchObject({ inProgress: 0, queued: 0, waiting: [] })
  })
})

describe('admission in steps', () => {
  test('admits the merchant with less weight in progress first in the next step', async () => {
    enterMany(admittedMax + 2 * admittedPerStep, 'flood')
    for (let count = 0; count < 2 * admittedPerStep; count += 1) leave('flood')
    expect(await outcomes()).toEqual(repeat(admittedPerStep, 'flood admitted'))
    void enter('other')
    expect(await outcomes()).toEqual([])
    expect(await outcomesAfterWork()).toEqual(['other admitted', ...repeat(admittedPerStep - 1, 'flood admitted')])
  })

  test('admits at once while the step has room', async () => {
    enterMany(admittedMax + 2, 'flood')
    leave('flood')
    expect(await outcomes()).toEqual(['flood admitted'])
    leave('flood')
    expect(await outcomes()).toEqual(['flood admitted'])
  })

  test('admits a waiting request before a new one of the same merchant, even while places are free', async () => {
    enterMany(admittedMax + admittedPerStep + 1, 'flood')
    for (let count = 0; count < admittedMax; count += 1) leave('flood')
    expect(await outcomes()).toEqual(repeat(admittedPerStep, 'flood admitted'))
    expect(enter('flood', 100, 'late')).toBeInstanceOf(Promise)
    expect(await outcomesAfterWork()).toEqual(['flood admitted', 'late admitted'])
  })
})

test('a request that has waited too long is refused, and the next one is admitted', async () => {
  enterMany(admittedMax, 'a')
  void enter('a', 100, 'first')
  eventLoop.nowMs += 1
  void enter('a', 100, 'second')
  eventLoop.nowMs += limits.waitingMsMax
  leave('a')
  expect(await outcomesAfterWork()).toEqual(['first refused', 'second admitted'])
})

test('merchants with equal weight in progress are admitted in turn', async () => {
  enterMany(admittedMax, 'busy')
  for (const merchant of ['a', 'a', 'a', 'b', 'b', 'c']) void enter(merchant)
  // Only requests of `busy` leave: a merchant is admitted again when it has no more weight in progress than the others.
  for (let turn = 0; turn < 6; turn += 1) leave('busy')
  expect(await outcomesAfterWork()).toEqual([
    'a admitted',
    'b admitted',
    'c admitted',
    'a admitted',
    'b admitted',
    'a admitted',
  ])
})

describe('a large body', () => {
  const large = 100 * requestWeightBytes

  test('occupies the room of many requests', () => {
    enterMany(admittedMax, 'a')
    for (let count = 0; count < 3; count += 1) expect(enter('a', large)).toBeInstanceOf(Promise)
    expect(enter('a', large)).toBe(false)
    expect(enter('a')).toBeInstanceOf(Promise)
  })

  test('is replaced by an equally large body of another merchant, not by a larger body', async () => {
    enterMany(admittedMax, 'a')
    for (let count = 0; count < 3; count += 1) void enter('a', large)
    expect(enter('b', 4 * large)).toBe(false)
    expect(enter('b', large)).toBeInstanceOf(Promise)
    expect(await outcomesAfterWork()).toEqual(['a refused'])
  })

  test('removes other requests only if it then has room', async () => {
    enterMany(admittedMax, 'a')
    enterMany(queuedMax / 2, 'a')
    enterMany(queuedMax / 2, 'b')
    // The request is refused, because room for it would leave both other merchants with less waiting weight than `c`.
    expect(enter('c', 150 * requestWeightBytes)).toBe(false)
    expect(await outcomesAfterWork()).toEqual([])
    expect(enter('c', 120 * requestWeightBytes)).toBeInstanceOf(Promise)
    expect((await outcomesAfterWork()).length).toBe(121)
  })

  test('is admitted if one place is free, so that it never waits for ever', async () => {
    enterMany(admittedMax, 'a')
    void enter('b', 2 * large)
    leave('a')
    expect(await outcomesAfterWork()).toEqual(['b admitted'])
    void enter('a')
    leave('a')
    expect(await outcomesAfterWork()).toEqual([])
    leave('b', 2 * large)
    expect(await outcomesAfterWork()).toEqual(['a admitted'])
  })
})

test('for any requests the bounds hold, each gets an outcome, and the next steps fill free places', async () => {
  const step = fc.record({
    merchant: fc.constantFrom('a', 'b', 'c', 'd'),
    requests: fc.integer({ min: 1, max: 200 }),
    bytes: fc.constantFrom(0, 100, requestWeightBytes, 20 * requestWeightBytes),
    leaves: fc.integer({ min: 0, max: 200 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      fairQueue = newFairQueue()
      const inProgress: { merchant: string; bytes: number }[] = []
      let pending = 0
      const resolved = async (entered: Promise<boolean>, request: { merchant: string; bytes: number }) => {
        if (await entered) inProgress.push(request)
        pending -= 1
      }
      for (const { merchant, requests, bytes, leaves } of steps) {
        for (let count = 0; count < requests; count += 1) {
          const hasRoom = fairQueue.hasRoom(fairQueue.queueOf(merchant))
          const entered = fairQueue.enter(fairQueue.queueOf(merchant), bytes)
          if (!hasRoom) expect(entered).toBe(false)
          if (bytes < requestWeightBytes && hasRoom) expect(entered).not.toBe(false)
          if (entered === true) inProgress.push({ merchant, bytes })
          if (typeof entered === 'boolean') continue
          pending += 1
          void resolved(entered, { merchant, bytes })
        }
        for (const request of inProgress.splice(0, leaves)) leave(request.merchant, request.bytes)
        await outcomesAfterWork()
        const queues = ['a', 'b', 'c', 'd'].map((name) => fairQueue.queueOf(name))
        const sum = (field: 'inProgress' | 'queued') => queues.reduce((total, queue) => total + queue[field], 0)
        expect(sum('queued')).toBeLessThanOrEqual(queuedMax)
        expect(sum('inProgress')).toBeLessThan(admittedMax + 1 + 20)
        if (pending > 0) expect(sum('inProgress')).toBeGreaterThanOrEqual(admittedMax)
        expect(queues.reduce((total, queue) => total + queue.waiting.length, 0)).toBe(pending)
      }
      while (inProgress.length > 0) {
        for (const request of inProgress.splice(0)) leave(request.merchant, request.bytes)
        await outcomesAfterWork()
      }
      expect(pending).toBe(0)
    }),
    { numRuns: 50 },
  )
})

describe('a request that waits for another system', () => {
  const bytes = 100
  const tenant = () => fairQueue.queueOf('m1')
  /** Requests that wait until the test answers them. */
  let answers: (() => void)[] = []
  const wait = () =>
    fairQueue.whileWaiting(tenant(), bytes, () => new Promise<void>((resolve) => void answers.push(resolve)))
  beforeEach(() => void (answers = []))

  test('does not count as in progress, and counts again afterwards', async () => {
    expect(enterMany(admittedMax, 'm1')).not.toContain(false)
    const waiting = wait()
    expect(tenant().inProgress).toBe(admittedMax - 1)
    expect(enter('m1')).toBe(true)
    for (const answer of answers) answer()
    await waiting
    expect(tenant().inProgress).toBe(admittedMax + 1)
  })

  test('admits the next request', async () => {
    enterMany(admittedMax + 1, 'm1')
    const waiting = wait()
    expect(await outcomesAfterWork()).toEqual(['m1 admitted'])
    for (const answer of answers) answer()
    await waiting
  })

  test('counts as in progress if too many requests wait', async () => {
    const waiting = Array.from({ length: limits.waitingElsewhereMax }, () => wait())
    const before = tenant().inProgress
    waiting.push(wait())
    expect(tenant().inProgress).toBe(before)
    for (const answer of answers) answer()
    await Promise.all(waiting)
  })

  test('counts again if its work fails', async () => {
    void enter('m1')
    const failing = fairQueue.whileWaiting(tenant(), bytes, () => Promise.reject(new Error('simulated')))
    await expect(failing).rejects.toThrow('simulated')
    expect(tenant().inProgress).toBe(1)
  })
})
