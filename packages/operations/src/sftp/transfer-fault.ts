import { transferRetryAtMs } from '@tollgate/domain'
import type { JobRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { jobDeadLettered, jobDue, type Transition } from '../job-transitions.ts'
import type { SftpFailureKind, SftpFault } from '../ports/sftp-client.ts'

/** Whether an attempt that failed for a reason is repeated. Other reasons last until an operator changes something. */
const isRetried: Readonly<Record<SftpFailureKind, boolean>> = {
  address: false,
  invalid: false,
  connection: true,
  hostKey: false,
  authentication: true,
  timeout: true,
  closed: true,
  cancelled: true,
  noSuchFile: true,
  permission: true,
  exists: false,
  noSpace: true,
  tooLarge: false,
  changed: false,
  refused: true,
  protocol: true,
}

/**
 * The transition of a job whose transfer failed: the next attempt, or the dead letter after the last one or after a
 * fault that needs an operator.
 *
 * @param pauseMs the least time until the next attempt
 */
export function transferFailed(
  { clock, ids }: Pick<Context, 'clock' | 'ids'>,
  job: JobRow,
  { kind, message }: SftpFault,
  pauseMs = 0,
): { readonly transition: Transition; readonly outcome: string } {
  const attempts = job.attempts + 1
  const nowMs = clock.now()
  const random = Number.parseInt(ids.random().slice(0, 8), 16) / 0xffff_ffff
  const dueAtMs = isRetried[kind] ? transferRetryAtMs(attempts, nowMs, random) : undefined
  const lastError = `${kind}: ${message}`
  if (dueAtMs === undefined)
    return { transition: jobDeadLettered(job, nowMs, lastError, attempts), outcome: `dead-lettered: ${lastError}` }
  const transition = jobDue(job, Math.max(dueAtMs, nowMs + pauseMs), { attempts, lastError })
  return { transition, outcome: `failed: ${lastError}` }
}
