import { expect, test } from 'vitest'
import { createRateCounters, type RateCounters } from './rate-counters.ts'
import { createThrottle } from './throttle.ts'

const WINDOW_MS = 60_000
let nowMs = 0
const clock = { now: () => nowMs }

/** The rate counters of a process, and a throttle that it shares. */
function createProcess(isShared = true) {
  const rateCounters = createRateCounters(clock, isShared)
  const throttle = rateCounters.share('pay', createThrottle(WINDOW_MS, 100))
  return { rateCounters, take: (key: string, requestsMax: number) => throttle.take(key, requestsMax, nowMs) }
}
const publish = (from: RateCounters, ...to: RateCounters[]) => {
  const messages = from.messages()
  for (const counters of [from, ...to]) messages.forEach((message) => counters.count(message))
  return messages.length
}

test('requests that one process admits are counted by its peer, too', () => {
  const [one, other] = [createProcess(), createProcess()]
  expect([one.take('a', 3), one.take('a', 3), one.take('b', 3)]).toEqual([0, 0, 0])
  expect(publish(one.rateCounters, other.rateCounters)).toBe(1)
  expect([other.take('a', 3), other.take('a', 3)]).toEqual([0, WINDOW_MS])
  publish(other.rateCounters, one.rateCounters)
  expect([one.take('a', 3), one.take('b', 3)]).toEqual([WINDOW_MS, 0])
})

test('admitted requests are published once, refused ones never, and many keys in several messages', () => {
  const instance = createProcess()
  for (const key of ['a', 'a']) instance.take(key, 1)
  expect(instance.rateCounters.messages().map((message) => JSON.parse(message).slice(1))).toEqual([[['pay', 'a', 1]]])
  expect(instance.rateCounters.messages()).toEqual([])
  for (let key = 0; key < 200; key += 1) instance.take(`entity-${key}`, 1)
  expect(instance.rateCounters.messages()).toHaveLength(3)
})

test.each(['', '{', 'null', '[]', '["other"]', '["other", 1, ["pay"], ["pay", "a", "1"], ["unknown", "a", 1]]'])(
  'a message that is malformed or of another version is ignored: %s',
  (message) => {
    const instance = createProcess()
    instance.rateCounters.count(message)
    expect(instance.take('a', 1)).toBe(0)
  },
)

test('a message without a positive count is ignored', () => {
  const instance = createProcess()
  expect(instance.take('a', 1)).toBe(0)
  for (const requests of [-1, 0, -Number.MAX_SAFE_INTEGER]) {
    instance.rateCounters.count(JSON.stringify(['other', ['pay', 'a', requests]]))
  }
  expect(instance.take('a', 1)).toBe(WINDOW_MS)
})

test('a process without peers publishes nothing', () => {
  const instance = createProcess(false)
  instance.take('a', 1)
  expect(instance.rateCounters.messages()).toEqual([])
})
