import { MINUTE_MS } from '@tollgate/contract'
import type { JobRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import { CHANGED, type JobKind } from '../job.ts'
import { jobDone, jobDue } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import { sourceSettingsOf } from './account-settings.ts'
import { leasedTransfer } from './leased-transfer.ts'
import { pollSource, type SourcePoll } from './poll-source.ts'
import { createSeenFiles, type SeenFiles } from './seen-files.ts'
import { SETTLEMENT_PULL } from './settlement-pull.ts'
import type { SftpContext } from './sftp-context.ts'
import { transferFailed } from './transfer-fault.ts'

/**
 * Pulls settlement files from SFTP servers: each source is polled from time to time, by one process at a time. A file
 * is taken once it has not changed for a while, and each version of it once; files are the same if their contents are.
 * A fast-forward of the test clock makes no polls; those that are due follow it.
 */
export function pullFiles(context: SftpContext): JobKind {
  const { storage, clock } = context
  const seen = new Map<string, SeenFiles>()

  function seenOf(id: string): SeenFiles {
    const files = seen.get(id) ?? createSeenFiles()
    seen.set(id, files)
    return files
  }

  /** Stores when the next poll is due. @returns the outcome for the report */
  async function store(job: JobRow, everyMs: number, poll: SourcePoll): Promise<string> {
    const { fault, isWaiting = false, taken = 0, moveFault } = poll
    if (fault) {
      const { transition, outcome } = transferFailed(context, job, fault, everyMs)
      return (await commitChange(context, { compareAndSets: [transition] })) ? outcome : CHANGED
    }
    const pauseMs = isWaiting ? Math.min(limits.pullStableMs, everyMs) : everyMs
    const lastError = moveFault ? `a file was not moved: ${moveFault.kind}: ${moveFault.message}` : null
    const next = jobDue(job, clock.now() + pauseMs, { attempts: 0, lastError })
    return (await commitChange(context, { compareAndSets: [next] })) ? `took ${taken} files` : CHANGED
  }

  return {
    name: SETTLEMENT_PULL,
    queues: () => ONE_QUEUE,
    concurrency: () => limits.pullsConcurrent,
    isFastForwarded: false,
    async run({ id, held_until_ms: heldUntilMs }, stopping) {
      const job = await storage.job(id)
      if (!job || job.held_until_ms !== heldUntilMs || job.parked_at_ms !== null) return CHANGED
      const account = await storage.sftpAccount(job.subject_id)
      if (account?.deleted_at_ms !== null) {
        seen.delete(job.subject_id)
        await commitChange(context, { compareAndSets: [jobDone(job)] })
        return 'the source was deleted'
      }
      const everyMs = sourceSettingsOf(account).everyMinutes * MINUTE_MS
      if (account.state !== 'enabled') return store(job, everyMs, {})
      const poll = (signal: AbortSignal) => pollSource(context, account, seenOf(account.id), signal)
      return leasedTransfer(context, job, stopping, poll, (leased, result) => store(leased, everyMs, result))
    },
  }
}

const ONE_QUEUE = ['']
