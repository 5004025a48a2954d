import type { Peers } from '@tollgate/storage'
import {
  type BackgroundTask,
  type Clock,
  errorFields,
  type Log,
  type Wait,
  wait as elapsed,
} from '@tollgate/operations'
import { limits } from '../limits.ts'

/** What was started. */
export interface BackgroundTasks {
  /** Begins no step any more, and resolves when those under way have ended. */
  stop(): Promise<void>
}

interface Parts {
  readonly clock: Clock
  readonly log: Log
  /** One process at a time does a round; undefined: there are no others. */
  readonly peers?: Pick<Peers, 'lock'> | undefined
  readonly wait?: Wait
}

/**
 * Starts the works, each in a loop of its own; a first round begins at once. A step that fails is logged and tried
 * again: whatever stood against it, the other works and the payments go on.
 */
export function startBackgroundTasks(
  works: readonly BackgroundTask[],
  { clock, log, peers, wait = elapsed }: Parts,
): BackgroundTasks {
  const stopping = new AbortController()
  const { signal } = stopping

  /** Steps until the round is done, one of them fails, its lock is lost, or the process is to end. */
  async function round(work: BackgroundTask): Promise<keyof typeof pauseAfter> {
    const lock = peers && (await peers.lock(`work ${work.name}`))
    if (peers && !lock) return 'elsewhere'
    try {
      while ((await work.step()) === 'more') {
        await wait(work.pauseMs, signal)
        if (signal.aborted) return 'stopped'
        if (lock?.isHeld() === false) return 'elsewhere'
      }
      return 'done'
    } catch (error) {
      log.error({ worker: work.name, ...errorFields(error) })
      return 'failed'
    } finally {
      await lock?.release()
    }
  }

  async function loop(work: BackgroundTask): Promise<void> {
    let dueAtMs = clock.now()
    while (!signal.aborted) {
      // After a wrong clock was corrected, a round is due no later than its interval from now.
      dueAtMs = Math.min(dueAtMs, clock.now() + work.everyMs)
      if (clock.now() < dueAtMs) {
        await wait(limits.workerTickMs, signal)
        continue
      }
      const outcome = await round(work)
      if (outcome === 'done') dueAtMs = clock.now() + work.everyMs
      await wait(pauseAfter[outcome], signal)
    }
  }

  const loops = works.map(loop)
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
  elsewhere: limits.workerRetryMs,
  stopped: 0,
} as const
