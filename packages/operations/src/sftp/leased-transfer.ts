import type { JobRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import { CHANGED } from '../job.ts'
import { jobReleased } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import type { SftpFault } from '../ports/sftp-client.ts'
import { keepLease } from './keep-lease.ts'
import type { SftpContext } from './sftp-context.ts'

/** The result of an attempt at a transfer. */
export interface TransferResult {
  /** undefined: it succeeded. */
  readonly fault?: SftpFault | undefined
}

/**
 * Makes an attempt at a transfer under the lease of its job, and stores its result. If the process stops, the job is
 * released, and another process makes the attempt.
 *
 * @param store stores the result with the next state of the job, of which the stored row is passed
 * @returns the outcome for the report of the job
 */
export async function leasedTransfer<T extends TransferResult>(
  context: SftpContext,
  job: JobRow,
  stopping: AbortSignal,
  transfer: (signal: AbortSignal) => Promise<T>,
  store: (job: JobRow, result: T | TransferResult) => Promise<string>,
): Promise<string> {
  const { result, leased } = await keepLease(context, job, stopping, transfer)
  if (!leased) return CHANGED
  if (result.fault?.kind !== 'cancelled') return store(leased, result)
  if (!stopping.aborted) return store(leased, TIMED_OUT)
  if (leased.held_until_ms !== null) await commitChange(context, { compareAndSets: [jobReleased(leased)] })
  return 'was interrupted'
}

const TIMED_OUT: TransferResult = {
  fault: {
    kind: 'timeout',
    message: `The transfer was not complete within ${limits.transferMs / 60_000} minutes.`,
  },
}
