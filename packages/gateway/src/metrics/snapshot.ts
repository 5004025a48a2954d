import { breakerAllows } from '@tollgate/domain'
import type { Storage, StorageTotals } from '@tollgate/storage'
import { type Clock, DELIVERY, NOTIFICATION, REVERSAL_JOB, type Webhooks } from '@tollgate/operations'
import { type Lag, lagsOf } from '../runtime/job-lag.ts'
import type { JobRunner } from '../runtime/job-runner.ts'
import { limits } from '../limits.ts'
import type { PageIntegrity } from '../page-integrity/page-integrity.ts'
import type { Counts } from './counts.ts'

/** The values of all metrics at one time. */
export interface MetricsSnapshot {
  readonly atMs: number
  readonly counts: Counts
  readonly storage: StorageTotals
  /** Whether there is a connection to the database. */
  readonly isReachable: boolean
  /** Units of work whose commit is not complete. */
  readonly commitDepth: number
  readonly lags: readonly Lag[]
  /** Dead-lettered jobs of each kind, counted up to `limits.countedJobs` in all. */
  readonly deadLettered: ReadonlyMap<string, number>
  /**
   * Creation time of the oldest delivery of each kind that is neither delivered nor dead-lettered, in epoch
   * milliseconds; undefined if there is none.
   */
  readonly undelivered: ReadonlyMap<string, number | undefined>
  /** Messages to acquirers without an outcome, counted up to `limits.countedJobs`; undefined without the database. */
  readonly openMessages: number | undefined
  /** Webhooks that are paused, or probed after a pause. */
  readonly breakersOpen: number
  readonly pageIntegrity: PageIntegrity
  /** Expiry of the listeners' certificate, epoch milliseconds; undefined if TLS is off. */
  readonly certificateExpiresAtMs: number | undefined
}

export interface Parts {
  readonly storage: Storage
  readonly clock: Clock
  readonly counts: Counts
  readonly webhooks: Pick<Webhooks, 'all' | 'breakerOf'>
  readonly jobs: Pick<JobRunner, 'kinds'>
  readonly pageIntegrity: PageIntegrity
  readonly tls: { expiresAtMs(): number } | undefined
}

export async function takeSnapshot(parts: Parts): Promise<MetricsSnapshot> {
  const { storage, clock, counts, webhooks, pageIntegrity, tls } = parts
  const atMs = clock.now()
  const isReachable = storage.isReachable()
  return {
    atMs,
    counts,
    pageIntegrity,
    isReachable,
    storage: storage.totals(),
    commitDepth: storage.depth(),
    certificateExpiresAtMs: tls?.expiresAtMs(),
    breakersOpen: webhooks.all().filter(({ id }) => breakerAllows(webhooks.breakerOf(id), atMs) !== 'all').length,
    ...(isReachable ? await storedValues(parts) : noStoredValues),
  }
}

const noStoredValues = {
  lags: [],
  deadLettered: new Map<string, number>(),
  undelivered: new Map<string, undefined>(),
  openMessages: undefined,
}

/** Reads the values from the database. A scrape reports an unavailable database and does not wait for it. */
async function storedValues(parts: Parts): Promise<Pick<MetricsSnapshot, keyof typeof noStoredValues>> {
  const { storage, jobs } = parts
  const deadLettered = new Map(jobs.kinds().map(({ name }) => [name, 0]))
  for (const row of await storage.countDeadLettered(limits.countedJobs)) deadLettered.set(row.kind, row.jobs)
  const undelivered = new Map<string, number | undefined>()
  for (const { name, queues } of jobs.kinds()) {
    if (name === DELIVERY || name === NOTIFICATION)
      undelivered.set(name, await oldestCreatedAtMs(storage, name, queues()))
  }
  const openMessages = await storage.countDue(REVERSAL_JOB, '', Number.MAX_SAFE_INTEGER, limits.countedJobs)
  return { lags: await lagsOf(parts), deadLettered, undelivered, openMessages }
}

/**
 * Creation time of the oldest waiting job, among the first `limits.countedJobs` jobs of each queue by due time. The
 * first twelve hexadecimal digits of an id are its creation time.
 */
async function oldestCreatedAtMs(
  storage: Storage,
  kind: string,
  queues: Iterable<string>,
): Promise<number | undefined> {
  let oldestId: string | undefined
  for (const queue of queues) {
    const id = await storage.oldestWaiting(kind, queue, limits.countedJobs)
    if (id !== undefined && (oldestId === undefined || id < oldestId)) oldestId = id
  }
  return oldestId === undefined ? undefined : Number.parseInt(oldestId.slice(0, 12), 16)
}
