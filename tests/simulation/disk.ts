import {
  type CommitResult,
  type MemoryDisk,
  openMemory,
  type Storage,
  StorageError,
  type Unit,
} from '@tollgate/storage'
import type { Random } from '../support/random.ts'
import { type Owner, type Schedule, world } from './schedule.ts'

/** How often a disk fails, from 0 to 1. */
export interface DiskFaults {
  /** A commit is refused, and no row is written. */
  refusals: number
  /** It is unknown whether a commit was made. */
  doubts: number
  /** A read fails. */
  failedReads: number
  /** The longest time that a commit or a read takes. */
  slowestMs: number
}

/** A storage in memory that every instance opens; written rows survive crashes. */
export interface SimulatedDisk {
  readonly rows: MemoryDisk
  /** Access without delay and faults, for the checks. */
  readonly direct: Storage
  /** @param isShared whether other instances use it at the same time */
  readonly open: (owner: Owner, isShared: boolean) => Storage
}

interface Parts {
  readonly rows: MemoryDisk
  readonly schedule: Schedule
  readonly random: Random
  readonly faults: DiskFaults
  /** The clock of the storage, common to all instances. */
  readonly wallMs: () => number
  /** Called with each unit after it was written. */
  readonly written: (unit: Unit) => void
  /** Called with a unit that cannot be stored: a defect of the product. */
  readonly constrained: (unit: Unit, why: string) => void
  /** Called with the owner of a commit whose outcome is unknown. */
  readonly doubted: (owner: Owner) => void
}

/** Called with the tables that other instances have changed. */
interface Reader {
  readonly owner: Owner
  readonly changed: (tables: ReadonlySet<Watched>) => void
}

type Listener = Parameters<NonNullable<Storage['peers']>['listen']>[0]
type Watched = Parameters<Listener['changed']>[0] extends ReadonlySet<infer Table> ? Table : never

const watched: readonly Watched[] = ['entity', 'risk_rules', 'access_token', 'webhook', 'webhook_key', 'installation']

/** Members that do not access the disk and answer at once. */
const atOnce: ReadonlySet<string | symbol> = new Set(['isReachable', 'depth', 'totals', 'close'])

export function createDisk(parts: Parts): SimulatedDisk {
  const { rows, schedule, random, faults, wallMs, written, constrained, doubted } = parts
  const direct = openMemory(rows)
  const readers = new Set<Reader>()
  const locks = new Map<string, Owner>()
  /** The queues that ever had a job. */
  const lanes = new Set<string>()

  const soon = () => random.below(faults.slowestMs + 1)

  /** Most reads are answered from memory. */
  function read<T>(owner: Owner, answer: () => Promise<T>): Promise<T> {
    if (random.chance(0.7) && faults.slowestMs > 0) return answer()
    return new Promise((resolve, reject) => {
      schedule.after(soon(), owner, '', () => {
        if (random.chance(faults.failedReads)) reject(new StorageError('unavailable', 'simulated'))
        else answer().then(resolve, reject)
      })
    })
  }

  /** Writes a unit after its delay. It may be written even if its owner has crashed since. */
  function commit(owner: Owner, unit: Unit): Promise<CommitResult> {
    const isRefused = random.chance(faults.refusals)
    const isDoubted = random.chance(faults.doubts)
    const survives = random.chance(0.5)
    return new Promise((resolve, reject) => {
      const refuse = (error: unknown) => {
        constrained(unit, String(error))
        reject(error)
      }
      const answer = (name: string, respond: () => void) => schedule.after(soon(), owner, name, respond)
      schedule.after(soon(), world, '', () => {
        if (!owner.isAlive && !survives) return
        if (isRefused) return answer('a commit is refused', () => reject(new StorageError('full', 'simulated')))
        if (isDoubted && survives) {
          doubted(owner)
          return answer('a commit is in doubt, and lost', () => reject(new StorageError('unknown', 'simulated')))
        }
        direct.commit(unit).then((result) => {
          if (result.kind === 'committed') {
            for (const { kind, lane } of unit.rows.job ?? []) lanes.add(`${kind}|${lane}`)
            written(unit)
            notifyPeers(owner, unit)
          }
          if (isDoubted) {
            doubted(owner)
            return answer('a commit is in doubt', () => reject(new StorageError('unknown', 'simulated')))
          }
          return answer('', () => resolve(result))
        }, refuse)
      })
    })
  }

  function notifyPeers(owner: Owner, { rows: added, compareAndSets = [] }: Unit): void {
    const tables = watched.filter(
      (table) => added[table]?.length || compareAndSets.some((compareAndSet) => compareAndSet.table === table),
    )
    if (tables.length === 0) return
    for (const reader of readers) {
      if (reader.owner !== owner) schedule.after(soon(), reader.owner, '', () => reader.changed(new Set(tables)))
    }
  }

  const isEmpty = (...[kind, lane, atMs]: Parameters<Storage['leaseJobs']>) =>
    !lanes.has(`${kind}|${lane}`) ||
    ![...rows.job.values()].some((job) => job.kind === kind && job.lane === lane && job.due_at_ms <= atMs)

  /** As on PostgreSQL: a taken job is leased until then, and no other instance takes it. */
  async function leaseJobs(...[kind, lane, atMs, max, holdMs]: Parameters<Storage['leaseJobs']>) {
    const due = await direct.dueJobs(kind, lane, atMs, Number.POSITIVE_INFINITY)
    const free = due.filter(({ held_until_ms: heldMs }) => heldMs === null || heldMs <= wallMs()).slice(0, max)
    const taken = free.map((from) => ({ ...from, held_until_ms: wallMs() + holdMs }))
    if (taken.length === 0) return []
    const compareAndSets = free.map((from, index) => ({ table: 'job' as const, from, to: taken[index] ?? from }))
    const { kind: outcome } = await direct.commit({ id: 'take', expectedVersions: [], rows: {}, compareAndSets })
    return outcome === 'committed' ? taken : []
  }

  const peersOf = (owner: Owner): NonNullable<Storage['peers']> => ({
    listen({ changed }) {
      const reader = { owner, changed: (tables: ReadonlySet<Watched>) => void changed(tables).catch(again) }
      const again = () => schedule.after(1_000, owner, '', () => reader.changed(new Set(watched)))
      readers.add(reader)
      reader.changed(new Set(watched))
    },
    publish: async () => undefined,
    async lock(name) {
      const holder = locks.get(name)
      if (holder?.isAlive) return undefined
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
          if (typeof member !== 'function' || atOnce.has(name)) return member
          return (...args: unknown[]) => read(owner, async () => Reflect.apply(member, target, args))
        },
      })
      const take: Storage['leaseJobs'] = (...args) => (isShared ? leaseJobs(...args) : direct.leaseJobs(...args))
      return {
        ...reads,
        commit: (unit) => commit(owner, unit),
        // Most queues are empty most of the time; their reads need no step of their own.
        leaseJobs: async (...args) => (isEmpty(...args) ? [] : read(owner, () => take(...args))),
        peers: isShared ? peersOf(owner) : undefined,
      }
    },
  }
}
