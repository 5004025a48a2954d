import { transferRetryAtMs } from '@tollgate/domain'
import type { JobRow, SftpAccountRow, SftpDeliveryRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import { CHANGED, type JobKind } from '../job.ts'
import { jobDeadLettered, jobDone, jobDue, jobReleased } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import type { SftpFailureKind, SftpFault } from '../ports/sftp-client.ts'
import { openSftpCredentials } from './account-credentials.ts'
import { deliverySettingsOf, pathIn } from './account-settings.ts'
import { contentOf } from './file-content.ts'
import { FILE_DELIVERY } from './file-delivery.ts'
import { keepLease } from './keep-lease.ts'
import type { SftpContext } from './sftp-context.ts'

/**
 * Transfers files to SFTP servers. The content of a file is stored, so that each attempt sends the same bytes and
 * resumes what earlier ones have sent. A failure is retried for days, unless it needs an operator; then the job is
 * dead-lettered.
 */
export function deliverFiles(context: SftpContext): JobKind {
  const { storage, clock, ids, counts } = context

  /** Stores the outcome of an attempt with the next state of its job. @returns the outcome for the report */
  async function store(job: JobRow, delivery: SftpDeliveryRow, fault: SftpFault | undefined): Promise<string> {
    counts.deliveries.add(FILE_DELIVERY, fault ? 'failed' : 'delivered')
    if (fault) return storeFault(job, fault)
    const nowMs = clock.now()
    const to = { ...delivery, state: 'delivered', job_id: null, changed_at_ms: nowMs, delivered_at_ms: nowMs }
    const compareAndSets = [jobDone(job), { table: 'sftp_delivery' as const, from: delivery, to }]
    return (await commitChange(context, { compareAndSets })) ? 'delivered' : CHANGED
  }

  async function storeFault(job: JobRow, { kind, message }: SftpFault): Promise<string> {
    const attempts = job.attempts + 1
    const nowMs = clock.now()
    const random = Number.parseInt(ids.random().slice(0, 8), 16) / 0xffff_ffff
    const dueAtMs = isRetried[kind] ? transferRetryAtMs(attempts, nowMs, random) : undefined
    const lastError = `${kind}: ${message}`
    const transition =
      dueAtMs === undefined
        ? jobDeadLettered(job, nowMs, lastError, attempts)
        : jobDue(job, dueAtMs, { attempts, lastError })
    if (!(await commitChange(context, { compareAndSets: [transition] }))) return CHANGED
    return `${dueAtMs === undefined ? 'dead-lettered' : 'failed'}: ${lastError}`
  }

  async function deadLetter(job: JobRow, reason: string): Promise<string> {
    await commitChange(context, { compareAndSets: [jobDeadLettered(job, clock.now(), reason)] })
    return `dead-lettered: ${reason}`
  }

  return {
    name: FILE_DELIVERY,
    queues: () => ONE_QUEUE,
    concurrency: () => limits.transfersConcurrent,
    async run({ id, held_until_ms: heldUntilMs }, stopping) {
      const job = await storage.job(id)
      if (!job || job.held_until_ms !== heldUntilMs || job.parked_at_ms !== null) return CHANGED
      const delivery = await storage.sftpDelivery(job.subject_id)
      if (delivery?.job_id !== job.id) return deadLetter(job, 'the delivery has another job')
      const account = await storage.sftpAccount(delivery.account_id)
      if (account?.state !== 'enabled') return deadLetter(job, 'the target is disabled')
      const startedAtMs = performance.now()
      const { result: fault, held } = await keepLease(context, job, stopping, (signal) =>
        transfer(context, account, delivery, signal),
      )
      counts.deliveryTimes.add(FILE_DELIVERY, performance.now() - startedAtMs)
      if (fault?.kind !== 'cancelled' || !held) return held ? store(held, delivery, fault) : CHANGED
      if (!stopping.aborted) return store(held, delivery, TIMED_OUT)
      if (held.held_until_ms !== null) await commitChange(context, { compareAndSets: [jobReleased(held)] })
      return 'was interrupted'
    },
  }
}

const ONE_QUEUE = ['']

const TIMED_OUT: SftpFault = {
  kind: 'timeout',
  message: `The transfer was not complete within ${limits.transferMs / 60_000} minutes.`,
}

/** Connects and delivers the file. @returns the fault; undefined: the file is delivered */
async function transfer(
  context: SftpContext,
  account: SftpAccountRow,
  delivery: SftpDeliveryRow,
  signal: AbortSignal,
): Promise<SftpFault | undefined> {
  const { server, folder } = deliverySettingsOf(account)
  const credentials = openSftpCredentials(context.vault, account)
  if (!credentials) return { kind: 'invalid', message: 'The target has no credentials.' }
  const { value: session, error } = await context.sftp.connect(server, credentials, signal)
  if (!session) return error
  try {
    const path = pathIn(folder, delivery.file_name)
    return (await session.deliver(path, contentOf(context, delivery), delivery.id)).error
  } finally {
    await session.close()
  }
}

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
