import { createHash } from 'node:crypto'
import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import { memoryDisk, type Unit } from '@tollgate/storage'
import { generateKeyRing, openVault } from '@tollgate/vault'
import { type Random, randomOf } from '../support/random.ts'
import { createAcquirer } from './acquirer.ts'
import { calm, type Climate, climateOf } from './climate.ts'
import { createDisk } from './disk.ts'
import { heal } from './endpoints.ts'
import { bytesOf, CLOCKS_APART_MS, createInstance, type Instance } from './instance.ts'
import { endpointsIn, settingUp } from './merchants.ts'
import { honest, type Ports, type Tools } from './ports.ts'
import { Broken, createPromises } from './promises.ts'
import { createSchedule, type Schedule, world } from './schedule.ts'
import { openShops } from './shops.ts'

/** The result of a seed. */
export interface Run {
  readonly seed: number
  readonly steps: number
  /** The promise that the last step broke; undefined if none. */
  readonly broken: string | undefined
  readonly log: readonly string[]
  /** The same seed, the same digest of its log. */
  readonly digest: string
}

/** 2026-05-04 03:02:01 UTC, a Monday. */
const START_MS = Date.UTC(2026, 4, 4, 3, 2, 1)

/** A simulation with more steps does not end by itself. */
const STEPS_MAX = 60_000
/** Every so many steps all rows are checked, beside those that changed. */
const WHOLE_EVERY = 500
/** How long a due job may wait: for the lease of a process that crashed, and for a send. */
const BESIDE_MS = 125_000
/** How long the simulation may take to have no work left: longer than a crashed process leases a job. */
const REST_MS = 200_000
/** While shops may send again, clocks jump by less than the lifetime of an Idempotency-Key. */
const JUMPS_MAX_MS = 5 * DAY_MS
/** The jumps of the clock at the end, for later jobs: retries, then expiries of holds. */
const aftermath = [2, 45, 600, 2 * 1_440, 6 * 1_440].map((minutes) => minutes * MINUTE_MS)

/** How long a payment is unknown at most after its acquirer can be reached again. */
const KNOWN_AFTER_MS = 30 * MINUTE_MS
/** How long a timeout reversal takes at most. */
const ENDING_MS = 6_000
/** The interval at which every worker polls for due jobs. */
const REST_AFTER_JUMP_MS = 1_100

/** The keys of every simulation. */
const ring = generateKeyRing(bytesOf(randomOf(0, 0)))

/** Changes to the simulation of a seed. */
export interface Change {
  /** A layer between the gateway and its ports. */
  readonly ports: (tools: Tools) => Ports
  readonly climate?: Partial<Climate>
}

/** Runs the simulation of a seed to its end, or until a promise is broken. All random values come from the seed. */
export async function simulate(seed: number, change: Change = { ports: () => honest }): Promise<Run> {
  const random = randomOf(seed, 0)
  const climate = { ...climateOf(random), ...change.climate }
  const log: string[] = []
  const note = (line: string) => void log.push(`${schedule.steps()} ${schedule.nowMs()} ${line}`)
  const schedule: Schedule = createSchedule(random, note)
  note(JSON.stringify(climate))
  const problem: { what?: string } = {}
  const defect = (what: string) => void (problem.what ??= what)
  try {
    await play({ seed, random, climate, schedule, note, defect, problem, portsOf: change.ports })
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    problem.what ??= error.message
  }
  if (problem.what !== undefined) note(`BROKEN: ${problem.what}`)
  const digest = createHash('sha256').update(log.join('\n')).digest('hex')
  return { seed, steps: schedule.steps(), broken: problem.what, log, digest }
}

interface Parts {
  readonly seed: number
  readonly random: Random
  readonly climate: Climate
  readonly schedule: Schedule
  readonly note: (line: string) => void
  readonly defect: (what: string) => void
  readonly problem: { readonly what?: string }
  readonly portsOf: (tools: Tools) => Ports
}

async function play({ seed, random, climate, schedule, note, defect, problem, portsOf }: Parts): Promise<void> {
  let jumpedMs = 0
  const wallMs = () => START_MS + schedule.nowMs() + jumpedMs
  const rows = memoryDisk()
  const disk = createDisk({
    rows,
    schedule,
    random,
    faults: climate.faults,
    wallMs,
    written(unit) {
      note(`unit ${unit.id}: ${contentsOf(unit)}`)
      attempt(() => promises.written(unit))
      if (random.chance(climate.crashAfterWrite)) random.pick(instances).crash()
    },
    constrained(unit, why) {
      // Of two processes that store an attempt at the same time one takes the next number.
      if (!unit.rows.delivery_attempt?.length) defect(`unit ${unit.id}: ${why}`)
    },
    doubted(owner) {
      // Without other writers an unknown commit ends the process, and the next one reads the stored rows.
      const instance = instances.find(({ owns }) => owns(owner))
      if (instance && !climate.isShared) instance.crash()
    },
  })
  const acquirer = climate.acquirer && createAcquirer({ schedule, random, faults: climate.acquirer, note, defect })
  const promises = createPromises(disk, acquirer)
  const endpoints = endpointsIn(climate.moods)
  const ports = portsOf({ schedule, random, disk })
  const instances: readonly Instance[] = Array.from({ length: climate.isShared ? 2 : 1 }, (_, index) =>
    createInstance(index, {
      seed,
      schedule,
      random,
      disk,
      ring,
      endpoints,
      acquirer,
      wallMs,
      isShared: climate.isShared,
      ports,
      note,
      defect,
    }),
  )

  /** A broken promise that is found within a step is reported at its end. */
  function attempt(check: () => void): void {
    try {
      check()
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      defect(error.message)
    }
  }

  async function step(): Promise<void> {
    if (!(await schedule.step())) throw new Broken('no event is left')
    if (schedule.steps() > STEPS_MAX) throw new Broken('the world does not come to rest')
    promises.changed()
    if (schedule.steps() % WHOLE_EVERY === 0) promises.whole()
    if (problem.what !== undefined) throw new Broken(problem.what)
  }

  /** Runs steps until the condition holds. */
  async function until(holds: () => boolean, withinMs: number, what: () => string): Promise<void> {
    const endsAtMs = schedule.nowMs() + withinMs
    while (!holds()) {
      if (schedule.nowMs() > endsAtMs) throw new Broken(what())
      await step()
    }
  }

  await disk.direct.commit(await settingUp(openVault(ring, bytesOf(random)), START_MS))
  for (const instance of instances) instance.start()
  const shops = openShops({ random, climate, schedule, note, defect, promises, instances, attempt })
  for (let left = climate.crashes; left > 0; left -= 1) {
    schedule.after(500 + random.below(10_000), world, '', () => {
      if (!isCalm) random.pick(instances).crash()
    })
  }
  for (let left = climate.jumps; left > 0; left -= 1) {
    schedule.after(500 + random.below(10_000), world, '', () => {
      const ms = random.pick([1, 10, 60, 60, 360, 1_440]) * MINUTE_MS
      if (!isCalm && jumpedMs + ms < JUMPS_MAX_MS) jump(ms)
    })
  }
  let isCalm = false
  function jump(ms: number): void {
    jumpedMs += ms
    note(`clocks jump by ${ms / MINUTE_MS} minutes`)
  }

  await until(
    () => shops.drawn() >= climate.wishes,
    REST_MS,
    () => 'shops do not get on',
  )

  // From here on there are no faults: all work that was begun has to end.
  isCalm = true
  note('calm')
  calm(climate)
  await until(
    () => shops.open() === 0,
    REST_MS,
    () => `${shops.open()} wishes have no answer`,
  )
  await until(
    () => instances.every(({ gateway }) => gateway() !== undefined),
    REST_MS,
    () => 'an instance does not start',
  )
  for (const endpoint of endpoints.values()) if (endpoint.mood !== 'dead' && endpoint.mood !== 'gone') heal(endpoint)
  const late = () => promises.overdue(endpoints.values(), wallMs() + CLOCKS_APART_MS)
  await until(
    () => late().length === 0,
    BESIDE_MS,
    () => `${late().join(', ')} late, beside endpoints that do not answer`,
  )
  if (random.chance(0.8)) for (const endpoint of endpoints.values()) if (endpoint.mood === 'dead') heal(endpoint)

  const calmSinceMs = wallMs()
  /** The time since which no job was overdue. */
  let quietSinceMs = 0
  /** A jump would make the jobs in progress due again, and another process would lease them, each time. */
  const endingMs = () => (promises.unknown(calmSinceMs).length > 0 ? ENDING_MS : 0)
  for (const ms of aftermath) {
    jump(ms)
    quietSinceMs = schedule.nowMs()
    // No circuit breaker stays open for hours.
    if (ms > 60 * MINUTE_MS) for (const endpoint of endpoints.values()) endpoint.isSteady = true
    const restedAtMs = schedule.nowMs() + REST_AFTER_JUMP_MS
    await until(
      () => {
        if (late().length > 0) quietSinceMs = schedule.nowMs()
        return schedule.nowMs() >= restedAtMs && late().length === 0 && schedule.nowMs() - quietSinceMs >= endingMs()
      },
      REST_MS,
      () => `${late().join(', ')} late`,
    )
    const unknown = wallMs() - calmSinceMs > KNOWN_AFTER_MS ? promises.unknown(calmSinceMs) : []
    if (unknown.length > 0) throw new Broken(`the outcome is unknown of ${unknown.join(', ')}`)
  }
  promises.atRest(endpoints.values(), wallMs())
}

/** The rows of a unit by table. */
const contentsOf = ({ rows }: Unit): string =>
  Object.entries(rows)
    .flatMap(([table, added]) => (added?.length ? [`${added.length} ${table}`] : []))
    .join(', ')
