import { expect, test } from 'vitest'
import { createInFlightTracker } from './in-flight-tracker.ts'

/** Calls `inFlightEnded`. @returns its state: whether the call has resolved */
function startCall(inFlight: ReturnType<typeof createInFlightTracker>) {
  const state = { isResolved: false }
  void wait()
  return state

  async function wait(): Promise<void> {
    await inFlight.inFlightEnded()
    state.isResolved = true
  }
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('inFlightEnded resolves at once if no operation is in flight', async () => {
  await createInFlightTracker().inFlightEnded()
})

test('inFlightEnded resolves when all earlier operations have ended, without waiting for later ones', async () => {
  const inFlight = createInFlightTracker()
  const [firstOperation, secondOperation] = [inFlight.enter(), inFlight.enter()]
  const call = startCall(inFlight)
  const laterOperation = inFlight.enter()
  inFlight.leave(firstOperation)
  await nextTurn()
  expect(call.isResolved).toBe(false)
  inFlight.leave(secondOperation)
  await nextTurn()
  expect(call.isResolved).toBe(true)
  inFlight.leave(laterOperation)
})

test('a later call of inFlightEnded waits for all operations that began before that call', async () => {
  const inFlight = createInFlightTracker()
  const firstOperation = inFlight.enter()
  const firstCall = startCall(inFlight)
  const secondOperation = inFlight.enter()
  const secondCall = startCall(inFlight)
  const thirdCall = startCall(inFlight)
  inFlight.leave(secondOperation)
  await nextTurn()
  expect([firstCall, secondCall, thirdCall].map(({ isResolved }) => isResolved)).toEqual([false, false, false])
  inFlight.leave(firstOperation)
  await nextTurn()
  expect([firstCall, secondCall, thirdCall].map(({ isResolved }) => isResolved)).toEqual([true, true, true])
})
