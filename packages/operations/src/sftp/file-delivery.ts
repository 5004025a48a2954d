import type { JobRow, SftpDeliveryRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { jobPostponed } from '../job-transitions.ts'
import { newJob } from '../records/new-job.ts'

/** The kind of job that transfers a file to an SFTP server. Its subject is the delivery. */
export const FILE_DELIVERY = 'file-delivery'

/** The job that transfers the file of a delivery, due at once. */
export const transferJob = (
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  { id }: Pick<SftpDeliveryRow, 'id'>,
): JobRow => {
  const nowMs = clock.now()
  const times = { due_at_ms: nowMs, created_at_ms: nowMs }
  return newJob({ id: ids.sequenced(), merchant: '', kind: FILE_DELIVERY, subject_id: id, ...times })
}

/**
 * repeated: the file will be transferred at once. composing: its content is not complete yet. erased: its content was
 * removed. conflict: it was changed concurrently. Nothing was written but in the first case.
 */
export type RepeatOutcome =
  | { readonly kind: 'repeated'; readonly job: JobRow }
  | { readonly kind: 'composing' | 'erased' | 'conflict' }

/** Transfers the file of a delivery again, at once: a failed one, or one that the receiver has lost. */
export async function repeatDelivery(
  context: Pick<Context, 'storage' | 'ids' | 'clock'>,
  from: SftpDeliveryRow,
): Promise<RepeatOutcome> {
  if (from.state === 'composing') return { kind: 'composing' }
  if (from.state === 'erasing' || from.state === 'erased') return { kind: 'erased' }
  const job = from.job_id === null ? undefined : await context.storage.job(from.job_id)
  if (job) {
    const due = jobPostponed(job, context.clock.now(), 0)
    const isChanged = await commitChange(context, { compareAndSets: [due] })
    return isChanged ? { kind: 'repeated', job: due.to } : { kind: 'conflict' }
  }
  const added = transferJob(context, from)
  const to = { ...from, state: 'waiting', job_id: added.id, changed_at_ms: context.clock.now() }
  const compareAndSets = [{ table: 'sftp_delivery' as const, from, to }]
  const isChanged = await commitChange(context, { compareAndSets, rows: { job: [added] } })
  return isChanged ? { kind: 'repeated', job: added } : { kind: 'conflict' }
}
