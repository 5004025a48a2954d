import { expect, test } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

/** Work whose runs end one after another when the test calls `end`. */
function controlledWork() {
  const ends: (() => void)[] = []
  let begunRuns = 0
  const begin = async (): Promise<number> => {
    const runNumber = (begunRuns += 1)
    await new Promise<void>((resolve) => void ends.push(resolve))
    return runNumber
  }
  return { begin, end: () => ends.shift()?.(), begunRuns: () => begunRuns }
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

test('calls during a run share the next run, because the current run may have read older data', async () => {
  const { begin, end, begunRuns } = controlledWork()
  const share = createSingleFlight<number>()
  const first = share('a', begin)
  const late = [share('a', begin), share('a', begin), share('a', begin)]
  await nextTurn()
  expect(begunRuns()).toBe(1)
  end()
  expect(await first).toBe(1)
  await nextTurn()
  expect(begunRuns()).toBe(2)
  const later = share('a', begin)
  end()
  expect(await Promise.all(late)).toEqual([2, 2, 2])
  await nextTurn()
  end()
  expect(await later).toBe(3)
})

test('a trailing run begins after a failed run, and a call after all runs of its key begins a new run', async () => {
  const share = createSingleFlight<number>()
  const broken = share('a', () => Promise.reject(new Error('no')))
  const next = share('a', async () => 2)
  await expect(broken).rejects.toThrow('no')
  expect([await next, await share('b', async () => 3), await share('a', async () => 4)]).toEqual([2, 3, 4])
})
