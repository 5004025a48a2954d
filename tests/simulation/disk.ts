import {
  type CommitResult,
  type MemoryDisk,
  openMemory,
  type Storage,
  StorageError,
  type Unit,
} from '@tollgate/storage'
import type { Random } from '../support/random.ts'
import { type Owner, permanentOwner, type Schedule } from './schedule.ts'

/** The probabilities, from 0 to 1, of faults of a disk, and its maximum delay. */
export interface DiskFaults {
  /** A commit is refused, and no row is written. */
  refusals: number
  /** The outcome of a commit is unknown. */
  unknownOutcomes: number
  /** A read fails. */
  failedReads: number
  /** The maximum time of a commit or a read. */
  slowestMs: number
}

/** An in-memory storage that every instance opens; written rows remain after crashes. */
export interface SimulatedDisk {
  readonly rows: MemoryDisk
  /** Access without delay and faults, for the checks. */
  readonly direct: Storage
  /** @param isShared whether other instances use the disk at the same time */
  readonly open: (owner: Owner, isShared: boolean) => Storage
}

interface Parts {
  readonly rows: MemoryDisk
  readonly schedule: Schedule
  readonly random: Random
  readonly faults: DiskFaults
  /** The clock of the storage, common to all instances. */
  readonly wallMs: () => number
  /** Called with each unit after it was written, except with units that only lease jobs. */
  readonly onWritten: (unit: Unit) => void
  /** Called with a unit that violates a constraint. */
  readonly onConstraintError: (unit: Unit, error: string) => void
  /** Called with the owner of a commit whose outcome is unknown. */
  readonly onUnknown: (owner: Owner) => void
}

/** An instance that listens for changes by its peers. */
interface ListeningInstance {
  readonly owner: Owner
  readonly onChanges: (tables: ReadonlySet<WatchedTable>) => void
}

type Listener = Parameters<NonNullable<Storage['peers']>['listen']>[0]
type WatchedTable = Parameters<Listener['onChanges']>[0] extends ReadonlySet<infer Table> ? Table : never

const watchedTables: readonly WatchedTable[] = [
  'entity',
  'risk_rules',
  'route_list',
  'connector',
  'access_token',
  'webhook',
  'webhook_key',
  'installation',
]

/** The members of a storage that do not access the disk. */
const immediateMembers: ReadonlySet<string | symbol> = new Set(['isReachable', 'depth', 'totals', 'close'])

export function createDisk(parts: Parts): SimulatedDisk {
  const { rows, schedule, random, faults, wallMs, onWritten, onConstraintError, onUnknown } = parts
  const direct = openMemory(rows)
  const listening = new Set<ListeningInstance>()
  const locks = new Map<string, Owner>()
  /** The queues that have had a job. */
  const queues = new Set<string>()

  const delayMs = () => random.below(faults.slowestMs + 1)

  /** Answers a read: usually at once, as from a cache, or else after a delay, possibly with a fault. */
  function read<T>(owner: Owner, answer: () => Promise<T>): Promise<T> {
    if (random.chance(0.7) && faults.slowestMs > 0) return answer()
    return new Promise((resolve, reject) => {
      schedule.after(delayMs(), owner, '', () => {
        if (random.chance(faults.failedReads)) reject(new StorageError('unavailable', 'simulated'))
        else answer().then(resolve, reject)
      })
    })
  }

  /** Writes a unit after a delay, possibly also if its owner has crashed by then. */
  function commit(owner: Owner, unit: Unit): Promise<CommitResult> {
    const isRefused = random.chance(faults.refusals)
    const isUnknown = random.chance(faults.unknownOutcomes)
    /**
     * Whether the commit is processed even if its owner crashes before. The same draw decides whether a commit with an
     * unknown outcome is lost.
     */
    const isProcessedAfterCrash = random.chance(0.5)
    const isLost = isUnknown && isProcessedAfterCrash
    return new Promise((resolve, reject) => {
      const refuse = (error: unknown) => {
        onConstraintError(unit, String(error))
        reject(error)
      }
      const answer = (name: string, respond: () => void) => schedule.after(delayMs(), owner, name, respond)
      schedule.after(delayMs(), permanentOwner, '', () => {
        if (!owner.isRunning && !isProcessedAfterCrash) return
        if (isRefused) return answer('a commit is refused', () => reject(new StorageError('full', 'simulated')))
        if (isLost) {
          onUnknown(owner)
          return answer('the outcome of a lost commit is unknown', () =>
            reject(new StorageError('unknown', 'simulated')),
          )
        }
        direct.commit(unit).then((result) => {
          if (result.kind === 'committed') {
            for (const { kind, lane } of unit.rows.job ?? []) queues.add(`${kind}|${lane}`)
            onWritten(unit)
            notifyPeers(owner, unit)
          }
          if (isUnknown) {
            onUnknown(owner)
            return answer('the outcome of a commit is unknown', () => reject(new StorageError('unknown', 'simulated')))
          }
          return answer('', () => resolve(result))
        }, refuse)
      })
    })
  }

  function notifyPeers(owner: Owner, { rows: added, compareAndSets = [] }: Unit): void {
    const tables = watchedTables.filter(
      (table) => added[table]?.length || compareAndSets.some((compareAndSet) => compareAndSet.table === table),
    )
    if (tables.length === 0) return
    for (const peer of listening) {
      if (peer.owner !== owner) schedule.after(delayMs(), peer.owner, '', () => peer.onChanges(new Set(tables)))
    }
  }

  const isQueueEmpty = (...[kind, queue, atMs]: Parameters<Storage['leaseJobs']>) =>
    !queues.has(`${kind}|${queue}`) ||
    ![...rows.job.values()].some((job) => job.kind === kind && job.lane === queue && job.due_at_ms <= atMs)

  /** As on PostgreSQL: no other instance leases a leased job until the lease ends. */
  async function leaseJobs(...[kind, queue, atMs, max, leaseMs]: Parameters<Storage['leaseJobs']>) {
    const due = await direct.dueJobs(kind, queue, atMs, Number.POSITIVE_INFINITY)
    const available = due.filter(({ held_until_ms: heldMs }) => heldMs === null || heldMs <= wallMs()).slice(0, max)
    const leased = available.map((from) => ({ ...from, held_until_ms: wallMs() + leaseMs }))
    if (leased.length === 0) return []
    const compareAndSets = available.map((from, index) => ({ table: 'job' as const, from, to: leased[index] ?? from }))
    const { kind: outcome } = await direct.commit({ id: 'lease', expectedVersions: [], rows: {}, compareAndSets })
    return outcome === 'committed' ? leased : []
  }

  const peersOf = (owner: Owner): NonNullable<Storage['peers']> => ({
    listen(listener) {
      const reportAll = () => instance.onChanges(new Set(watchedTables))
      const repeatLater = () => schedule.after(1_000, owner, '', reportAll)
      const instance: ListeningInstance = {
        owner,
        onChanges: (tables) => void listener.onChanges(tables).catch(repeatLater),
      }
      listening.add(instance)
      reportAll()
    },
    publish: async () => undefined,
    async lock(name) {
      const holder = locks.get(name)
      if (holder?.isRunning) return undefined
      locks.set(name, owner)
      return { isHeld: () => locks.get(name) === owner, release: async () => void locks.delete(name) }
    },
  })

  return {
    rows,
    direct,
    open(owner, isShared) {
      const reads = new Proxy(direct, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name)
          if (typeof member !== 'function' || immediateMembers.has(name)) return member
          return (...args: unknown[]) => read(owner, async () => Reflect.apply(member, target, args))
        },
      })
      const lease: Storage['leaseJobs'] = (...args) => (isShared ? leaseJobs(...args) : direct.leaseJobs(...args))
      return {
        ...reads,
        commit: (unit) => commit(owner, unit),
        // Most queues are usually empty; reads of empty queues need no event of the schedule.
        leaseJobs: async (...args) => (isQueueEmpty(...args) ? [] : read(owner, () => lease(...args))),
        peers: isShared ? peersOf(owner) : undefined,
      }
    },
  }
}
