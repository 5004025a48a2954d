import type { JobRow } from '@tollgate/storage'
import { createOrder } from '../webhooks/order.ts'
import type { Context } from '../context.ts'

/** Makes a job due now, with no attempt behind it. @returns undefined: it has changed since it was read */
export const retryJob = (context: Context, job: JobRow): Promise<JobRow | undefined> =>
  changeJob(context, job, { due_at_ms: context.clock.now(), attempts: 0, parked_at_ms: null })

/** Parks a job; the next delivery of its order becomes due. @returns undefined: it has changed since it was read */
export async function parkJob(context: Context, job: JobRow): Promise<JobRow | undefined> {
  const parked = await changeJob(context, job, {
    parked_at_ms: context.clock.now(),
    last_error: 'parked by an operator',
  })
  if (parked) await createOrder(context).callNext(parked)
  return parked
}

async function changeJob(
  { storage, ids }: Context,
  from: JobRow,
  changes: Partial<JobRow>,
): Promise<JobRow | undefined> {
  const to: JobRow = { ...from, ...changes, held_until_ms: null }
  const compareAndSets = [{ table: 'job' as const, from, to }]
  const { kind } = await storage.commit({ id: ids.ordered(), expectedVersions: [], compareAndSets, rows: {} })
  return kind === 'committed' ? to : undefined
}
