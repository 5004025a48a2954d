import type { JobRow } from '@tollgate/storage'
import type { Gateway } from '../../gateway.ts'
import { parkJob, retryJob } from '@tollgate/operations'
import { ManageError } from './manage-error.ts'

/** What operators do to what is done at its time. Each answers with the row as it is then. */
export interface JobChanges {
  /** Makes it due now, as if it had never been tried. */
  retry(job: JobRow): Promise<JobRow>
  /** Gives it up; what has been given up stays as it is, with its reason. */
  park(job: JobRow): Promise<JobRow>
}

export function jobChanges(gateway: Gateway): JobChanges {
  const { jobs } = gateway

  function noticed(changed: JobRow | undefined): JobRow {
    if (!changed) throw new ManageError(409, 'The job has changed meanwhile: look at it again.')
    jobs.notify(changed.kind, changed.lane)
    return changed
  }

  return {
    retry: async (job) => noticed(await retryJob(gateway, job)),
    park: async (job) => (job.parked_at_ms === null ? noticed(await parkJob(gateway, job)) : job),
  }
}
