import type { JobRow, SftpAccountRow, SftpDeliveryRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import { CHANGED, type JobKind } from '../job.ts'
import { jobDeadLettered, jobDone } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import type { SftpFault } from '../ports/sftp-client.ts'
import { openSftpCredentials } from './account-credentials.ts'
import { deliverySettingsOf, pathIn } from './account-settings.ts'
import { contentOf } from './file-content.ts'
import { FILE_DELIVERY } from './file-delivery.ts'
import { leasedTransfer } from './leased-transfer.ts'
import type { SftpContext } from './sftp-context.ts'
import { transferFailed } from './transfer-fault.ts'

/**
 * Transfers files to SFTP servers. The content of a file is stored, so that each attempt sends the same bytes and
 * resumes what earlier ones have sent. A failure is retried for days, unless it needs an operator; then the job is
 * dead-lettered.
 */
export function deliverFiles(context: SftpContext): JobKind {
  const { storage, clock, counts } = context

  /** Stores the outcome of an attempt with the next state of its job. @returns the outcome for the report */
  async function store(job: JobRow, delivery: SftpDeliveryRow, fault: SftpFault | undefined): Promise<string> {
    counts.deliveries.add(FILE_DELIVERY, fault ? 'failed' : 'delivered')
    if (fault) return storeFault(job, fault)
    const nowMs = clock.now()
    const to = { ...delivery, state: 'delivered', job_id: null, changed_at_ms: nowMs, delivered_at_ms: nowMs }
    const compareAndSets = [jobDone(job), { table: 'sftp_delivery' as const, from: delivery, to }]
    return (await commitChange(context, { compareAndSets })) ? 'delivered' : CHANGED
  }

  async function storeFault(job: JobRow, fault: SftpFault): Promise<string> {
    const { transition, outcome } = transferFailed(context, job, fault)
    return (await commitChange(context, { compareAndSets: [transition] })) ? outcome : CHANGED
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
      const attempt = async (signal: AbortSignal) => {
        const startedAtMs = performance.now()
        const fault = await transfer(context, account, delivery, signal)
        counts.deliveryTimes.add(FILE_DELIVERY, performance.now() - startedAtMs)
        return { fault }
      }
      return leasedTransfer(context, job, stopping, attempt, (leased, { fault }) => store(leased, delivery, fault))
    },
  }
}

const ONE_QUEUE = ['']

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
