import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createRefusalPacing } from './refusal-pacing.ts'

const { refusalsAStep: aStep, refusalStepMs, refusalWaitMsMax } = limits

/** Planned steps, which the test runs. */
const steps: (() => void)[] = []
const pace = createRefusalPacing((work, ms) => {
  expect(ms).toBe(refusalStepMs)
  steps.push(work)
})

/** Runs the next step. */
async function step(): Promise<void> {
  expect(steps.length).toBeLessThanOrEqual(1)
  steps.shift()?.()
  await new Promise((resolve) => void setImmediate(resolve))
}

test('a burst of refusals is sent at once, and the rest in steps within the longest wait', async () => {
  const sentNow: number[] = []
  const send = async (index: number) => {
    await pace()
    sentNow.push(index)
  }
  const most = (refusalWaitMsMax / refusalStepMs) * aStep
  const indexes = Array.from({ length: aStep + most }, (_, index) => index)
  for (const index of indexes) void send(index)
  await Promise.resolve()
  await Promise.resolve()
  expect(sentNow).toEqual(indexes.slice(0, aStep))

  // A further refusal would wait for too long, so it is sent at once.
  expect(pace()).toBeUndefined()

  await step()
  expect(sentNow).toEqual(indexes.slice(0, 2 * aStep))
  for (let count = 1; count < refusalWaitMsMax / refusalStepMs; count += 1) await step()
  expect(sentNow).toEqual(indexes)

  // Once all are sent, a further refusal is sent at once, and after it no step is planned.
  await step()
  expect(pace()).toBeUndefined()
  await step()
  await step()
  expect(steps).toEqual([])
})
