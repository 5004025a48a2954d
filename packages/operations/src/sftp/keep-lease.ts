import type { JobRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import { limits } from '../limits.ts'
import { startTimer } from '../wait.ts'
import type { SftpContext } from './sftp-context.ts'

/** The result of work, and the job as it is stored after it; undefined: its lease was lost. */
interface Leased<T> {
  readonly result: T
  readonly leased: JobRow | undefined
}

/**
 * Does the work of a job that takes longer than a lease, which is renewed until its end, so that no other process does
 * the work at the same time. If an operator or another process changes the job, the lease is lost. A storage that is
 * not shared has no leases.
 *
 * @param work its signal aborts at the end of the time limit, when the process stops, or when the lease is lost
 */
export async function keepLease<T>(
  context: SftpContext,
  job: JobRow,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Leased<T>> {
  const ended = new AbortController()
  const endTimeLimit = startTimer(limits.transferMs, () => ended.abort())
  let leased: JobRow | undefined = job
  let renewal: Promise<void> = Promise.resolve()
  let endTimer = () => {}

  async function renew(): Promise<void> {
    leased = leased && (await renewed(context, leased))
    if (leased) schedule()
    else ended.abort()
  }
  const schedule = (): void => {
    endTimer = startTimer(limits.transferLeaseRenewMs, () => {
      renewal = renew()
    })
  }
  if (job.held_until_ms !== null) schedule()

  try {
    const result = await work(AbortSignal.any([stopping, ended.signal]))
    endTimer()
    await renewal
    return { result, leased }
  } finally {
    endTimeLimit()
    // A renewal in progress has started another timer.
    await renewal
    endTimer()
  }
}

/** Prolongs a lease. @returns the job as it is stored; undefined: the lease was lost, or may be lost */
async function renewed(context: SftpContext, from: JobRow): Promise<JobRow | undefined> {
  if (from.held_until_ms === null) return undefined
  const to = { ...from, held_until_ms: from.held_until_ms + limits.transferLeaseRenewMs }
  try {
    return (await commitChange(context, { compareAndSets: [{ table: 'job', from, to }] })) ? to : undefined
  } catch {
    // The commit may be stored or not; the row shows it.
    const stored = await context.storage.job(from.id).catch(() => undefined)
    return [from, to].find((row) => row.held_until_ms === stored?.held_until_ms)
  }
}
