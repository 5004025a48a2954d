import { expect, test } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

/** Work whose runs end when the test calls `end`. */
function work() {
  const ends: (() => void)[] = []
  let begun = 0
  const begin = async (): Promise<number> => {
    const runNumber = (begun += 1)
    await new Promise<void>((resolve) => void ends.push(resolve))
    return runNumber
  }
  return { begin, end: () => ends.shift()?.(), begun: () => begun }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

test('a call during a run shares the next run: the current one may have read older data', async () => {
  const { begin, end, begun } = work()
  const share = createSingleFlight<number>()
  const first = share('a', begin)
  const late = [share('a', begin), share('a', begin), share('a', begin)]
  await turn()
  expect(begun()).toBe(1)
  end()
  expect(await first).toBe(1)
  await turn()
  expect(begun()).toBe(2)
  const later = share('a', begin)
  end()
  expect(await Promise.all(late)).toEqual([2, 2, 2])
  await turn()
  end()
  expect(await later).toBe(3)
})

test('a caller does not wait for other keys or completed work, and earlier failures do not affect it', async () => {
  const share = createSingleFlight<number>()
  const broken = share('a', () => Promise.reject(new Error('no')))
  const next = share('a', async () => 2)
  await expect(broken).rejects.toThrow('no')
  expect([await next, await share('b', async () => 3), await share('a', async () => 4)]).toEqual([2, 3, 4])
})
