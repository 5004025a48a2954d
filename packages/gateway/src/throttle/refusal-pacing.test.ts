import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createRefusalPacing } from './refusal-pacing.ts'

const { refusalsAStep: aStep, refusalStepMs, refusalWaitMsMax } = limits

/** Steps that are planned and not yet taken; nothing happens by itself. */
const steps: (() => void)[] = []
const pace = createRefusalPacing((work, ms) => {
  expect(ms).toBe(refusalStepMs)
  steps.push(work)
})

/** Takes the next step. */
async function step(): Promise<void> {
  expect(steps.length).toBeLessThanOrEqual(1)
  steps.shift()?.()
  await new Promise((resolve) => void setImmediate(resolve))
}

test('refusals leave at once while they are few, then so many in a step, all within the longest wait', async () => {
  const left: number[] = []
  const leave = async (index: number) => {
    await pace()
    left.push(index)
  }
  const most = (refusalWaitMsMax / refusalStepMs) * aStep
  const sent = Array.from({ length: aStep + most }, (_, index) => index)
  for (const index of sent) void leave(index)
  await Promise.resolve()
  await Promise.resolve()
  expect(left).toEqual(sent.slice(0, aStep))

  // One more would wait for too long: it need not.
  expect(pace()).toBeUndefined()

  await step()
  expect(left).toEqual(sent.slice(0, 2 * aStep))
  for (let count = 1; count < refusalWaitMsMax / refusalStepMs; count += 1) await step()
  expect(left).toEqual(sent)

  // Once all have left there are turns again, and after them nothing is planned any more.
  await step()
  expect(pace()).toBeUndefined()
  await step()
  await step()
  expect(steps).toEqual([])
})
