import type { TestGateway } from '@tollgate/gateway/testing'
import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limits } from '../limits.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { readFiles } from './read-files.task.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await tollgate.close()
})

test('the pause between two steps grows with the load of the event loop, if payments cause it', async () => {
  let units = 0
  let nowMs = 0
  const { storage, clock } = tollgate.gateway
  const watched = { ...storage, totals: () => ({ units, batches: units }) }
  const task = readFiles({ ...tollgate.gateway, storage: watched, clock: { ...clock, now: () => nowMs } })
  vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ active: 0, idle: 0, utilization: 0.75 })
  const pauseAfter = async (committed: number) => {
    nowMs += 1000
    units += committed
    await task.step()
    return task.pauseMs
  }
  expect(await pauseAfter(1_000)).toBe(3 * limits.settlementBusyPauseMs)
  expect(await pauseAfter(0)).toBe(0)
})
