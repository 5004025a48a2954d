import type { JobRow, CompareAndSet } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { DeliveryContext } from '../webhooks/delivery-context.ts'
import { timePartOf } from '../ids.ts'
import { jobDone } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import { DELIVERY } from '../webhooks/new-delivery.ts'
import { keysIn } from '../webhooks/webhook-keys.ts'
import { NOTIFICATION } from '../webhooks/new-notification.ts'
import type { BackgroundTask } from '../background-task.ts'

/**
 * Erases old events: first the deliveries and calls that are done or dead-lettered, with their attempts, then the
 * events. A webhook's old key is erased at the end of its overlap.
 */
export function eraseEvents(dependencies: Dependencies): BackgroundTask {
  const { storage, webhooks, clock } = dependencies
  /**
   * The id of the last dead-lettered job that was read; the jobs are read from the newest to the oldest. Without this
   * cursor, a step would read the dead-lettered jobs of other kinds again, because they are not erased.
   */
  let cursor = ''

  // If one of the rows was changed in the meantime, nothing is written. The next step reads the rows again, except
  // dead-lettered jobs, which the next sweep reads again.
  const erase = (compareAndSets: readonly CompareAndSet[]) => commitChange(dependencies, { compareAndSets })

  /** Erases jobs and their delivery attempts. */
  async function eraseJobs(jobs: readonly JobRow[]): Promise<void> {
    const compareAndSets: CompareAndSet[] = []
    for (const job of jobs) {
      compareAndSets.push(jobDone(job))
      for (const attempt of await storage.attemptsOf(job.id))
        compareAndSets.push({ table: 'delivery_attempt', from: attempt, to: null })
    }
    if (compareAndSets.length > 0) await erase(compareAndSets)
  }

  async function eraseKeys(): Promise<void> {
    for (const { id } of webhooks.all()) {
      await webhooks.change(id, () => ({ removed: keysIn('ended', webhooks.keysOf(id), clock.now()) }))
    }
  }

  return {
    name: 'erase-events',
    everyMs: limits.retentionEveryMs,
    pauseMs: limits.retentionPauseMs,
    async step() {
      const oldest = timePartOf(clock.now() - limits.eventRetentionMs)
      const done = await storage.doneJobsBelow(oldest, limits.eventsErasedPerStep)
      await eraseJobs(done)
      if (done.length > 0) return 'more'
      const deadLettered = await storage.deadLetteredBefore(cursor === '' ? oldest : cursor, limits.eventsErasedPerStep)
      await eraseJobs(deadLettered.filter(({ kind }) => kind === DELIVERY || kind === NOTIFICATION))
      cursor = deadLettered.at(-1)?.id ?? ''
      if (cursor !== '') return 'more'
      const events = await storage.eventsBelow(oldest, limits.eventsErasedPerStep)
      if (events.length > 0) {
        await erase(events.map((from) => ({ table: 'event', from, to: null })))
        return 'more'
      }
      await eraseKeys()
      return 'done'
    },
  }
}

type Dependencies = Pick<DeliveryContext, 'storage' | 'webhooks' | 'clock' | 'ids'>
