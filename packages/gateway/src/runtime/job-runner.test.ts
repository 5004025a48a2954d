import { openMemory, type JobRow, type Storage } from '@tollgate/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type MovableClock, movableClock } from './clock/movable-clock.ts'
import { createCounter, createIds, type JobKind, type LogFields } from '@tollgate/operations'
import { limits } from '../limits.ts'
import { jobRow } from '../testing/job-row.ts'
import { type ManualWait, manualWait, eventLoopTurns } from '../testing/manual-wait.ts'
import { machine } from './event-loop.ts'
import { CLOCK_AHEAD } from './clock/stored-clock.ts'
import { createJobRunner, type JobRunner } from './job-runner.ts'

const logged: LogFields[] = []
const nothing = () => undefined
const log = { info: nothing, warn: nothing, error: (fields: LogFields) => void logged.push(fields), flush: nothing }

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

let units = 0
function commit(unit: Pick<Parameters<Storage['commit']>[0], 'rows' | 'compareAndSets'>) {
  units += 1
  return storage.commit({ id: `u${units}`, expectedVersions: [], ...unit })
}
const add = (...job: JobRow[]) => commit({ rows: { job } })
const remove = (job: JobRow) => commit({ rows: {}, compareAndSets: [{ table: 'job', from: job, to: null }] })

/** A kind whose jobs are removed when they are done. */
function kind(name: string, changes: Partial<JobKind> = {}): { readonly kind: JobKind; readonly done: string[] } {
  const done: string[] = []
  return {
    done,
    kind: {
      name,
      queues: () => [''],
      together: () => 1,
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
  jobs = createJobRunner(() => kinds.map(({ kind: each }) => each), parts, { ...machine, wait: ticks.wait })
  return jobs
}

describe('jobs', () => {
  test('are done as they fall due, in the order of their times', async () => {
    const { kind: one, done } = kind('one')
    await add(jobRow('b'), jobRow('a', { due_at_ms: 999 }), jobRow('late', { due_at_ms: 1_001 }))
    create({ kind: one }).start()
    await expect.poll(() => done).toEqual(['a', 'b'])
    clock.moveTo(1_001)
    await ticks.pass()
    expect(done).toEqual(['a', 'b', 'late'])
    expect(new Set(ticks.waitsMs)).toEqual(new Set([limits.workerTickMs]))
  })

  test('that are added are done at once when their lane is nudged', async () => {
    const { kind: one, done } = kind('one')
    const running = create({ kind: one })
    running.start()
    await add(jobRow('a'))
    running.notify('one', '')
    await expect.poll(() => done).toEqual(['a'])
  })

  test('that were taken and have not ended are let go of at a stop', async () => {
    const held = { held_until_ms: 90_000 }
    await add(jobRow('a', held), jobRow('b', held), jobRow('c', held))
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

  test('go on once they can be read again', async () => {
    const { kind: one, done } = kind('one')
    const readable = storage
    let reads = 0
    storage = {
      ...readable,
      leaseJobs: (...about) =>
        (reads += 1) === 1 ? Promise.reject(new Error('unreadable')) : readable.leaseJobs(...about),
    }
    await add(jobRow('a'))
    const running = create({ kind: one })
    running.start()
    await eventLoopTurns()
    expect([reads, done]).toEqual([1, []])
    running.notify('one', '')
    await expect.poll(() => done).toEqual(['a'])
  })

  test('that are due again before their run has ended are not held for nothing', async () => {
    const alone = storage
    const hold = async (from: JobRow) => {
      const to = { ...from, held_until_ms: 90_000 }
      await commit({ rows: {}, compareAndSets: [{ table: 'job', from, to }] })
      return to
    }
    // As where processes share it.
    storage = {
      ...alone,
      leaseJobs: async (...about) => {
        const due = await alone.leaseJobs(...about)
        return Promise.all(due.filter(({ held_until_ms: held }) => held === null).map(hold))
      },
    }
    let runs = 0
    const again = kind('one', {
      together: () => 2,
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

  test('of which not even the failure can be stored wait for the next tick', async () => {
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

  test('go as many at once as the kind says, and no lane waits for another', async () => {
    const inFlight: string[] = []
    let most = 0
    const ends: (() => void)[] = []
    const slow = kind('one', {
      queues: () => ['slow', 'quick'],
      together: (lane) => (lane === 'slow' ? 2 : 1),
      async run(job) {
        if (job.lane === 'quick') await remove(job)
        else {
          inFlight.push(job.id)
          most = Math.max(most, inFlight.length)
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
    expect(most).toBe(2)
  })

  test('of a lane that rests wait', async () => {
    let rests = true
    const { kind: one, done } = kind('one', { together: () => (rests ? 0 : 1) })
    await add(jobRow('a'))
    create({ kind: one }).start()
    await ticks.pass()
    expect(done).toEqual([])
    rests = false
    await ticks.pass()
    expect(done).toEqual(['a'])
  })

  test('that fail are tried again later and later, and given up at last; others go on', async () => {
    const failing = kind('failing', { run: () => Promise.reject(new RangeError('the number is 4200…')) })
    const { kind: one, done } = kind('one')
    await add(jobRow('f', { kind: 'failing' }), jobRow('a'))
    const running = create(failing, { kind: one })
    const waits: number[] = []
    for (let attempt = 1; attempt <= limits.jobAttempts; attempt += 1) {
      const before = (await storage.nextDue('failing', '')) ?? Infinity
      await running.fastForward(before)
      waits.push(((await storage.nextDue('failing', '')) ?? Infinity) - clock.now())
    }
    expect(waits.slice(0, 4)).toEqual([30_000, 60_000, 120_000, 240_000])
    expect(await storage.job('f')).toMatchObject({ attempts: 12, parked_at_ms: clock.now(), last_error: 'RangeError' })
    expect(done).toEqual(['a'])
    const stack = expect.stringContaining('job-runner.test')
    const line = { job: 'failing', id: 'f', subject: 'about f', error: 'RangeError', stack }
    expect(logged).toEqual(Array.from({ length: limits.jobAttempts }, () => line))
  })

  test('an outage of the storage is logged once, and jobs run after it', async () => {
    const { kind: one, done } = kind('one')
    await add(jobRow('a'))
    const working = storage
    let isDown = true
    storage = {
      ...storage,
      dueQueues: (...asked) => (isDown ? Promise.reject(new RangeError('x')) : working.dueQueues(...asked)),
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

  test('under way are waited for when the process ends, and told of it', async () => {
    let told = false
    const ended: string[] = []
    const slow = kind('one', {
      async run(job, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        told = true
        await remove(job)
        ended.push(job.id)
        return 'done'
      },
    })
    await add(jobRow('a'), jobRow('b'))
    const running = create(slow)
    running.start()
    await eventLoopTurns()
    await running.stop()
    expect([told, ended]).toEqual([true, ['a']])
  })
})

describe('a journey of the clock', () => {
  test('does what falls due on the way at its time, also what that begins', async () => {
    const seen: string[] = []
    const first = kind('one', {
      async run(job) {
        seen.push(`${job.id} at ${clock.now()}`)
        await remove(job)
        if (job.id === 'a') await add(jobRow('c', { due_at_ms: 1_500 }))
        return `was ${job.id}`
      },
    })
    await add(jobRow('a', { due_at_ms: 1_200 }), jobRow('b', { due_at_ms: 2_000 }), jobRow('d', { due_at_ms: 3_001 }))
    const journey = await create(first).fastForward(3_000)
    expect(seen).toEqual(['a at 1200', 'c at 1500', 'b at 2000'])
    expect(journey).toMatchObject({ atMs: 3_000, isThere: true })
    expect(journey.happened[0]).toEqual({ atMs: 1_200, kind: 'one', subjectId: 'about a', outcome: 'was a' })
    expect(await storage.installation(CLOCK_AHEAD)).toBe('2000')
  })

  test('never goes back', async () => {
    expect(await create(kind('one')).fastForward(10)).toEqual({ atMs: 1_000, isThere: true, happened: [] })
    expect([clock.now(), await storage.installation(CLOCK_AHEAD)]).toEqual([1_000, undefined])
  })

  test('ends before its goal where there is too much to do', async () => {
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
    const { isThere, atMs, happened } = await create(again).fastForward(1_000_000)
    expect([isThere, happened.length]).toEqual([false, limits.journeyJobs])
    expect(atMs).toBe(1_000 + limits.journeyJobs - 1)
  })

  test('waits for what is under way, and nothing begins beside it', async () => {
    let most = 0
    let count = 0
    const one = kind('one', {
      together: () => 3,
      async run(job) {
        count += 1
        most = Math.max(most, count)
        await new Promise((resolve) => setTimeout(resolve, 5))
        await remove(job)
        count -= 1
        return 'done'
      },
    })
    await add(...Array.from({ length: 9 }, (_, index) => jobRow(`j${index}`, { due_at_ms: 2_000 + index })))
    const running = create(one)
    running.start()
    await Promise.all([running.fastForward(2_004), running.fastForward(2_009)])
    expect([most, await storage.nextDue('one', '')]).toEqual([1, undefined])
  })
})
