import type { Storage } from '@tollgate/storage'
import type { Clock } from '@tollgate/operations'
import { limits } from '../limits.ts'
import type { JobRunner } from './job-runner.ts'

/** The number and age of the due jobs of a kind. */
export interface Lag {
  readonly kind: string
  /** Due jobs that are neither completed nor dead-lettered, counted up to `limits.countedJobs` in each queue. */
  readonly due: number
  /** Due time of the oldest due job (epoch milliseconds); undefined if none is due. */
  readonly oldestDueAtMs: number | undefined
}

interface Parts {
  readonly storage: Pick<Storage, 'countDue' | 'nextDue'>
  readonly clock: Clock
  readonly jobs: Pick<JobRunner, 'kinds'>
}

/** The lag of every kind, over all of its queues. */
export function lagsOf({ storage, clock, jobs }: Parts): Promise<Lag[]> {
  const nowMs = clock.now()
  return Promise.all(
    jobs.kinds().map(async ({ name, queues }) => {
      let due = 0
      let oldestMs = Infinity
      for (const queue of queues()) {
        const dueAtMs = (await storage.nextDue(name, queue)) ?? Infinity
        if (dueAtMs > nowMs) continue
        oldestMs = Math.min(oldestMs, dueAtMs)
        due += await storage.countDue(name, queue, nowMs, limits.countedJobs)
      }
      return { kind: name, due, oldestDueAtMs: oldestMs === Infinity ? undefined : oldestMs }
    }),
  )
}
