import { InvariantError } from '@tollgate/contract'
import { retryAtMs } from '@tollgate/domain'
import { type DeliveryAttemptRow, type JobRow, StorageError } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { DeliveryContext } from './delivery-context.ts'
import { jobDeadLettered } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import type { AttemptOutcome } from './attempt-outcome.ts'

/** Stores attempts of deliveries to webhooks and of calls of merchants' addresses, and the next state of their jobs. */
export interface Attempts {
  /** Whether a job that was read after its lease is still due: an operator may have changed it in the meantime. */
  readonly isDue: (job: JobRow) => boolean
  /** Dead-letters a job, unless it was changed in the meantime. @returns the outcome of its run */
  readonly deadLetter: (job: JobRow, reason: string) => Promise<string>
  /** The job after an attempt: done, due again, or dead-lettered. */
  readonly jobAfter: (job: JobRow, attempt: AttemptOutcome) => JobRow
  /**
   * Stores an attempt with the new state of its job. If an operator or another process has changed the job in the
   * meantime, that change is kept unless the attempt succeeded.
   *
   * @throws InvariantError if each of `limits.attemptTriesMax` tries conflicts with a concurrent change; the job
   *   remains due
   */
  readonly record: (job: JobRow, to: JobRow, attempt: AttemptOutcome, startedAtMs: number) => Promise<void>
}

/** The outcome of a job whose process stopped before the response. */
export const INTERRUPTED = 'was interrupted'

export function createAttempts(
  context: Pick<DeliveryContext, 'storage' | 'clock' | 'ids' | 'counts' | 'wait'>,
): Attempts {
  const { storage, clock, ids, counts, wait } = context
  const awaitBatch = createBatcher(() => wait(limits.deliveryAttemptBatchMs))

  /**
   * Stores an attempt and the new state of its job. Writes nothing if an attempt with that number exists (duplicate),
   * or if the job has changed (changed).
   */
  async function store(from: JobRow | undefined, to: JobRow | undefined, attempt: DeliveryAttemptRow) {
    const compareAndSets = from && to ? [{ table: 'job' as const, from, to }] : []
    try {
      const rows = { delivery_attempt: [attempt] }
      return (await commitChange(context, { compareAndSets, rows })) ? 'stored' : 'changed'
    } catch (error) {
      if (error instanceof StorageError && error.kind === 'constraint') return 'duplicate'
      throw error
    }
  }

  return {
    isDue: ({ parked_at_ms, done_at_ms, due_at_ms }) =>
      parked_at_ms === null && done_at_ms === null && due_at_ms <= clock.now(),
    async deadLetter(job, reason) {
      await commitChange(context, { compareAndSets: [jobDeadLettered(job, clock.now(), reason)] })
      return `dead-lettered: ${reason}`
    },
    jobAfter(job, { verdict, error, retryAfterMs }) {
      const nowMs = clock.now()
      const attempts = job.attempts + 1
      if (verdict === 'delivered') return jobAfterAttempt(job, attempts, null, { done_at_ms: nowMs })
      const random = fractionOf(ids.random())
      const dueAtMs = verdict === 'gone' ? undefined : retryAtMs(attempts, nowMs, random, retryAfterMs)
      return jobAfterAttempt(
        job,
        attempts,
        error,
        dueAtMs === undefined ? { parked_at_ms: nowMs } : { due_at_ms: dueAtMs },
      )
    },
    async record(job, to, { verdict, durationMs, httpStatus, error, answer }, startedAtMs) {
      counts.deliveries.add(job.kind, verdict)
      counts.deliveryTimes.add(job.kind, durationMs)
      await awaitBatch()
      const rowOf = (number: number): DeliveryAttemptRow => ({
        delivery_id: job.id,
        merchant: job.merchant,
        number,
        started_at_ms: startedAtMs,
        duration_ms: Math.round(durationMs),
        http_status: httpStatus,
        error,
        answer,
      })
      const nextNumber = async () => (await storage.attemptsOf(job.id)).length + 1
      let from: JobRow | undefined = job
      let target: JobRow | undefined = to
      let number = isNew(job) ? 1 : await nextNumber()
      for (let tries = 0; tries < limits.attemptTriesMax; tries += 1) {
        const outcome = await store(from, target, rowOf(number))
        if (outcome === 'stored') return
        // A process whose lease of the job expired may have stored an attempt of its own.
        number = await nextNumber()
        if (outcome === 'duplicate') continue
        // An operator's change of the job is kept, unless the delivery has succeeded.
        from = to.done_at_ms === null ? undefined : await storage.job(job.id)
        target = from && {
          ...from,
          done_at_ms: to.done_at_ms,
          parked_at_ms: null,
          last_error: null,
          held_until_ms: null,
        }
      }
      throw new InvariantError('attempt conflicted with a concurrent change at every try', job.id)
    },
  }
}

/**
 * Creates a function whose callers in a short period share one promise, so that their rows share a commit. Only jobs
 * call the function; no request waits for it.
 */
function createBatcher(period: () => Promise<unknown>): () => Promise<void> {
  let next: Promise<void> | undefined
  const begin = async () => {
    await period()
    next = undefined
  }
  return () => (next ??= begin())
}

/**
 * The job after an attempt. All members are listed, because a spread of `job` would cost more than the rest of the
 * function.
 */
const jobAfterAttempt = (job: JobRow, attempts: number, error: string | null, changes: Partial<JobRow>): JobRow => ({
  id: job.id,
  merchant: job.merchant,
  kind: job.kind,
  lane: job.lane,
  subject_id: job.subject_id,
  due_at_ms: changes.due_at_ms ?? job.due_at_ms,
  attempts,
  parked_at_ms: changes.parked_at_ms ?? job.parked_at_ms,
  done_at_ms: changes.done_at_ms ?? job.done_at_ms,
  last_error: error,
  held_until_ms: null,
  created_at_ms: job.created_at_ms,
  line: job.line,
  line_place: job.line_place,
})

/**
 * Whether a job has no attempt by its row, so that its attempts need not be read. If another process has stored an
 * attempt in the meantime, `store` returns `duplicate`.
 */
const isNew = ({ attempts, last_error, due_at_ms, created_at_ms }: JobRow): boolean =>
  attempts === 0 && last_error === null && due_at_ms === created_at_ms

/** A number from 0 to 1, from the digits of a random id. */
const fractionOf = (id: string): number => Number.parseInt(id.slice(0, 12), 16) / 0xffff_ffff_ffff
