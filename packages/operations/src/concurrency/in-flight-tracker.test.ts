import { expect, test } from 'vitest'
import { createInFlightTracker } from './in-flight-tracker.ts'

/** Notes when it has settled. */
function asked(inFlight: ReturnType<typeof createInFlightTracker>) {
  const state = { settled: false }
  void note()
  return state

  async function note(): Promise<void> {
    await inFlight.settled()
    state.settled = true
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('where nothing is under way, it has settled', async () => {
  await createInFlightTracker().settled()
})

test('it settles once all that had begun has ended, whatever begins meanwhile', async () => {
  const inFlight = createInFlightTracker()
  const [one, two] = [inFlight.enter(), inFlight.enter()]
  const first = asked(inFlight)
  const three = inFlight.enter()
  inFlight.leave(one)
  await turn()
  expect(first.settled).toBe(false)
  inFlight.leave(two)
  await turn()
  expect(first.settled).toBe(true)
  inFlight.leave(three)
})

test('a later caller waits for all of them', async () => {
  const inFlight = createInFlightTracker()
  const one = inFlight.enter()
  const first = asked(inFlight)
  const two = inFlight.enter()
  const second = asked(inFlight)
  const third = asked(inFlight)
  inFlight.leave(two)
  await turn()
  expect([first, second, third].map(({ settled }) => settled)).toEqual([false, false, false])
  inFlight.leave(one)
  await turn()
  expect([first, second, third].map(({ settled }) => settled)).toEqual([true, true, true])
})
