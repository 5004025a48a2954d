import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createRefusalPacing } from './refusal-pacing.ts'

const { refusalsPerStep: perStep, refusalStepMs, refusalWaitMsMax } = limits

/** Planned steps, which the test runs. */
const plannedSteps: (() => void)[] = []
const pace = createRefusalPacing((work, ms) => {
  expect(ms).toBe(refusalStepMs)
  plannedSteps.push(work)
})

/** Runs the next planned step. */
async function runStep(): Promise<void> {
  expect(plannedSteps.length).toBeLessThanOrEqual(1)
  plannedSteps.shift()?.()
  await new Promise((resolve) => void setImmediate(resolve))
}

test('a burst of refusals is sent at once, and the rest in steps within the longest wait', async () => {
  const sent: number[] = []
  const send = async (index: number) => {
    await pace()
    sent.push(index)
  }
  const waitingMax = (refusalWaitMsMax / refusalStepMs) * perStep
  const indexes = Array.from({ length: perStep + waitingMax }, (_, index) => index)
  for (const index of indexes) void send(index)
  await Promise.resolve()
  await Promise.resolve()
  expect(sent).toEqual(indexes.slice(0, perStep))

  // A further refusal would wait for too long, so it is sent at once.
  expect(pace()).toBeUndefined()

  await runStep()
  expect(sent).toEqual(indexes.slice(0, 2 * perStep))
  for (let count = 1; count < refusalWaitMsMax / refusalStepMs; count += 1) await runStep()
  expect(sent).toEqual(indexes)

  // Once all are sent, a further refusal is sent at once. It plans one step, which plans no other.
  await runStep()
  expect(pace()).toBeUndefined()
  await runStep()
  await runStep()
  expect(plannedSteps).toEqual([])
})
