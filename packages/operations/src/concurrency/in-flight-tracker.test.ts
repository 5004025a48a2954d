import { expect, test } from 'vitest'
import { createInFlightTracker } from './in-flight-tracker.ts'

/** The state of a call of `inFlightEnded`. */
function callOf(inFlight: ReturnType<typeof createInFlightTracker>) {
  const state = { isResolved: false }
  void wait()
  return state

  async function wait(): Promise<void> {
    await inFlight.inFlightEnded()
    state.isResolved = true
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a call without operations in flight resolves at once', async () => {
  await createInFlightTracker().inFlightEnded()
})

test('a call resolves when all earlier operations have ended, without waiting for later ones', async () => {
  const inFlight = createInFlightTracker()
  const [one, two] = [inFlight.enter(), inFlight.enter()]
  const first = callOf(inFlight)
  const three = inFlight.enter()
  inFlight.leave(one)
  await turn()
  expect(first.isResolved).toBe(false)
  inFlight.leave(two)
  await turn()
  expect(first.isResolved).toBe(true)
  inFlight.leave(three)
})

test('a later call waits for all operations that began before it', async () => {
  const inFlight = createInFlightTracker()
  const one = inFlight.enter()
  const first = callOf(inFlight)
  const two = inFlight.enter()
  const second = callOf(inFlight)
  const third = callOf(inFlight)
  inFlight.leave(two)
  await turn()
  expect([first, second, third].map(({ isResolved }) => isResolved)).toEqual([false, false, false])
  inFlight.leave(one)
  await turn()
  expect([first, second, third].map(({ isResolved }) => isResolved)).toEqual([true, true, true])
})
