import { openMemory, type JobRow, type Storage } from '@tollgate/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type MovableClock, movableClock } from './clock/movable-clock.ts'
import { createCounter, createIds, type JobKind, type LogFields } from '@tollgate/operations'
import { limits } from '../limits.ts'
import { jobRow } from '../testing/job-row.ts'
import { type ManualWait, manualWait, eventLoopTurns } from '../testing/manual-wait.ts'
import { nodeEventLoop } from './event-loop.ts'
import { CLOCK_OFFSET } from './clock/stored-clock.ts'
import { createJobRunner, type JobRunner } from './job-runner.ts'

const logged: LogFields[] = []
const noop = () => undefined
const log = { info: noop, warn: noop, error: (fields: LogFields) => void logged.push(fields), flush: noop }

let storage: Storage
let clock: MovableClock
let ticks: ManualWait
let jobs: JobRunner | undefined
beforeEach(() => {
  storage = openMemory()
  clock = movableClock({ now: () => 1_000 })
  ticks = manualWait()
  logged.length = 0
})
afterEach(() => jobs?.stop())

let unitCount = 0
function commit(unit: Pick<Parameters<Storage['commit']>[0], 'rows' | 'compareAndSets'>) {
  unitCount += 1
  return storage.commit({ id: `u${unitCount}`, expectedVersions: [], ...unit })
}
const add = (...job: JobRow[]) => commit({ rows: { job } })
const remove = (job: JobRow) => commit({ rows: {}, compareAndSets: [{ table: 'job', from: job, to: null }] })

/** A storage that leases jobs to one process at a time, as PostgreSQL does for peers. */
function withLeases(unshared: Storage): Storage {
  const lease = async (from: JobRow) => {
    const to = { ...from, held_until_ms: 90_000 }
    await commit({ rows: {}, compareAndSets: [{ table: 'job', from, to }] })
    return to
  }
  return {
    ...unshared,
    leaseJobs: async (...args) => {
      const due = await unshared.leaseJobs(...args)
      return Promise.all(due.filter(({ held_until_ms: leasedUntilMs }) => leasedUntilMs === null).map(lease))
    },
  }
}

/** A kind whose run removes the job, and the ids of the jobs that ran. */
function kind(name: string, changes: Partial<JobKind> = {}): { readonly kind: JobKind; readonly done: string[] } {
  const done: string[] = []
  return {
    done,
    kind: {
      name,
      queues: () => [''],
      concurrency: () => 1,
      async run(job) {
        await remove(job)
        done.push(job.id)
        return 'done'
      },
      ...changes,
    },
  }
}

function create(...kinds: readonly { readonly kind: JobKind }[]): JobRunner {
  const parts = { storage, clock, ids: createIds(clock), log, jobRuns: createCounter() }
  jobs = createJobRunner(() => kinds.map(({ kind: each }) => each), parts, { ...nodeEventLoop, wait: ticks.wait })
  return jobs
}

describe('jobs', () => {
  test('run when they become due, in the order of their due times', async () => {
    const { kind: one, done } = kind('one')
    await add(jobRow('b'), jobRow('a', { due_at_ms: 999 }), jobRow('late', { due_at_ms: 1_001 }))
    create({ kind: one }).start()
    await expect.poll(() => done).toEqual(['a', 'b'])
    clock.moveTo(1_001)
    await ticks.pass()
    expect(done).toEqual(['a', 'b', 'late'])
    expect(new Set(ticks.waitsMs)).toEqual(new Set([limits.workerTickMs]))
  })

  test('run at once when their queue is notified', async () => {
    const { kind: one, done } = kind('one')
    const running = create({ kind: one })
    running.start()
    await add(jobRow('a'))
    running.notify('one', '')
    await expect.poll(() => done).toEqual(['a'])
  })

  test('are released at a stop if they are leased and not completed', async () => {
    const lease = { held_until_ms: 90_000 }
    await add(jobRow('a', lease), jobRow('b', lease), jobRow('c', lease))
    const begun: string[] = []
    const run: JobKind['run'] = async (job, signal) => {
      begun.push(job.id)
      if (job.id === 'a') return remove(job).then(() => 'done')
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return 'was interrupted'
    }
    create({ kind: kind('one', { run }).kind }).start()
    await expect.poll(() => begun).toEqual(['a', 'b'])
    await jobs?.stop()
    expect(begun).toEqual(['a', 'b'])
    expect(await storage.dueJobs('one', '', 1_000, 9)).toEqual([jobRow('b'), jobRow('c')])
  })

  test('run after a failed read', async () => {
    const { kind: one, done } = kind('one')
    const readable = storage
    let reads = 0
    storage = {
      ...readable,
      leaseJobs: (...args) =>
        (reads += 1) === 1 ? Promise.reject(new Error('unreadable')) : readable.leaseJobs(...args),
    }
    await add(jobRow('a'))
    const running = create({ kind: one })
    running.start()
    await eventLoopTurns()
    expect([reads, done]).toEqual([1, []])
    running.notify('one', '')
    await expect.poll(() => done).toEqual(['a'])
  })

  test('keep no lease if they become due again before their run has ended', async () => {
    storage = withLeases(storage)
    let runs = 0
    const again = kind('one', {
      concurrency: () => 2,
      async run(job) {
        runs += 1
        if (runs === 1) {
          await commit({ rows: {}, compareAndSets: [{ table: 'job', from: job, to: { ...job, held_until_ms: null } }] })
          jobs?.notify('one', '')
          await eventLoopTurns()
        } else await remove(job)
        return 'ran'
      },
    })
    await add(jobRow('a'))
    create(again).start()
    await expect.poll(() => runs).toBe(2)
  })

  test('wait for the next tick if not even their failure can be stored', async () => {
    let runs = 0
    const failing = kind('one', {
      run() {
        runs += 1
        throw new Error('the disk is full')
      },
    })
    await add(jobRow('a'))
    storage = { ...storage, commit: () => Promise.reject(new Error('the disk is full')) }
    create(failing).start()
    await eventLoopTurns()
    expect(runs).toBe(1)
    await ticks.pass()
    expect(runs).toBe(2)
  })

  test('run up to the concurrency of their queue, and no queue waits for another', async () => {
    const inFlight: string[] = []
    let inFlightMax = 0
    const ends: (() => void)[] = []
    const slow = kind('one', {
      queues: () => ['slow', 'quick'],
      concurrency: (queue) => (queue === 'slow' ? 2 : 1),
      async run(job) {
        if (job.lane === 'quick') await remove(job)
        else {
          inFlight.push(job.id)
          inFlightMax = Math.max(inFlightMax, inFlight.length)
          await new Promise<void>((resolve) => ends.push(resolve))
          await remove(job)
          inFlight.splice(inFlight.indexOf(job.id), 1)
        }
        return 'done'
      },
    })
    await add(...['s1', 's2', 's3', 's4', 's5'].map((id) => jobRow(id, { lane: 'slow' })))
    await add(...['q1', 'q2', 'q3'].map((id) => jobRow(id, { lane: 'quick' })))
    create(slow).start()
    await expect.poll(async () => storage.countDue('one', 'quick', 1_000, 9)).toBe(0)
    expect([inFlight, await storage.countDue('one', 'slow', 1_000, 9)]).toEqual([['s1', 's2'], 5])
    while ((await storage.countDue('one', 'slow', 1_000, 9)) > 0) {
      ends.shift()?.()
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(inFlightMax).toBe(2)
  })

  test('wait while the concurrency of their queue is zero', async () => {
    let isPaused = true
    const { kind: one, done } = kind('one', { concurrency: () => (isPaused ? 0 : 1) })
    await add(jobRow('a'))
    create({ kind: one }).start()
    await ticks.pass()
    expect(done).toEqual([])
    isPaused = false
    await ticks.pass()
    expect(done).toEqual(['a'])
  })

  test('are retried with growing delays when they fail, then dead-lettered; other jobs run', async () => {
    const failing = kind('failing', { run: () => Promise.reject(new RangeError('the number is 4200…')) })
    const { kind: one, done } = kind('one')
    await add(jobRow('f', { kind: 'failing' }), jobRow('a'))
    const running = create(failing, { kind: one })
    const waits: number[] = []
    for (let attempt = 1; attempt <= limits.jobAttempts; attempt += 1) {
      const dueAtMs = (await storage.nextDue('failing', '')) ?? Infinity
      await running.fastForward(dueAtMs)
      waits.push(((await storage.nextDue('failing', '')) ?? Infinity) - clock.now())
    }
    expect(waits.slice(0, 4)).toEqual([30_000, 60_000, 120_000, 240_000])
    expect(await storage.job('f')).toMatchObject({ attempts: 12, parked_at_ms: clock.now(), last_error: 'RangeError' })
    expect(done).toEqual(['a'])
    const stack = expect.stringContaining('job-runner.test')
    const line = { job: 'failing', id: 'f', subject: 'about f', error: 'RangeError', stack }
    expect(logged).toEqual(Array.from({ length: limits.jobAttempts }, () => line))
  })

  test('run after an outage of the storage, which is logged once', async () => {
    const { kind: one, done } = kind('one')
    await add(jobRow('a'))
    const available = storage
    let isDown = true
    storage = {
      ...storage,
      dueQueues: (...query) => (isDown ? Promise.reject(new RangeError('x')) : available.dueQueues(...query)),
    }
    const running = create({ kind: one })
    running.start()
    await eventLoopTurns()
    await ticks.pass()
    await ticks.pass()
    expect(logged).toMatchObject([{ worker: 'job runner', error: 'RangeError' }])
    isDown = false
    await ticks.pass()
    await eventLoopTurns()
    expect(done).toEqual(['a'])
    isDown = true
    await ticks.pass()
    await eventLoopTurns()
    expect(logged).toHaveLength(2)
  })

  test('in progress are aborted and awaited at a stop', async () => {
    let isAborted = false
    const completed: string[] = []
    const slow = kind('one', {
      async run(job, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        isAborted = true
        await remove(job)
        completed.push(job.id)
        return 'done'
      },
    })
    await add(jobRow('a'), jobRow('b'))
    const running = create(slow)
    running.start()
    await eventLoopTurns()
    await running.stop()
    expect([isAborted, completed]).toEqual([true, ['a']])
  })
})

describe('a fast-forward', () => {
  test('runs jobs at their due times, including jobs that other jobs add', async () => {
    const runTimes: string[] = []
    const first = kind('one', {
      async run(job) {
        runTimes.push(`${job.id} at ${clock.now()}`)
        await remove(job)
        if (job.id === 'a') await add(jobRow('c', { due_at_ms: 1_500 }))
        return `was ${job.id}`
      },
    })
    await add(jobRow('a', { due_at_ms: 1_200 }), jobRow('b', { due_at_ms: 2_000 }), jobRow('d', { due_at_ms: 3_001 }))
    const report = await create(first).fastForward(3_000)
    expect(runTimes).toEqual(['a at 1200', 'c at 1500', 'b at 2000'])
    expect(report).toMatchObject({ atMs: 3_000, isComplete: true })
    expect(report.entries[0]).toEqual({ atMs: 1_200, kind: 'one', subjectId: 'about a', outcome: 'was a' })
    expect(await storage.installation(CLOCK_OFFSET)).toBe('2000')
  })

  test('never sets the clock back', async () => {
    expect(await create(kind('one')).fastForward(10)).toEqual({ atMs: 1_000, isComplete: true, entries: [] })
    expect([clock.now(), await storage.installation(CLOCK_OFFSET)]).toEqual([1_000, undefined])
  })

  test('stops early at the maximum number of jobs', async () => {
    const again = kind('one', {
      async run(job) {
        await commit({
          rows: {},
          compareAndSets: [{ table: 'job', from: job, to: { ...job, due_at_ms: job.due_at_ms + 1 } }],
        })
        return 'again'
      },
    })
    await add(jobRow('a'))
    const { isComplete, atMs, entries } = await create(again).fastForward(1_000_000)
    expect([isComplete, entries.length]).toEqual([false, limits.fastForwardJobsMax])
    expect(atMs).toBe(1_000 + limits.fastForwardJobsMax - 1)
  })

  test('begins no job after a stop, and releases a job that is leased at the stop', async () => {
    const { kind: one, done } = kind('one')
    await add(jobRow('a'))
    const shared = withLeases(storage)
    let stopping: Promise<void> | undefined
    storage = {
      ...shared,
      leaseJobs: async (...args) => {
        const leased = await shared.leaseJobs(...args)
        stopping = jobs?.stop()
        return leased
      },
    }
    expect(await create({ kind: one }).fastForward(2_000)).toEqual({ atMs: 1_000, isComplete: false, entries: [] })
    await stopping
    expect(done).toEqual([])
    expect(await storage.dueJobs('one', '', 1_000, 9)).toEqual([jobRow('a')])
  })

  test('runs one job at a time, even if two fast-forwards are requested at once', async () => {
    let inFlightMax = 0
    let inFlight = 0
    const one = kind('one', {
      concurrency: () => 3,
      async run(job) {
        inFlight += 1
        inFlightMax = Math.max(inFlightMax, inFlight)
        await new Promise((resolve) => setTimeout(resolve, 5))
        await remove(job)
        inFlight -= 1
        return 'done'
      },
    })
    await add(...Array.from({ length: 9 }, (_, index) => jobRow(`j${index}`, { due_at_ms: 2_000 + index })))
    const running = create(one)
    running.start()
    await Promise.all([running.fastForward(2_004), running.fastForward(2_009)])
    expect([inFlightMax, await storage.nextDue('one', '')]).toEqual([1, undefined])
  })
})
