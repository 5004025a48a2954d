import type { JobRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { jobDeadLettered, jobPostponed } from '../job-transitions.ts'
import { createOrder } from '../webhooks/order.ts'

/** Makes a job due now, with no attempt behind it. @returns undefined: it has changed since it was read */
export async function retryJob(context: Context, job: JobRow): Promise<JobRow | undefined> {
  const due = jobPostponed(job, context.clock.now(), 0)
  return (await commitChange(context, { compareAndSets: [due] })) ? due.to : undefined
}

/** Parks a job; the next delivery of its order becomes due. @returns undefined: it has changed since it was read */
export async function parkJob(context: Context, job: JobRow): Promise<JobRow | undefined> {
  const parked = jobDeadLettered(job, context.clock.now(), 'parked by an operator')
  if (!(await commitChange(context, { compareAndSets: [parked] }))) return undefined
  await createOrder(context).releaseNext(parked.to)
  return parked.to
}
