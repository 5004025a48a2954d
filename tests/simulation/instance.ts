import { createSimulator } from '@tollgate/connectors'
import { readConfig } from '@tollgate/gateway'
import { composeGateway, type EventLoop, type Gateway, type Log, startTasks } from '@tollgate/gateway/testing'
import { openVault, type KeyRing, writeKeyCheck } from '@tollgate/vault'
import type { Random } from '../support/random.ts'
import type { SimulatedAcquirer } from './acquirer.ts'
import type { SimulatedHosts } from './hosts/hosts.ts'
import type { SimulatedDisk } from './disk.ts'
import { type Endpoint, outgoingClientOf } from './endpoints.ts'
import type { Ports } from './ports.ts'
import { type Owner, permanentOwner, type Schedule } from './schedule.ts'

/** A process of the gateway. A crash drops its memory; then the process starts again on the same disk. */
export interface Instance {
  readonly name: string
  /** undefined before the first start and after a crash, until the start is complete. */
  readonly gateway: () => Gateway | undefined
  readonly start: () => void
  readonly crash: () => void
  /** Whether `owner` is the current owner of the instance's events. */
  readonly owns: (owner: Owner) => boolean
}

interface Parts {
  readonly seed: number
  readonly schedule: Schedule
  readonly random: Random
  readonly disk: SimulatedDisk
  readonly ring: KeyRing
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** undefined: the acquirer simulator in the process. */
  readonly acquirer: SimulatedAcquirer | undefined
  /** undefined: no payment is sent to a host. */
  readonly hosts: SimulatedHosts | undefined
  readonly wallMs: () => number
  readonly isShared: boolean
  readonly ports: Ports
  readonly note: (line: string) => void
  /** Reports an error that must never be thrown. */
  readonly reportDefect: (description: string) => void
}

/** The maximum difference between the clocks of two instances. */
export const CLOCK_SKEW_MAX_MS = 300

/** @param index the number of the instance; its random ids and the deviation of its clock depend on it */
export function createInstance(index: number, parts: Parts): Instance {
  const { seed, schedule, random, disk, ring, endpoints, acquirer, hosts, isShared, ports, note, reportDefect } = parts
  const name = `instance ${index}`
  /** The deviation of the instance's clock. */
  const skewMs = index * random.below(CLOCK_SKEW_MAX_MS)
  let starts = 0
  let owner: Owner = { isRunning: false }
  let running: Gateway | undefined

  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    // The stack is omitted, because it contains the caller of the simulation, and the log must depend only on the seed.
    error({ stack: _stack, ...fields }) {
      note(`${name} logs ${JSON.stringify(fields)}`)
      // Lost connections to acquirers, and answers that do not fit their requests, are faults of the simulation.
      const isFault =
        fields['error'] === 'StorageError' ||
        fields['acquirer'] !== undefined ||
        String(fields['error']).startsWith('the acquirer answered with another value')
      if (fields['error'] !== undefined && !isFault) reportDefect(`${name}: ${JSON.stringify(fields)}`)
    },
    flush: () => undefined,
  }

  async function startUp(newOwner: Owner): Promise<void> {
    const config = readConfig({
      TOLLGATE_SANDBOX: 'off',
      TOLLGATE_MANAGE_KEY: 'the key of simulations',
      TOLLGATE_SEED: `${seed}|${index}|${starts}`,
    })
    const storage = ports.storage(disk.open(newOwner, isShared), newOwner)
    const outgoing = ports.outgoing(outgoingClientOf(endpoints, newOwner, { schedule, random }), newOwner)
    const clock = { now: () => parts.wallMs() + skewMs }
    const source = { name: 'the keys of simulations', read: async () => ring }
    const keys = { vault: openVault(ring, bytesOf(random)), source, keyCheck: writeKeyCheck(ring, undefined) }
    const connector = acquirer ? ports.acquirer(acquirer.connector(newOwner), newOwner) : createSimulator()
    const environment = { log, connector, eventLoop: eventLoopOf(newOwner, schedule), ...hosts?.partsFor(newOwner) }
    const gateway = await composeGateway(config, clock, storage, keys, outgoing, environment)
    hosts?.connect(gateway, (remote) => ports.acquirer(remote, newOwner))
    gateway.jobs.start()
    startTasks(gateway)
    running = gateway
    note(`${name} has started`)
  }

  const instance: Instance = {
    name,
    gateway: () => running,
    owns: (eventOwner) => eventOwner === owner,
    start() {
      if (owner.isRunning) return
      starts += 1
      const newOwner = { isRunning: true }
      owner = newOwner
      startUp(newOwner).catch((error: unknown) => {
        if (!(error instanceof Error && error.name === 'StorageError'))
          reportDefect(`${name} does not start: ${String(error)}`)
        instance.crash()
      })
    },
    crash() {
      note(`${name} crashes`)
      owner.isRunning = false
      running = undefined
      schedule.after(random.below(3_000), permanentOwner, '', instance.start)
    },
  }
  return instance
}

/** The event loop of an instance. Its timers and callbacks are events of the schedule, and a crash drops them. */
const eventLoopOf = (owner: Owner, schedule: Schedule): EventLoop => ({
  now: schedule.nowMs,
  busyMs: () => schedule.nowMs() / 2,
  later: (work) => schedule.after(0, owner, '', work),
  wait: (ms, signal) =>
    new Promise<void>((resolve) => {
      const end = () => {
        signal?.removeEventListener('abort', end)
        resolve()
      }
      schedule.after(ms, owner, '', end)
      signal?.addEventListener('abort', end)
    }),
  startTimer(ms, onEnd) {
    let isRunning = true
    schedule.after(ms, owner, '', () => {
      if (isRunning) onEnd()
    })
    return () => {
      isRunning = false
    }
  },
})

/** A generator of bytes that depend only on the seed. */
export const bytesOf =
  ({ below }: Random) =>
  (size: number) => {
    const words = Uint32Array.from({ length: Math.ceil(size / 4) }, () => below(0x1_0000_0000))
    return new Uint8Array(words.buffer, 0, size)
  }
