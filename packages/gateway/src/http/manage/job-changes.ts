import type { JobRow } from '@tollgate/storage'
import type { Gateway } from '../../gateway.ts'
import { createOrder } from '../../webhooks/order.ts'
import { ManageError } from './error.ts'

/** What operators do to what is done at its time. Each answers with the row as it is then. */
export interface JobChanges {
  /** Makes it due now, as if it had never been tried. */
  retry(job: JobRow): Promise<JobRow>
  /** Gives it up; what has been given up stays as it is, with its reason. */
  park(job: JobRow): Promise<JobRow>
}

export function jobChanges(gateway: Gateway): JobChanges {
  const { storage, ids, clock, jobs } = gateway
  const order = createOrder(gateway)

  async function change(from: JobRow, changes: Partial<JobRow>): Promise<JobRow> {
    const to: JobRow = { ...from, ...changes, held_until_ms: null }
    const swaps = [{ table: 'job' as const, from, to }]
    const { kind } = await storage.commit({ id: ids.ordered(), guards: [], swaps, rows: {} })
    if (kind === 'committed') return to
    throw new ManageError(409, 'The job has changed meanwhile: look at it again.')
  }

  return {
    async retry(job) {
      const changed = await change(job, { due_at_ms: clock.now(), attempts: 0, parked_at_ms: null })
      jobs.nudge(job.kind, job.lane)
      return changed
    },
    async park(job) {
      if (job.parked_at_ms !== null) return job
      const parked = await change(job, { parked_at_ms: clock.now(), last_error: 'parked by an operator' })
      await order.callNext(parked)
      jobs.nudge(parked.kind, parked.lane)
      return parked
    },
  }
}
