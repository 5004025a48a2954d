import { HOUR_MS } from '@tollgate/contract'
import type { Lock } from '@tollgate/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { BackgroundTask, Log, LogFields } from '@tollgate/operations'
import { type ManualWait, manualWait, eventLoopTurns } from '../testing/manual-wait.ts'
import { type BackgroundTasks, startBackgroundTasks } from './background-tasks.ts'

const clock = { nowMs: 0, now: () => clock.nowMs }
const logged: LogFields[] = []
const nothing = () => undefined
const log: Log = { info: nothing, warn: nothing, error: (fields) => void logged.push(fields), flush: nothing }

let time: ManualWait
let running: BackgroundTasks | undefined
beforeEach(() => {
  time = manualWait()
})
afterEach(async () => {
  await running?.stop()
  logged.length = 0
})

/** A task whose sweeps have this number of steps, and its completed steps and sweeps. */
function task(name: string, stepsPerSweep: number, changes: Partial<BackgroundTask> = {}) {
  const state = { steps: 0, sweeps: 0 }
  const step: BackgroundTask['step'] = async () => {
    state.steps += 1
    if (state.steps % stepsPerSweep !== 0) return 'more'
    state.sweeps += 1
    return 'done'
  }
  return { state, task: { name, everyMs: 60_000, pauseMs: 5, step, ...changes } }
}

test('the first sweep begins at once, and the next sweep after the interval of the task', async () => {
  const { state, task: one } = task('one', 3)
  running = startBackgroundTasks([one], { clock, log, eventLoop: { now: () => 0, wait: time.wait } })
  for (let step = 0; step < 9; step += 1) await time.pass()
  expect(state).toEqual({ steps: 3, sweeps: 1 })
  expect(time.waitsMs.slice(0, 4)).toEqual([5, 5, limits.workerTickMs, limits.workerTickMs])
  clock.nowMs += 59_999
  await time.pass()
  expect(state.sweeps).toBe(1)
  clock.nowMs += 1
  for (let step = 0; step < 9; step += 1) await time.pass()
  expect(state).toEqual({ steps: 6, sweeps: 2 })
})

test('no step is done while the event loop is late', async () => {
  const { state, task: one } = task('one', 9, { pauseMs: 50 })
  let nowMs = 0
  const now = () => (nowMs += 1_000)
  running = startBackgroundTasks([one], { clock, log, eventLoop: { now, wait: time.wait } })
  await time.pass()
  await time.pass()
  expect(state.steps).toBe(1)
})

test('a failed task is logged without the message of its error, and other tasks continue', async () => {
  const { state, task: one } = task('one', 2)
  const failing: BackgroundTask = {
    ...one,
    name: 'failing',
    step: () => Promise.reject(new RangeError('the number is 4200…')),
  }
  running = startBackgroundTasks([failing, one], { clock, log, eventLoop: { now: () => 0, wait: time.wait } })
  await eventLoopTurns()
  expect([state.steps, new Set(time.waitsMs)]).toEqual([1, new Set([limits.workerRetryMs, 5])])
  expect(logged).toEqual([
    { worker: 'failing', error: 'RangeError', stack: expect.stringContaining('background-tasks.test') },
  ])
  expect(JSON.stringify(logged)).not.toContain('4200')
})

test('a failed task is retried', async () => {
  let attempts = 0
  const { state, task: one } = task('one', 1)
  const failingOnce: BackgroundTask = {
    ...one,
    async step() {
      attempts += 1
      if (attempts === 1) throw new Error('the disk is full')
      return one.step()
    },
  }
  running = startBackgroundTasks([failingOnce], { clock, log, eventLoop: { now: () => 0, wait: time.wait } })
  await eventLoopTurns()
  expect([attempts, state.sweeps, time.waitsMs]).toEqual([1, 0, [limits.workerRetryMs]])
  await time.pass()
  expect([attempts, state.sweeps]).toEqual([2, 1])
})

test('a stop waits only for the steps in progress', async () => {
  let end: () => void = () => undefined
  const step = () =>
    new Promise<'more'>((resolve) => {
      end = () => resolve('more')
    })
  const { task: idle } = task('idle', 1)
  running = startBackgroundTasks([idle, { name: 'busy', everyMs: 0, pauseMs: HOUR_MS, step }], { clock, log })
  await eventLoopTurns()
  let isStopped = false
  const stopping = stop(running)
  await new Promise((resolve) => setImmediate(resolve))
  expect(isStopped).toBe(false)
  end()
  await stopping

  async function stop(tasks: BackgroundTasks): Promise<void> {
    await tasks.stop()
    isStopped = true
  }
})

test('a process keeps the lock of a sweep until its end, and other processes retry', async () => {
  const { state, task: one } = task('one', 3)
  const lockEvents: string[] = []
  let isFree = false
  const lock = async (name: string) => {
    if (!isFree) return undefined
    lockEvents.push(`locked ${name}`)
    const release = async () => void lockEvents.push(`released ${name} after ${state.steps} steps`)
    return { isHeld: () => true, release }
  }
  running = startBackgroundTasks([one], { clock, log, eventLoop: { now: () => 0, wait: time.wait }, peers: { lock } })
  await eventLoopTurns()
  expect([state.steps, time.waitsMs]).toEqual([0, [limits.workerRetryMs]])
  isFree = true
  for (let step = 0; step < 5; step += 1) await time.pass()
  expect(lockEvents).toEqual(['locked work one', 'released work one after 3 steps'])
})

test('a stop during the request for a lock begins no step, and releases the lock', async () => {
  const { state, task: one } = task('one', 3)
  let grant: () => void = () => undefined
  let isReleased = false
  const lock = () =>
    new Promise<Lock>((resolve) => {
      const release = async () => void (isReleased = true)
      grant = () => resolve({ isHeld: () => true, release })
    })
  const tasks = startBackgroundTasks([one], {
    clock,
    log,
    eventLoop: { now: () => 0, wait: time.wait },
    peers: { lock },
  })
  await eventLoopTurns()
  const stopping = tasks.stop()
  grant()
  await stopping
  expect([state.steps, isReleased]).toEqual([0, true])
})

test('a failed request for a lock is logged and retried', async () => {
  const { state, task: one } = task('one', 1)
  let locks = 0
  const lock = async () => {
    locks += 1
    if (locks === 1) throw new RangeError('no connection')
    return { isHeld: () => true, release: async () => {} }
  }
  running = startBackgroundTasks([one], { clock, log, eventLoop: { now: () => 0, wait: time.wait }, peers: { lock } })
  await eventLoopTurns()
  expect([state.steps, time.waitsMs]).toEqual([0, [limits.workerRetryMs]])
  expect(logged).toMatchObject([{ worker: 'one', error: 'RangeError' }])
  await time.pass()
  expect(state.steps).toBe(1)
})

test('a sweep stops when its lock is lost, and continues with a new lock', async () => {
  const { state, task: one } = task('one', 4)
  let locks = 0
  const lock = async () => {
    const number = (locks += 1)
    return { isHeld: () => number > 1 || state.steps < 2, release: async () => {} }
  }
  running = startBackgroundTasks([one], { clock, log, eventLoop: { now: () => 0, wait: time.wait }, peers: { lock } })
  await eventLoopTurns()
  for (let step = 0; step < 2; step += 1) await time.pass()
  expect([state.steps, locks, time.waitsMs.at(-1)]).toEqual([2, 1, limits.workerRetryMs])
  for (let step = 0; step < 4; step += 1) await time.pass()
  expect([state.steps, locks]).toEqual([4, 2])
})
