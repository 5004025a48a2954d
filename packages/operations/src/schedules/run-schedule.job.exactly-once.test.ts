import { memoryDisk, openMemory, type Storage, StorageError } from '@tollgate/storage'
import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chargesOf, monthlyPlan, createSubscriber, type TestGateway, testGateway } from '@tollgate/gateway/testing'

const PATH = '/scheduling/v1/schedules'

/**
 * The outcome of a commit. full: nothing is written; unknown: written, but reported as unknown; stale: a version
 * conflict; killed: the process ends before or after the commit.
 */
const commitOutcome = fc.oneof(
  { weight: 6, arbitrary: fc.constant('success' as const) },
  { weight: 5, arbitrary: fc.constantFrom('full', 'unknown', 'stale', 'killed before', 'killed after') },
)

/**
 * Returns functions that start and stop processes on one disk, each with its own storage. The commits of all processes
 * have the given outcomes, in this order, while `state.injectsFaults` is true.
 */
function createProcesses(outcomes: readonly string[]) {
  const disk = memoryDisk()
  const data = mkdtempSync(join(tmpdir(), 'tollgate-runs-'))
  const remaining = [...outcomes]
  const gateways: TestGateway[] = []
  const state = { injectsFaults: false }

  async function start(): Promise<TestGateway> {
    const storage = openMemory(disk)
    let isAlive = true
    const kill = (): never => {
      isAlive = false
      throw new Error('killed')
    }
    const faulty: Storage = {
      ...storage,
      schedule: async (id) => (isAlive ? storage.schedule(id) : kill()),
      async commit(unit) {
        if (!isAlive) return kill()
        const outcome = state.injectsFaults ? (remaining.shift() ?? 'success') : 'success'
        if (outcome === 'killed before') return kill()
        if (outcome === 'full') throw new StorageError('full', 'no space left')
        if (outcome === 'stale') return { kind: 'stale' }
        const result = await storage.commit(unit)
        if (outcome === 'killed after') return kill()
        if (outcome === 'unknown') throw new StorageError('unknown', 'the connection is lost')
        return result
      },
    }
    state.injectsFaults = false
    const tollgate = await testGateway({ storage: faulty, data })
    state.injectsFaults = true
    gateways.push(tollgate)
    return tollgate
  }
  return {
    start,
    state,
    close: async () => {
      state.injectsFaults = false
      for (const tollgate of gateways) await tollgate.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

test('every run is charged exactly once despite failed commits and killed processes', async () => {
  const DAYS = 12
  const goalMs = Date.UTC(2026, 4, 3 + DAYS, 12)
  const expectedNames = Array.from(
    { length: DAYS },
    (_, day) => `daily-202605${String(4 + day).padStart(2, '0')}060000`,
  )
  const property = async (outcomes: readonly string[]) => {
    const { start, state, close } = createProcesses(outcomes)
    try {
      let running = await start()
      state.injectsFaults = false
      const id = await createSubscriber(running)
      await running.send('POST', PATH, monthlyPlan(id, { 'job.name': 'daily', 'job.expression': '0 0 6 * * ?' }))
      state.injectsFaults = true
      for (let tries = 0; tries <= outcomes.length; tries += 1) {
        const report = await running.gateway.jobs.fastForward(goalMs).catch(() => undefined)
        if (report?.isComplete) break
        // Another process continues with the data on the disk.
        running = await start()
      }
      state.injectsFaults = false
      await running.gateway.jobs.fastForward(goalMs)
      const charges = await chargesOf(running, id)
      expect(charges.map(({ merchantTransactionId }) => merchantTransactionId)).toEqual(expectedNames)
    } finally {
      await close()
    }
  }
  // A failure prints the seed and the shortest list of outcomes that causes it.
  await fc.assert(fc.asyncProperty(fc.array(commitOutcome, { maxLength: 40 }), property), {
    numRuns: process.env['TOLLGATE_TEST_LONG'] === '1' ? 400 : 6,
  })
}, 60_000)
