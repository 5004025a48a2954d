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

/** How often a disk does what, from 0 to 1. */
export interface DiskFaults {
  /** A commit is refused, and nothing is written. */
  refusals: number
  /** Nobody can say whether a commit was made. */
  doubts: number
  /** A read fails. */
  failedReads: number
  /** The longest that a commit or a read takes. */
  slowestMs: number
}

/** A storage in memory on which every instance opens its own: what is written stays, whoever crashes. */
export interface SimulatedDisk {
  readonly rows: MemoryDisk
  /** Without delay and faults: for whoever looks at it from outside. */
  readonly direct: Storage
  /** @param isShared whether other instances are at work on it at the same time */
  readonly open: (owner: Owner, isShared: boolean) => Storage
}

interface Parts {
  readonly rows: MemoryDisk
  readonly schedule: Schedule
  readonly random: Random
  readonly faults: DiskFaults
  /** The one clock that all instances have in common. */
  readonly wallMs: () => number
  /** Told of each unit once it is written. */
  readonly written: (unit: Unit) => void
  /** Told of a unit that cannot be stored as it is: a defect of whoever made it. */
  readonly constrained: (unit: Unit, why: string) => void
  /** Told of a commit in doubt, by whom. */
  readonly doubted: (owner: Owner) => void
}

/** Told of what other instances have changed. */
interface Reader {
  readonly owner: Owner
  readonly changed: (tables: ReadonlySet<Watched>) => void
}

type Listener = Parameters<NonNullable<Storage['peers']>['listen']>[0]
type Watched = Parameters<Listener['changed']>[0] extends ReadonlySet<infer Table> ? Table : never

const watched: readonly Watched[] = ['entity', 'risk_rules', 'access_token', 'webhook', 'webhook_key', 'installation']

/** What is no question to the disk, and is answered at once. */
const atOnce: ReadonlySet<string | symbol> = new Set(['isReachable', 'depth', 'totals', 'close'])

export function createDisk(parts: Parts): SimulatedDisk {
  const { rows, schedule, random, faults, wallMs, written, constrained, doubted } = parts
  const direct = openMemory(rows)
  const readers = new Set<Reader>()
  const locks = new Map<string, Owner>()
  /** The lanes that ever held a job. */
  const lanes = new Set<string>()

  const soon = () => random.below(faults.slowestMs + 1)

  /** Most reads are answered by what is in memory already. */
  function read<T>(owner: Owner, answer: () => Promise<T>): Promise<T> {
    if (random.chance(0.7) && faults.slowestMs > 0) return answer()
    return new Promise((resolve, reject) => {
      schedule.after(soon(), owner, '', () => {
        if (random.chance(faults.failedReads)) reject(new StorageError('unavailable', 'simulated'))
        else answer().then(resolve, reject)
      })
    })
  }

  /** Writes a unit when its time has come. Once it is under way it may be written although its owner has crashed. */
  function commit(owner: Owner, unit: Unit): Promise<CommitResult> {
    const isRefused = random.chance(faults.refusals)
    const isDoubted = random.chance(faults.doubts)
    const survives = random.chance(0.5)
    return new Promise((resolve, reject) => {
      const refuse = (error: unknown) => {
        constrained(unit, String(error))
        reject(error)
      }
      const answer = (name: string, tell: () => void) => schedule.after(soon(), owner, name, tell)
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

  /** As PostgreSQL has them: what is taken is held, and nobody else's until then. */
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
        // Most lanes are empty most of the time, which need not take a step each.
        leaseJobs: async (...args) => (isEmpty(...args) ? [] : read(owner, () => take(...args))),
        peers: isShared ? peersOf(owner) : undefined,
      }
    },
  }
}
