import { setMaxListeners } from 'node:events'
import type { JobRow, Storage } from '@tollgate/storage'
import type { MovableClock } from './clock/movable-clock.ts'
import {
  commitChange,
  type Counter,
  errorFields,
  type Ids,
  jobDeadLettered,
  jobDue,
  type JobKind,
  jobReleased,
  type Log,
} from '@tollgate/operations'
import { limits } from '../limits.ts'
import { CLOCK_OFFSET } from './clock/stored-clock.ts'
import { type EventLoop, nodeEventLoop } from './event-loop.ts'

/** A job that ran during a fast-forward. */
export interface FastForwardEntry {
  readonly atMs: number
  readonly kind: string
  readonly subjectId: string
  readonly outcome: string
}

/** The time that the clock has reached, and the jobs that ran. */
export interface FastForwardReport {
  readonly atMs: number
  /** false if the fast-forward ended early, at a bound or at a stop. */
  readonly isComplete: boolean
  readonly entries: readonly FastForwardEntry[]
}

/** Runs jobs when they are due. */
export interface JobRunner {
  kinds(): readonly JobKind[]
  /**
   * Runs jobs from now on as they become due. A queue is polled when notified, when a job of it ends, and every
   * `limits.workerTickMs`.
   */
  start(): void
  /** Polls a queue now, because a due job was added to it. */
  notify(kind: string, queue: string): void
  /**
   * Advances the clock to a time and runs the jobs that become due, one by one in the order of their due times, also
   * before `start`. Fast-forwards run one at a time, and other jobs wait for their end.
   */
  fastForward(toMs: number): Promise<FastForwardReport>
  /** Begins no further job, and resolves when the jobs in progress have ended. */
  stop(): Promise<void>
}

interface Parts {
  readonly storage: Storage
  readonly clock: MovableClock
  readonly ids: Ids
  readonly log: Log
  /** Runs of jobs, by kind and outcome. */
  readonly jobRuns: Counter
}

/** A queue in this process. */
interface Queue {
  readonly kind: JobKind
  readonly name: string
  /** The jobs in flight, by id. */
  readonly running: Set<string>
  /** Leased jobs that have not begun, and the monotonic time of the last lease. */
  waiting: JobRow[]
  leasedAtMs: number
  /** Whether jobs of the queue are being read, and whether they must be read again afterwards. */
  reading: 'no' | 'yes' | 'again'
  isPollPlanned: boolean
}

/** @param kindsOf called on first use */
export function createJobRunner(
  kindsOf: () => readonly JobKind[],
  parts: Parts,
  eventLoop: EventLoop = nodeEventLoop,
): JobRunner {
  const { storage, clock } = parts
  const { now, later, wait } = eventLoop
  const queues = new Map<string, Queue>()
  const kinds = once(kindsOf)
  const stopping = new AbortController()
  // Each job in flight may add a listener. Node.js would warn of a leak, although the concurrency of the kinds bounds
  // the number of listeners.
  setMaxListeners(0, stopping.signal)
  const inFlight = new Set<Promise<unknown>>()
  let fastForwarding: Promise<unknown> | undefined
  let isStarted = false
  let polling: Promise<void> | undefined

  function queueOf(kind: JobKind, name: string): Queue {
    const key = keyOf(kind, name)
    const existing = queues.get(key)
    if (existing) return existing
    const queue: Queue = {
      kind,
      name,
      running: new Set(),
      waiting: [],
      leasedAtMs: 0,
      reading: 'no',
      isPollPlanned: false,
    }
    queues.set(key, queue)
    return queue
  }

  const logError = (error: unknown): void => parts.log.error({ worker: 'job runner', ...errorFields(error) })

  let isStorageDown = false

  /** Awaits a read of jobs. After a failure the next tick reads again; an outage of the storage is logged once. */
  async function awaitRead(work: Promise<void>): Promise<void> {
    try {
      await work
      isStorageDown = false
    } catch (error) {
      if (!isStorageDown) logError(error)
      isStorageDown = true
    }
  }

  /** Tracks `work` until it has ended, so that `stop` waits for it. */
  function track(work: Promise<unknown>): void {
    const tracked = work.catch(logError).finally(() => inFlight.delete(tracked))
    inFlight.add(tracked)
  }

  const mayBegin = () => isStarted && !fastForwarding && !stopping.signal.aborted

  /**
   * Polls a queue once after this turn of the event loop, however often it is notified in the turn: payments and
   * deliveries complete in batches.
   */
  function poll(queue: Queue): void {
    if (queue.isPollPlanned) return
    queue.isPollPlanned = true
    later(() => {
      queue.isPollPlanned = false
      drain(queue)
    })
  }

  /** Releases leased jobs, so that peers can lease them. The compare-and-set skips jobs that have changed since. */
  async function release(jobs: readonly JobRow[]): Promise<void> {
    const leased = jobs.filter(({ held_until_ms }) => held_until_ms !== null)
    await Promise.allSettled(leased.map((job) => commitChange(parts, { compareAndSets: [jobReleased(job)] })))
  }

  /** Begins jobs of a queue up to its concurrency, and leases more when none is waiting. */
  function drain(queue: Queue): void {
    if (!mayBegin()) return
    // Waiting jobs are released after half of their lease, because a run could outlast the rest of it.
    if (now() - queue.leasedAtMs > limits.jobLeaseMs / 2) track(release(queue.waiting.splice(0)))
    while (queue.running.size < queue.kind.concurrency(queue.name)) {
      const job = queue.waiting.shift()
      if (!job) return track(awaitRead(read(queue)))
      queue.running.add(job.id)
      track(runIn(queue, job))
    }
  }

  async function runIn(queue: Queue, job: JobRow): Promise<void> {
    try {
      await runJob(queue.kind, job, parts, stopping.signal)
    } finally {
      queue.running.delete(job.id)
      if (stopping.signal.aborted) await release([job])
    }
    // After a throw, which means that the failure of the job could not be stored, the queue is not polled before the
    // next tick: the job is still due, and would run again at once.
    if (queue.waiting.length > 0) drain(queue)
    else poll(queue)
  }

  /** Leases due jobs. Jobs in flight are also due until they have ended, so they are left out. */
  async function read(queue: Queue): Promise<void> {
    if (queue.reading !== 'no') {
      queue.reading = 'again'
      return
    }
    try {
      do {
        queue.reading = 'yes'
        const max = limits.jobsPage + queue.running.size
        queue.leasedAtMs = now()
        const leased = await storage.leaseJobs(queue.kind.name, queue.name, clock.now(), max, limits.jobLeaseMs)
        const waiting = new Map([...queue.waiting, ...leased].map((job) => [job.id, job]))
        queue.waiting = [...waiting.values()].filter(({ id }) => !queue.running.has(id))
        // A job that became due again during its run is released now, and leased again after that run.
        track(release(leased.filter(({ id }) => queue.running.has(id))))
      } while (mustReadAgain(queue))
    } finally {
      queue.reading = 'no'
    }
    if (queue.waiting.length > 0) drain(queue)
  }

  /** Polls only the queues with due jobs, because most queues have none. */
  async function pollAll(): Promise<void> {
    if (!mayBegin()) return
    const all = kinds().flatMap((kind) => Array.from(kind.queues(), (name) => queueOf(kind, name)))
    const names = all.map(({ kind, name }) => [kind.name, name] as const)
    const due = new Set((await storage.dueQueues(names, clock.now())).map((name) => name.join('|')))
    for (const queue of all) if (queue.waiting.length > 0 || due.has(keyOf(queue.kind, queue.name))) drain(queue)
  }

  async function pollPeriodically(): Promise<void> {
    while (!stopping.signal.aborted) {
      await awaitRead(pollAll())
      await wait(limits.workerTickMs, stopping.signal)
    }
  }

  const waitForJobs = async () => {
    while (inFlight.size > 0) await Promise.all(inFlight)
  }

  async function runFastForward(toMs: number): Promise<FastForwardReport> {
    await waitForJobs()
    const entries: FastForwardEntry[] = []
    const endsAtMs = now() + limits.fastForwardTimeoutMs
    while (entries.length < limits.fastForwardJobsMax && now() < endsAtMs && !stopping.signal.aborted) {
      const next = await earliestQueue(kinds(), storage)
      if (!next || next.dueAtMs > toMs) {
        await moveClock(toMs, parts)
        return { atMs: clock.now(), isComplete: true, entries }
      }
      await moveClock(next.dueAtMs, parts)
      // Jobs that this process has already leased cannot be leased again, so they are run first.
      const { waiting } = queueOf(next.kind, next.queue)
      const lease = () => storage.leaseJobs(next.kind.name, next.queue, clock.now(), 1, limits.jobLeaseMs)
      const job = waiting.shift() ?? (await lease())[0]
      if (stopping.signal.aborted) {
        if (job) await release([job])
        break
      }
      if (!job) {
        // A peer has leased the job.
        await wait(limits.fastForwardPollMs, stopping.signal)
        continue
      }
      const atMs = clock.now()
      const outcome = await runJob(next.kind, job, parts, stopping.signal)
      entries.push({ atMs, kind: next.kind.name, subjectId: job.subject_id, outcome })
    }
    return { atMs: clock.now(), isComplete: false, entries }
  }

  return {
    kinds,
    start() {
      isStarted = true
      polling ??= pollPeriodically()
    },
    notify(kindName, queueName) {
      const kind = kinds().find(({ name }) => name === kindName)
      if (kind) poll(queueOf(kind, queueName))
    },
    async fastForward(toMs) {
      while (fastForwarding) await fastForwarding.catch(() => undefined)
      const running = runFastForward(toMs)
      fastForwarding = running
      try {
        return await running
      } finally {
        fastForwarding = undefined
        for (const queue of queues.values()) drain(queue)
      }
    },
    async stop() {
      stopping.abort()
      await Promise.all([polling, waitForJobs(), fastForwarding?.catch(() => undefined)])
      await release([...queues.values()].flatMap(({ waiting }) => waiting))
    },
  }
}

const keyOf = ({ name: kind }: JobKind, queue: string): string => `${kind}|${queue}`

async function moveClock(atMs: number, parts: Parts): Promise<void> {
  const { clock } = parts
  if (atMs <= clock.now()) return
  clock.moveTo(atMs)
  const row = { name: CLOCK_OFFSET, value: String(clock.offsetMs()) }
  await commitChange(parts, { rows: { installation: [row] } })
}

function once<T>(make: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => (result ??= { value: make() }).value
}

function mustReadAgain(queue: Queue): boolean {
  return queue.reading === 'again'
}

/** Finds the queue whose next job is due first. */
async function earliestQueue(kinds: readonly JobKind[], storage: Storage) {
  let earliest: { readonly kind: JobKind; readonly queue: string; readonly dueAtMs: number } | undefined
  for (const kind of kinds.filter(({ isFastForwarded }) => isFastForwarded !== false)) {
    for (const queue of kind.queues()) {
      const dueAtMs = await storage.nextDue(kind.name, queue)
      if (dueAtMs !== undefined && (!earliest || dueAtMs < earliest.dueAtMs)) earliest = { kind, queue, dueAtMs }
    }
  }
  return earliest
}

/** Runs a job. After an error it is postponed, and dead-lettered after `limits.jobAttempts`. */
async function runJob(kind: JobKind, job: JobRow, parts: Parts, signal: AbortSignal): Promise<string> {
  const { clock, log, jobRuns } = parts
  try {
    const outcome = await kind.run(job, signal)
    jobRuns.add(kind.name, 'ended')
    return outcome
  } catch (error) {
    jobRuns.add(kind.name, 'threw')
    const failure = errorFields(error)
    log.error({ job: kind.name, id: job.id, subject: job.subject_id, ...failure })
    const attempts = job.attempts + 1
    const isLast = attempts >= limits.jobAttempts
    const nowMs = clock.now()
    const waitMs = limits.jobRetryMs * 2 ** Math.min(attempts - 1, limits.jobDoublings)
    const change = isLast
      ? jobDeadLettered(job, nowMs, failure.error, attempts)
      : jobDue(job, nowMs + waitMs, { attempts, lastError: failure.error })
    await commitChange(parts, { compareAndSets: [change] })
    return isLast ? `dead-lettered: ${failure.error}` : `failed: ${failure.error}`
  }
}
