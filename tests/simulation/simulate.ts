import { createHash } from 'node:crypto'
import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import { memoryDisk, type Unit } from '@tollgate/storage'
import { generateKeyRing, openVault } from '@tollgate/vault'
import { type Random, randomOf } from '../support/random.ts'
import { createAcquirer } from './acquirer.ts'
import { drawConfig, type SimulationConfig, stopFaults } from './config.ts'
import { createDisk } from './disk.ts'
import { recover } from './endpoints.ts'
import { bytesOf, CLOCK_SKEW_MAX_MS, createInstance, type Instance } from './instance.ts'
import { endpointsIn, initialUnit } from './merchants.ts'
import { withoutFaults, type Ports, type FaultContext } from './ports.ts'
import { createHostBooks } from './hosts/books.ts'
import { createHosts } from './hosts/hosts.ts'
import { checkFileIsRead, deliver, settlementFilesOf } from './hosts/settlement.ts'
import { routedNames } from './hosts/routes.ts'
import { createInvariants } from './invariants.ts'
import { unreadTransactions } from './ledger-rules.ts'
import { createSchedule, permanentOwner, type Schedule } from './schedule.ts'
import { startShops } from './shops.ts'
import { Violation } from './violation.ts'

/** The result of the simulation of a seed. */
export interface Run {
  readonly seed: number
  readonly steps: number
  /** The invariant that the last step violated; undefined if all steps were correct. */
  readonly violation: string | undefined
  readonly log: readonly string[]
  /** Digest of the log: equal for equal seeds. */
  readonly digest: string
}

/** 2026-05-04 03:02:01 UTC, a Monday. */
const START_MS = Date.UTC(2026, 4, 4, 3, 2, 1)

/** The maximum number of steps. More steps are a violation: the simulation does not end. */
const STEPS_MAX = 60_000
/** The number of steps between checks of all rows. After every step, the trees that it changed are checked. */
const FULL_CHECK_STEPS = 500
/** The maximum delay of a due job: the lease of a crashed process plus the duration of a request. */
const JOB_DELAY_MAX_MS = 125_000
/** The maximum time until all work is done: longer than a crashed process leases a job. */
const COMPLETION_MAX_MS = 200_000
/** The maximum sum of jumps of the clock while shops repeat requests: less than the lifetime of an Idempotency-Key. */
const JUMPS_MAX_MS = 5 * DAY_MS
/** The jumps of the clock at the end, for later jobs: retries, then expiries of holds. */
const finalJumps = [2, 6, 8, 45, 600, 2 * 1_440, 6 * 1_440].map((minutes) => minutes * MINUTE_MS)

/** The maximum time until the outcome of a payment is known after its acquirer can be reached again. */
const UNKNOWN_MAX_MS = 15 * MINUTE_MS
/** The time until a link replaces a connection whose host has gone silently: idle time, and the wait for an echo. */
const SILENCE_MAX_MS = 71_000
/** The maximum duration of a timeout reversal. */
const REVERSAL_MAX_MS = 6_000
/** The time after which shops send requests even if no host was reached. */
const CONNECT_MAX_MS = 2_000
/** The polling interval of due jobs. */
const POLL_MS = 1_100

/** The keys of every simulation. */
const ring = generateKeyRing(bytesOf(randomOf(0, 0)))

/** Changes to the simulation of a seed. */
export interface Change {
  /** Returns the wrappers of the gateway's ports. */
  readonly ports: (context: FaultContext) => Ports
  readonly config?: Partial<SimulationConfig>
}

/** Runs the simulation of a seed to its end, or to a violated invariant. All random values come from the seed. */
export async function simulate(seed: number, change: Change = { ports: () => withoutFaults }): Promise<Run> {
  const random = randomOf(seed, 0)
  // The configuration changes when faults stop.
  const config = { ...drawConfig(random), ...structuredClone(change.config) }
  const log: string[] = []
  const note = (line: string) => void log.push(`${schedule.steps()} ${schedule.nowMs()} ${line}`)
  const schedule: Schedule = createSchedule(random, note)
  note(JSON.stringify(config))
  const reported: { violation?: string } = {}
  const reportDefect = (description: string) => void (reported.violation ??= description)
  try {
    await run({ seed, random, config, schedule, note, reportDefect, reported, portsOf: change.ports })
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    reported.violation ??= error.message
  }
  if (reported.violation !== undefined) note(`VIOLATION: ${reported.violation}`)
  const digest = createHash('sha256').update(log.join('\n')).digest('hex')
  return { seed, steps: schedule.steps(), violation: reported.violation, log, digest }
}

interface Parts {
  readonly seed: number
  readonly random: Random
  readonly config: SimulationConfig
  readonly schedule: Schedule
  readonly note: (line: string) => void
  readonly reportDefect: (description: string) => void
  readonly reported: { readonly violation?: string }
  readonly portsOf: (context: FaultContext) => Ports
}

async function run({ seed, random, config, schedule, note, reportDefect, reported, portsOf }: Parts): Promise<void> {
  let jumpedMs = 0
  const wallMs = () => START_MS + schedule.nowMs() + jumpedMs
  const rows = memoryDisk()
  const disk = createDisk({
    rows,
    schedule,
    random,
    faults: config.faults,
    wallMs,
    onWritten(unit) {
      note(`unit ${unit.id}: ${contentsOf(unit)}`)
      runCheck(() => invariants.onWritten(unit))
      if (random.chance(config.crashAfterWrite)) random.pick(instances).crash()
    },
    onConstraintError(unit, error) {
      // Two processes may store the same number of a delivery attempt; the second one retries with the next number.
      // They may also add the same terminal id.
      if (!unit.rows.delivery_attempt?.length && !unit.rows.terminal?.length) reportDefect(`unit ${unit.id}: ${error}`)
    },
    onUnknown(owner) {
      // A process without peers exits after an unknown commit, and the next one reads the stored rows.
      const instance = instances.find(({ owns }) => owns(owner))
      if (instance && !config.isShared) instance.crash()
    },
  })
  const acquirer = config.acquirer && createAcquirer({ schedule, random, faults: config.acquirer, note, reportDefect })
  const hosts = config.hosts && createHosts({ config: config.hosts, schedule, random, wallMs, note, reportDefect })
  const invariants = createInvariants(disk, acquirer, hosts && createHostBooks(rows, hosts.all))
  const endpoints = endpointsIn(config.endpointStates)
  const ports = portsOf({ schedule, random, disk })
  const instances: readonly Instance[] = Array.from({ length: config.isShared ? 2 : 1 }, (_, index) =>
    createInstance(index, {
      seed,
      schedule,
      random,
      disk,
      ring,
      endpoints,
      acquirer,
      hosts,
      wallMs,
      isShared: config.isShared,
      ports,
      note,
      reportDefect,
    }),
  )

  /** Runs a check; a violation is reported at the end of the step. */
  function runCheck(check: () => void): void {
    try {
      check()
    } catch (error) {
      if (!(error instanceof Violation)) throw error
      reportDefect(error.message)
    }
  }

  async function step(): Promise<void> {
    if (!(await schedule.step())) throw new Violation('no event is left')
    if (schedule.steps() > STEPS_MAX) throw new Violation('the simulation does not end')
    invariants.checkChanged()
    if (schedule.steps() % FULL_CHECK_STEPS === 0) invariants.checkAll()
    if (reported.violation !== undefined) throw new Violation(reported.violation)
  }

  /** Runs steps until the condition holds. @throws Violation if it does not hold in time */
  async function until(isMet: () => boolean, withinMs: number, message: () => string): Promise<void> {
    const endsAtMs = schedule.nowMs() + withinMs
    while (!isMet()) {
      if (schedule.nowMs() > endsAtMs) throw new Violation(message())
      await step()
    }
  }

  /** Before its first connection an instance sends nothing to a host. Later hosts and links fail. */
  async function untilConnected(areConnected: () => boolean): Promise<void> {
    let isLate = false
    schedule.after(CONNECT_MAX_MS, permanentOwner, '', () => void (isLate = true))
    await until(
      () => isLate || areConnected(),
      COMPLETION_MAX_MS,
      () => 'the instances do not start',
    )
  }

  await disk.direct.commit(await initialUnit(openVault(ring, bytesOf(random)), START_MS, config.hosts))
  for (const instance of instances) instance.start()
  if (hosts) await untilConnected(() => instances.every((instance) => instance.gateway() && isConnected(instance)))
  const shops = startShops({ random, config, schedule, note, reportDefect, invariants, instances, runCheck })
  for (let left = config.crashes; left > 0; left -= 1) {
    schedule.after(500 + random.below(10_000), permanentOwner, '', () => {
      if (!areFaultsOver) random.pick(instances).crash()
    })
  }
  for (let left = config.hosts?.crashes ?? 0; left > 0; left -= 1) {
    schedule.after(500 + random.below(10_000), permanentOwner, '', () => {
      if (hosts && !areFaultsOver) random.pick(hosts.all).crash()
    })
  }
  for (let left = config.jumps; left > 0; left -= 1) {
    schedule.after(500 + random.below(10_000), permanentOwner, '', () => {
      const ms = random.pick([1, 10, 60, 60, 360, 1_440]) * MINUTE_MS
      if (!areFaultsOver && jumpedMs + ms < JUMPS_MAX_MS) jump(ms)
    })
  }
  let areFaultsOver = false
  function jump(ms: number): void {
    jumpedMs += ms
    note(`clocks jump by ${ms / MINUTE_MS} minutes`)
  }

  await until(
    () => shops.sentCount() >= config.requests,
    COMPLETION_MAX_MS,
    () => 'the shops send no further request',
  )

  // From here on only endpoints fail, so all begun requests must be answered.
  areFaultsOver = true
  note('no further faults, except of endpoints')
  const wasSilent = (config.hosts?.faults.knobs.halfOpen ?? 0) > 0
  stopFaults(config)
  await until(
    () => shops.openCount() === 0,
    COMPLETION_MAX_MS,
    () => `${shops.openCount()} requests have no answer`,
  )
  await until(
    () => instances.every(({ gateway }) => gateway() !== undefined),
    COMPLETION_MAX_MS,
    () => 'an instance does not start',
  )
  const noticedAtMs = schedule.nowMs() + (wasSilent ? SILENCE_MAX_MS : 0)
  await until(
    () => schedule.nowMs() >= noticedAtMs && instances.every(isConnected),
    COMPLETION_MAX_MS,
    () => 'an instance is not connected to an acquirer',
  )
  for (const endpoint of endpoints.values())
    if (endpoint.state !== 'unresponsive' && endpoint.state !== 'gone') recover(endpoint)
  const overdue = () => invariants.overdue(endpoints.values(), wallMs() + CLOCK_SKEW_MAX_MS)
  await until(
    () => overdue().length === 0,
    JOB_DELAY_MAX_MS,
    () => `${overdue().join(', ')} overdue: an unresponsive endpoint must not delay the jobs of other endpoints`,
  )
  if (random.chance(0.8))
    for (const endpoint of endpoints.values()) if (endpoint.state === 'unresponsive') recover(endpoint)

  const faultlessSinceMs = wallMs()
  /** The time since which no job was overdue. */
  let quietSinceMs = 0
  /** The pause before a jump: a jump during a timeout reversal would make its job due again at another process. */
  const reversalMs = () => (invariants.unknownOutcomes(faultlessSinceMs).length > 0 ? REVERSAL_MAX_MS : 0)
  for (const ms of finalJumps) {
    jump(ms)
    quietSinceMs = schedule.nowMs()
    // No circuit breaker stays open for hours.
    if (ms > 60 * MINUTE_MS) for (const endpoint of endpoints.values()) endpoint.isCircuitClosed = true
    const polledAtMs = schedule.nowMs() + POLL_MS
    await until(
      () => {
        if (overdue().length > 0) quietSinceMs = schedule.nowMs()
        return (
          schedule.nowMs() >= polledAtMs && overdue().length === 0 && schedule.nowMs() - quietSinceMs >= reversalMs()
        )
      },
      COMPLETION_MAX_MS,
      () => `${overdue().join(', ')} overdue`,
    )
    const unknown = wallMs() - faultlessSinceMs > UNKNOWN_MAX_MS ? invariants.unknownOutcomes(faultlessSinceMs) : []
    if (unknown.length > 0) throw new Violation(`the outcome of ${unknown.join(', ')} is unknown`)
  }
  // The last events of a payment may still wait for earlier ones.
  const undelivered = () => invariants.undelivered(endpoints.values())
  await until(
    () => undelivered().length === 0,
    COMPLETION_MAX_MS,
    () => `${undelivered().join(', ')} was neither delivered nor dead-lettered`,
  )
  await until(
    () => unreadTransactions(rows).length === 0,
    COMPLETION_MAX_MS,
    () => `the ledger has not read ${unreadTransactions(rows).join(', ')}`,
  )
  if (config.hosts?.kind === 'routes') await settle()
  invariants.checkAtEnd(endpoints.values(), wallMs())

  /** Receives settlement files of all payments, and crashes an instance while it reads them. */
  async function settle(): Promise<void> {
    for (const file of settlementFilesOf(rows, wallMs(), random)) {
      const running = random.pick(instances).gateway()
      if (!running) throw new Violation('an instance does not run')
      const received: { id?: string } = {}
      deliver(running, file).then(
        (id) => (received.id = id),
        (error: unknown) => reportDefect(`a settlement file is not stored: ${String(error)}`),
      )
      await until(
        () => received.id !== undefined,
        COMPLETION_MAX_MS,
        () => 'a settlement file is not stored',
      )
      let hasCrashed = false
      schedule.after(random.below(3_000), permanentOwner, '', () => {
        random.pick(instances).crash()
        hasCrashed = true
      })
      await until(
        // The crash must not interrupt the upload of the next file: the simulation sends each file once.
        () => hasCrashed && rows.settlement_file.get(received.id ?? '')?.state === 'read',
        COMPLETION_MAX_MS,
        () => `the settlement file is ${rows.settlement_file.get(received.id ?? '')?.state}`,
      )
      await until(
        () => instances.every(({ gateway }) => gateway() !== undefined),
        COMPLETION_MAX_MS,
        () => 'an instance does not start',
      )
      checkFileIsRead(rows, received.id ?? '', file)
    }
  }
}

/** Whether an instance has a connection to each host. */
function isConnected({ gateway }: Instance): boolean {
  const { external, accounts } = gateway()?.acquirers ?? {}
  const connectors = [external, ...routedNames.map((name) => accounts?.find(name)?.connector)]
  return connectors.every((connector) => connector?.kind !== 'remote' || connector.isReady?.() !== false)
}

/** The number of rows of a unit, by table. */
const contentsOf = ({ rows }: Unit): string =>
  Object.entries(rows)
    .flatMap(([table, added]) => (added?.length ? [`${added.length} ${table}`] : []))
    .join(', ')
