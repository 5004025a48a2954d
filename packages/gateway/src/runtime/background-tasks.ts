import { setMaxListeners } from 'node:events'
import type { Lock, Peers } from '@tollgate/storage'
import { type BackgroundTask, type Clock, errorFields, type Log, waitForLull } from '@tollgate/operations'
import { limits } from '../limits.ts'
import { type EventLoop, nodeEventLoop } from './event-loop.ts'

/** The running background tasks. */
export interface BackgroundTasks {
  /** Begins no further sweep, ends each sweep in progress after a step, and resolves when all have ended. */
  stop(): Promise<void>
}

interface Parts {
  readonly clock: Clock
  readonly log: Log
  /** With peers, one process at a time does a sweep of a task; undefined: each process does all sweeps itself. */
  readonly peers?: Pick<Peers, 'lock'> | undefined
  readonly eventLoop?: Pick<EventLoop, 'now' | 'wait'>
}

/**
 * Starts the tasks, each in a loop of its own; the first sweep begins at once. A step that fails is logged and retried;
 * other tasks and payments are not affected.
 */
export function startBackgroundTasks(
  tasks: readonly BackgroundTask[],
  { clock, log, peers, eventLoop = nodeEventLoop }: Parts,
): BackgroundTasks {
  const { wait } = eventLoop
  const waitBesidePayments = waitForLull(eventLoop)
  const stopping = new AbortController()
  const { signal } = stopping
  // Each task waits with a listener of its own.
  setMaxListeners(tasks.length, signal)

  /** Runs steps until the sweep is done, a step fails, the lock is lost or the process stops. */
  async function sweep(task: BackgroundTask): Promise<keyof typeof pauseAfter> {
    let lock: Lock | undefined
    try {
      lock = await peers?.lock(`work ${task.name}`)
      if (peers && !lock) return 'unlocked'
      if (signal.aborted) return 'stopped'
      while ((await task.step()) === 'more') {
        await waitBesidePayments(task.pauseMs, signal)
        if (signal.aborted) return 'stopped'
        if (lock?.isHeld() === false) return 'unlocked'
      }
      return 'done'
    } catch (error) {
      log.error({ worker: task.name, ...errorFields(error) })
      return 'failed'
    } finally {
      await lock?.release()
    }
  }

  async function loop(task: BackgroundTask): Promise<void> {
    let dueAtMs = clock.now()
    while (!signal.aborted) {
      // After a wrong clock was corrected, a sweep is due no later than its interval from now.
      dueAtMs = Math.min(dueAtMs, clock.now() + task.everyMs)
      if (clock.now() < dueAtMs) {
        await wait(limits.workerTickMs, signal)
        continue
      }
      const outcome = await sweep(task)
      if (outcome === 'done') dueAtMs = clock.now() + task.everyMs
      await wait(pauseAfter[outcome], signal)
    }
  }

  const loops = tasks.map(loop)
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

const pauseAfter = {
  done: limits.workerTickMs,
  failed: limits.workerRetryMs,
  unlocked: limits.workerRetryMs,
  stopped: 0,
} as const
