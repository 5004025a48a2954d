import { setMaxListeners } from 'node:events'
import type { JobRow, Storage, Swap } from '@tollgate/storage'
import type { MovableClock } from './clock/movable-clock.ts'
import type { Counter, Ids, JobKind, Log } from '@tollgate/operations'
import { limits } from '../limits.ts'
import { CLOCK_AHEAD } from './clock/stored-clock.ts'
import { machine, type World } from './event-loop.ts'

/** What was done while the clock was put forward. */
export interface Happened {
  readonly atMs: number
  readonly kind: string
  readonly subjectId: string
  readonly outcome: string
}

/** How far the clock got, and what was done on the way; `isThere` unless there was too much to do. */
export interface Journey {
  readonly atMs: number
  readonly isThere: boolean
  readonly happened: readonly Happened[]
}

/** Does every job at its time. */
export interface Jobs {
  /** Every kind that there is. */
  kinds(): readonly JobKind[]
  /**
   * From now on jobs are done as they fall due. A lane is looked at when it is nudged, when a job of it ends, and every
   * `limits.workerTickMs`.
   */
  start(): void
  /** Looks at a lane now, because a job was added to it that is due. */
  nudge(kind: string, lane: string): void
  /**
   * Puts the clock forward to a moment and does what falls due on the way, one after the other in the order of the
   * times, whether started or not. One journey at a time; what falls due by itself waits for its end.
   */
  travel(toMs: number): Promise<Journey>
  /** Begins nothing any more, and resolves when what is under way has ended. */
  stop(): Promise<void>
}

interface Parts {
  readonly storage: Storage
  readonly clock: MovableClock
  readonly ids: Ids
  readonly log: Log
  /** kind, and whether it threw */
  readonly jobRuns: Counter
}

/** A lane at work. */
interface Lane {
  readonly kind: JobKind
  readonly name: string
  /** The jobs under way, by id. */
  readonly running: Set<string>
  /** Jobs that were taken and have not begun, and when they were taken, by the time of the world. */
  waiting: JobRow[]
  takenAt: number
  /** Whether it is being read, and whether it has to be read again then. */
  reading: 'no' | 'yes' | 'again'
  /** Whether it is to be looked at in a moment, however often it was nudged. */
  isNudged: boolean
}

/** @param kindsOf called when they are needed first */
export function createJobs(kindsOf: () => readonly JobKind[], parts: Parts, world: World = machine): Jobs {
  const { storage, clock } = parts
  const { now, later, wait } = world
  const lanes = new Map<string, Lane>()
  const kinds = once(kindsOf)
  const stopping = new AbortController()
  // As many listen as there are jobs under way, which the kinds bound.
  setMaxListeners(0, stopping.signal)
  const underWay = new Set<Promise<unknown>>()
  let journey: Promise<unknown> | undefined
  let isStarted = false
  let ticking: Promise<void> | undefined

  function laneOf(kind: JobKind, name: string): Lane {
    const key = keyOf(kind, name)
    const known = lanes.get(key)
    if (known) return known
    const lane: Lane = { kind, name, running: new Set(), waiting: [], takenAt: 0, reading: 'no', isNudged: false }
    lanes.set(key, lane)
    return lane
  }

  /** Keeps `work` in sight until it has ended, so that nobody stops before it. */
  function follow(work: Promise<unknown>): void {
    const followed = work.catch(() => undefined).finally(() => underWay.delete(followed))
    underWay.add(followed)
  }

  const mayBegin = () => isStarted && !journey && !stopping.signal.aborted

  /** Looks at a lane once this turn of the event loop has ended: payments and deliveries end by the batch. */
  function look(lane: Lane): void {
    if (lane.isNudged) return
    lane.isNudged = true
    later(() => {
      lane.isNudged = false
      pump(lane)
    })
  }

  /** Others need not wait for what this process takes and does not end; what it has ended is not as it was taken. */
  async function letGo(taken: readonly JobRow[]): Promise<void> {
    const held = taken.filter(({ held_until_ms }) => held_until_ms !== null)
    const free = (from: JobRow): Swap => ({ table: 'job', from, to: { ...from, held_until_ms: null } })
    await Promise.allSettled(
      held.map((from) => storage.commit({ id: parts.ids.ordered(), guards: [], swaps: [free(from)], rows: {} })),
    )
  }

  /** Begins what may begin in a lane, and reads on when nothing waits. */
  function pump(lane: Lane): void {
    if (!mayBegin()) return
    // What does not begin in time to end while it is held is left to others.
    if (now() - lane.takenAt > limits.jobHoldMs / 2) follow(letGo(lane.waiting.splice(0)))
    while (lane.running.size < lane.kind.together(lane.name)) {
      const job = lane.waiting.shift()
      if (!job) return follow(read(lane))
      lane.running.add(job.id)
      follow(runIn(lane, job))
    }
  }

  async function runIn(lane: Lane, job: JobRow): Promise<void> {
    try {
      await runJob(lane.kind, job, parts, stopping.signal)
    } finally {
      lane.running.delete(job.id)
      if (stopping.signal.aborted) await letGo([job])
    }
    // Where not even a failure can be stored the job is still due: with the next tick then, rather than over and over.
    if (lane.waiting.length > 0) pump(lane)
    else look(lane)
  }

  /** Reads what is due; those under way are due too until they have ended. */
  async function read(lane: Lane): Promise<void> {
    if (lane.reading !== 'no') {
      lane.reading = 'again'
      return
    }
    try {
      do {
        lane.reading = 'yes'
        const max = limits.jobsPage + lane.running.size
        lane.takenAt = now()
        const taken = await storage.takeJobs(lane.kind.name, lane.name, clock.now(), max, limits.jobHoldMs)
        const waiting = new Map([...lane.waiting, ...taken].map((job) => [job.id, job]))
        lane.waiting = [...waiting.values()].filter(({ id }) => !lane.running.has(id))
        // A job that made itself due again as it ended: it is taken once more when it has.
        follow(letGo(taken.filter(({ id }) => lane.running.has(id))))
      } while (again(lane))
    } finally {
      lane.reading = 'no'
    }
    if (lane.waiting.length > 0) pump(lane)
  }

  /** Begins what is due in any lane: of most lanes there is nothing to be read. */
  async function lookAround(): Promise<void> {
    if (!mayBegin()) return
    const all = kinds().flatMap((kind) => Array.from(kind.lanes(), (name) => laneOf(kind, name)))
    const names = all.map(({ kind, name }) => [kind.name, name] as const)
    const due = new Set((await storage.dueLanes(names, clock.now())).map((name) => name.join('|')))
    for (const lane of all) if (lane.waiting.length > 0 || due.has(keyOf(lane.kind, lane.name))) pump(lane)
  }

  async function tick(): Promise<void> {
    while (!stopping.signal.aborted) {
      // What cannot be read now is read with the next tick.
      await lookAround().catch(() => undefined)
      await wait(limits.workerTickMs, stopping.signal)
    }
  }

  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay)
  }

  async function go(toMs: number): Promise<Journey> {
    await settled()
    const happened: Happened[] = []
    const endsAtMs = now() + limits.journeyMs
    while (happened.length < limits.journeyJobs && now() < endsAtMs && !stopping.signal.aborted) {
      const next = await earliest(kinds(), storage)
      if (!next || next.dueAtMs > toMs) {
        await moveClock(toMs, parts)
        return { atMs: clock.now(), isThere: true, happened }
      }
      await moveClock(next.dueAtMs, parts)
      // Those that this process holds already nobody can take.
      const { waiting } = laneOf(next.kind, next.lane)
      const take = () => storage.takeJobs(next.kind.name, next.lane, clock.now(), 1, limits.jobHoldMs)
      const job = waiting.shift() ?? (await take())[0]
      if (!job) {
        // Another process is at it.
        await wait(limits.journeyWaitMs, stopping.signal)
        continue
      }
      const atMs = clock.now()
      const outcome = await runJob(next.kind, job, parts, stopping.signal)
      happened.push({ atMs, kind: next.kind.name, subjectId: job.subject_id, outcome })
    }
    return { atMs: clock.now(), isThere: false, happened }
  }

  return {
    kinds,
    start() {
      isStarted = true
      ticking ??= tick()
    },
    nudge(kindName, laneName) {
      const kind = kinds().find(({ name }) => name === kindName)
      if (kind) look(laneOf(kind, laneName))
    },
    async travel(toMs) {
      while (journey) await journey.catch(() => undefined)
      const going = go(toMs)
      journey = going
      try {
        return await going
      } finally {
        journey = undefined
        for (const lane of lanes.values()) pump(lane)
      }
    },
    async stop() {
      stopping.abort()
      await Promise.all([ticking, settled(), journey?.catch(() => undefined)])
      await letGo([...lanes.values()].flatMap(({ waiting }) => waiting))
    },
  }
}

const keyOf = ({ name: kind }: JobKind, lane: string): string => `${kind}|${lane}`

async function moveClock(atMs: number, { storage, clock, ids }: Parts): Promise<void> {
  if (atMs <= clock.now()) return
  clock.moveTo(atMs)
  const row = { name: CLOCK_AHEAD, value: String(clock.ahead()) }
  await storage.commit({ id: ids.ordered(), guards: [], rows: { installation: [row] } })
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

function again(lane: Lane): boolean {
  return lane.reading === 'again'
}

/** The lane whose next job comes first. */
async function earliest(kinds: readonly JobKind[], storage: Storage) {
  let first: { readonly kind: JobKind; readonly lane: string; readonly dueAtMs: number } | undefined
  for (const kind of kinds) {
    for (const lane of kind.lanes()) {
      const dueAtMs = await storage.nextDue(kind.name, lane)
      if (dueAtMs !== undefined && (!first || dueAtMs < first.dueAtMs)) first = { kind, lane, dueAtMs }
    }
  }
  return first
}

/** Runs a job; what it throws postpones it, and parks it once it was tried often enough. */
async function runJob(kind: JobKind, job: JobRow, { storage, clock, ids, log, jobRuns }: Parts, signal: AbortSignal) {
  try {
    const outcome = await kind.run(job, signal)
    jobRuns.add(kind.name, 'ended')
    return outcome
  } catch (error) {
    jobRuns.add(kind.name, 'threw')
    const name = error instanceof Error ? error.name : 'Error'
    log.error({ job: kind.name, id: job.id, subject: job.subject_id, error: name })
    const attempts = job.attempts + 1
    const isLast = attempts >= limits.jobAttempts
    const to: JobRow = {
      ...job,
      attempts,
      due_at_ms: clock.now() + limits.jobRetryMs * 2 ** Math.min(attempts - 1, limits.jobDoublings),
      parked_at_ms: isLast ? clock.now() : null,
      last_error: name,
      held_until_ms: null,
    }
    await storage.commit({ id: ids.ordered(), guards: [], swaps: [{ table: 'job', from: job, to }], rows: {} })
    return isLast ? `given up: ${name}` : `failed: ${name}`
  }
}
