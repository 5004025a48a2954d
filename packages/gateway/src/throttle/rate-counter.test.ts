import { expect, test } from 'vitest'
import { createRateCounters, type RateCounters } from './rate-counter.ts'
import { createThrottle } from './throttle.ts'

const WINDOW_MS = 60_000
let nowMs = 0
const clock = { now: () => nowMs }

/** A process with its rate counters and a shared throttle. */
function process(isShared = true) {
  const rateCounters = createRateCounters(clock, isShared)
  const throttle = rateCounters.share('pay', createThrottle(WINDOW_MS, 100))
  return { rateCounters, take: (key: string, places: number) => throttle.take(key, places, nowMs) }
}
const publish = (from: RateCounters, ...to: RateCounters[]) => {
  const messages = from.messages()
  for (const each of [from, ...to]) messages.forEach((message) => each.count(message))
  return messages.length
}

test('requests that one process admits count at its peer', () => {
  const [one, other] = [process(), process()]
  expect([one.take('a', 3), one.take('a', 3), one.take('b', 3)]).toEqual([0, 0, 0])
  expect(publish(one.rateCounters, other.rateCounters)).toBe(1)
  expect([other.take('a', 3), other.take('a', 3)]).toEqual([0, WINDOW_MS])
  publish(other.rateCounters, one.rateCounters)
  expect([one.take('a', 3), one.take('b', 3)]).toEqual([WINDOW_MS, 0])
})

test('admitted requests are published once, refused ones never, and many keys in several messages', () => {
  const one = process()
  for (const key of ['a', 'a']) one.take(key, 1)
  expect(one.rateCounters.messages().map((message) => JSON.parse(message).slice(1))).toEqual([[['pay', 'a', 1]]])
  expect(one.rateCounters.messages()).toEqual([])
  for (let key = 0; key < 200; key += 1) one.take(`entity-${key}`, 1)
  expect(one.rateCounters.messages()).toHaveLength(3)
})

test.each(['', '{', 'null', '[]', '["other"]', '["other", 1, ["pay"], ["pay", "a", "1"], ["unknown", "a", 1]]'])(
  'a message of another version is ignored: %s',
  (message) => {
    const one = process()
    one.rateCounters.count(message)
    expect(one.take('a', 1)).toBe(0)
  },
)

test('a message without a positive count is ignored', () => {
  const one = process()
  expect(one.take('a', 1)).toBe(0)
  for (const requests of [-1, 0, -Number.MAX_SAFE_INTEGER]) {
    one.rateCounters.count(JSON.stringify(['other', ['pay', 'a', requests]]))
  }
  expect(one.take('a', 1)).toBe(WINDOW_MS)
})

test('a process without peers publishes nothing', () => {
  const one = process(false)
  one.take('a', 1)
  expect(one.rateCounters.messages()).toEqual([])
})
