import { memoryDisk, openMemory, type Storage, StorageError } from '@tollgate/storage'
import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chargesOf, monthly, subscriber, type TestGateway, testGateway } from '@tollgate/gateway/testing'

const PATH = '/scheduling/v1/schedules'

/**
 * The outcome of a commit. full: nothing is written; unknown: written, but reported as unknown; stale: a version
 * conflict; killed: the process ends before or after it.
 */
const fate = fc.oneof(
  { weight: 6, arbitrary: fc.constant('fine' as const) },
  { weight: 5, arbitrary: fc.constantFrom('full', 'unknown', 'stale', 'killed before', 'killed after') },
)

/** Processes over one disk, each with its own view of it, whose commits have these fates one after the other. */
function processes(fates: readonly string[]) {
  const disk = memoryDisk()
  const data = mkdtempSync(join(tmpdir(), 'tollgate-runs-'))
  const waiting = [...fates]
  const all: TestGateway[] = []
  const state = { isRough: false }

  async function start(): Promise<TestGateway> {
    const storage = openMemory(disk)
    let isAlive = true
    const end = (): never => {
      isAlive = false
      throw new Error('killed')
    }
    const rough: Storage = {
      ...storage,
      schedule: async (id) => (isAlive ? storage.schedule(id) : end()),
      async commit(unit) {
        if (!isAlive) return end()
        const next = state.isRough ? (waiting.shift() ?? 'fine') : 'fine'
        if (next === 'killed before') return end()
        if (next === 'full') throw new StorageError('full', 'no space left')
        if (next === 'stale') return { kind: 'stale' }
        const result = await storage.commit(unit)
        if (next === 'killed after') return end()
        if (next === 'unknown') throw new StorageError('unknown', 'the connection is lost')
        return result
      },
    }
    state.isRough = false
    const started = await testGateway({ storage: rough, data })
    state.isRough = true
    all.push(started)
    return started
  }
  return {
    start,
    state,
    close: async () => {
      state.isRough = false
      for (const each of all) await each.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

test('every run is made exactly once, whatever becomes of commits and processes', async () => {
  const DAYS = 12
  const goalMs = Date.UTC(2026, 4, 3 + DAYS, 12)
  const due = Array.from({ length: DAYS }, (_, day) => `daily-202605${String(4 + day).padStart(2, '0')}060000`)
  const property = async (fates: readonly string[]) => {
    const { start, state, close } = processes(fates)
    try {
      let running = await start()
      state.isRough = false
      const id = await subscriber(running)
      await running.send('POST', PATH, monthly(id, { 'job.name': 'daily', 'job.expression': '0 0 6 * * ?' }))
      state.isRough = true
      for (let tries = 0; tries <= fates.length; tries += 1) {
        const journey = await running.gateway.jobs.fastForward(goalMs).catch(() => undefined)
        if (journey?.isComplete) break
        // Another process goes on with what is on the disk.
        running = await start()
      }
      state.isRough = false
      await running.gateway.jobs.fastForward(goalMs)
      expect((await chargesOf(running, id)).map(({ name }) => name)).toEqual(due)
    } finally {
      await close()
    }
  }
  // A failure prints the seed and the shortest list of fates that leads to it.
  await fc.assert(fc.asyncProperty(fc.array(fate, { maxLength: 40 }), property), {
    numRuns: process.env['TOLLGATE_TEST_LONG'] === '1' ? 400 : 6,
  })
}, 60_000)
