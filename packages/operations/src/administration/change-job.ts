import type { JobRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { jobDeadLettered, jobPostponed } from '../job-transitions.ts'
import { createDeliveryOrder } from '../webhooks/delivery-order.ts'

/** Makes a job due now, and resets its attempts. @returns undefined: the job has changed since it was read */
export async function retryJob(context: Context, job: JobRow): Promise<JobRow | undefined> {
  const due = jobPostponed(job, context.clock.now(), 0)
  return (await commitChange(context, { compareAndSets: [due] })) ? due.to : undefined
}

/**
 * Dead-letters a job. If the job is a delivery, the next delivery in its delivery order becomes due.
 *
 * @returns undefined: the job has changed since it was read
 */
export async function deadLetterJob(context: Context, job: JobRow): Promise<JobRow | undefined> {
  const deadLettered = jobDeadLettered(job, context.clock.now(), 'parked by an operator')
  if (!(await commitChange(context, { compareAndSets: [deadLettered] }))) return undefined
  await createDeliveryOrder(context).releaseNext(deadLettered.to)
  return deadLettered.to
}
