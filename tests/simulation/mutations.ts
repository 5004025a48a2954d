import type { RemoteConnector } from '@tollgate/connectors'
import type { CommitResult, Storage, StoredTree, CompareAndSet, Unit } from '@tollgate/storage'
import { StorageError } from '@tollgate/storage'
import type { Climate } from './climate.ts'
import { honest, type Tools } from './ports.ts'
import { world } from './schedule.ts'
import type { Change } from './simulate.ts'

/** A deliberate fault: its description, and the layer between the product and its ports that causes it. */
export interface Mutation extends Change {
  readonly what: string
  /** The message by which it must be found. */
  readonly found: RegExp
}

/** A configuration with many requests for one payment at the same time, to two processes, without other faults. */
const crowded: Partial<Climate> = { isShared: true, wishes: 60, acquirer: undefined }

/** A storage with another way to commit. */
const committing =
  (commit: (unit: Unit, storage: Storage, tools: Tools) => Promise<CommitResult>): Mutation['ports'] =>
  (tools) => ({
    ...honest,
    storage: (storage) => ({ ...storage, commit: (unit) => commit(unit, storage, tools) }),
  })

/** A storage that gets other units than the product commits. */
const sending = (change: (unit: Unit, tools: Tools) => Unit): Mutation['ports'] =>
  committing((unit, storage, tools) => storage.commit(change(unit, tools)))

const withRows = (unit: Unit, rows: Unit['rows']): Unit => ({ ...unit, rows: { ...unit.rows, ...rows } })

/** Another link to a remote acquirer; the acquirer simulator in the process stays as it is. */
const linked =
  (change: (link: RemoteConnector, tools: Tools) => RemoteConnector): Mutation['ports'] =>
  (tools) => ({ ...honest, acquirer: (link) => change(link, tools) })

/** The expected versions as if the trees had not changed since they were read. */
const upToDate = (unit: Unit, { disk }: Tools): Unit => ({
  ...unit,
  expectedVersions: unit.expectedVersions.map((guard) => ({
    ...guard,
    version: disk.rows.tree.get(guard.id)?.version ?? 0,
  })),
})

/** The compare-and-sets as if jobs and transactions had not changed since they were read. */
function asRead(unit: Unit, { disk }: Tools): Unit {
  const compareAndSets = unit.compareAndSets?.flatMap((compareAndSet): CompareAndSet[] => {
    if (compareAndSet.table === 'job') {
      const from = disk.rows.job.get(compareAndSet.from.id)
      return from ? [{ ...compareAndSet, from }] : []
    }
    if (compareAndSet.table !== 'payment_transaction') return [compareAndSet]
    const from = disk.rows.transactionsOf
      .get(compareAndSet.from.root_id)
      ?.find(({ id }) => id === compareAndSet.from.id)
    return from ? [{ ...compareAndSet, from }] : []
  })
  return { ...unit, compareAndSets }
}

/** A tree without its last transaction of a type. */
function without(tree: StoredTree | undefined, type: string): StoredTree | undefined {
  const last = tree?.transactions.findLast((row) => row.type === type)
  return tree && { ...tree, transactions: tree.transactions.filter((row) => row !== last) }
}

/** A storage whose trees lack their last transaction of a type when they are read. */
const forgetting =
  (type: string): Mutation['ports'] =>
  () => ({
    ...honest,
    storage: (storage) => ({ ...storage, treeOf: async (id) => without(await storage.treeOf(id), type) }),
  })

export const mutations: readonly Mutation[] = [
  {
    what: 'a commit is acknowledged before it is durable',
    found: /is not stored/,
    ports: ({ schedule, random }) => ({
      ...honest,
      storage: (storage, owner) => ({
        ...storage,
        async commit(unit) {
          if (!unit.rows.payment_transaction) return storage.commit(unit)
          schedule.after(random.below(50), owner, '', () => void storage.commit(unit).catch(() => undefined))
          return { kind: 'committed' }
        },
      }),
    }),
  },
  {
    what: 'a failed commit counts as made',
    found: /stored/,
    ports: committing((unit, storage) =>
      storage.commit(unit).catch((error: unknown) => {
        if (error instanceof StorageError) return { kind: 'committed' }
        throw error
      }),
    ),
  },
  {
    what: 'a successful commit counts as failed, and is repeated',
    found: /is stored 2 times|and the acquirer has undefined/,
    ports: committing(async (unit, storage, { random }) => {
      const result = await storage.commit(unit)
      const isLost = result.kind === 'committed' && !unit.claim && random.chance(0.2)
      return isLost ? { kind: 'stale' } : result
    }),
  },
  {
    what: 'the versions of trees are not checked',
    climate: crowded,
    found: /is more than|captures of|reversed twice/,
    ports: sending(upToDate),
  },
  {
    what: 'an Idempotency-Key is not claimed',
    found: /is stored 2 times|has two answers/,
    ports: sending((unit) => ({ ...unit, claim: undefined })),
  },
  {
    what: 'the answer under an Idempotency-Key is another one',
    found: /has two answers/,
    ports: () => ({
      ...honest,
      storage: (storage) => ({
        ...storage,
        async idempotencyKey(id) {
          const row = await storage.idempotencyKey(id)
          return row && { ...row, answer: row.answer.replace('"ndc":"', '"ndc":"0') }
        },
      }),
    }),
  },
  {
    what: 'two processes lease the same job',
    found: /is stored 2 times|more than authorised|a decided payment_transaction cannot change/,
    ports: (tools) => ({
      ...honest,
      storage: (storage) => ({
        ...storage,
        leaseJobs: (kind, lane, atMs, max) => storage.dueJobs(kind, lane, atMs, max),
        commit: (unit) => storage.commit(asRead(upToDate(unit, tools), tools)),
      }),
    }),
  },
  {
    what: 'an event is dropped',
    found: /gets \d+ events of/,
    ports: sending((unit, { random }) => (random.chance(0.1) ? withRows(unit, { event: [], job: [] }) : unit)),
  },
  {
    what: 'an event does not wait for an earlier one of its payment',
    found: /overtook/,
    ports: () => ({
      ...honest,
      storage: (storage) => ({ ...storage, firstInOrder: () => Promise.resolve(undefined) }),
    }),
  },
  {
    what: 'the position of an event follows the clock of its process',
    found: /has a position before/,
    ports: sending((unit) =>
      withRows(unit, {
        job: unit.rows.job?.map((job) => (job.line === null ? job : { ...job, line_place: job.created_at_ms })),
      }),
    ),
  },
  {
    what: 'a timer is dropped',
    found: /after its end/,
    ports: sending((unit) =>
      withRows(unit, { job: unit.rows.job?.filter(({ kind }) => kind !== 'end-authorisation') }),
    ),
  },
  {
    what: 'an event that was never sent counts as delivered',
    found: /which never received it/,
    ports: ({ random }) => ({
      ...honest,
      outgoing: (outgoing) => ({
        ...outgoing,
        send: async (request) =>
          random.chance(0.1)
            ? { kind: 'answered', status: 200, body: '', retryAfterMs: undefined, durationMs: 1 }
            : outgoing.send(request),
      }),
    }),
  },
  {
    what: 'all endpoints share one connection',
    climate: { ...crowded, moods: ['dead', 'well', 'well'], crashes: 0, jumps: 0 },
    found: /late, beside endpoints that do not answer/,
    ports: () => ({
      ...honest,
      outgoing(outgoing) {
        let last: Promise<unknown> = Promise.resolve()
        return {
          ...outgoing,
          send(request) {
            const reply = last.then(() => outgoing.send(request))
            last = reply
            return reply
          },
        }
      },
    }),
  },
  {
    what: 'a queue of jobs is never polled',
    found: /late/,
    ports: () => ({
      ...honest,
      storage: (storage) => ({
        ...storage,
        leaseJobs: async (...args) => (args[1].endsWith('1b') ? [] : storage.leaseJobs(...args)),
      }),
    }),
  },
  { what: 'the last refund is not counted', found: /is more than its/, ports: forgetting('RF') },
  { what: 'the last capture is not counted', found: /is more than authorised|captures of/, ports: forgetting('CP') },
  { what: 'the last chargeback is not counted', climate: crowded, found: /is more than its/, ports: forgetting('CB') },
  {
    what: 'no timeout reversal is sent to the acquirer',
    found: /is declined, and in the acquirer's books/,
    ports: linked((link) => ({ ...link, reverse: async () => ({ kind: 'reversed' }) })),
  },
  {
    what: 'an acquirer that was reached counts as not reached',
    found: /is declined, and in the acquirer's books/,
    ports: linked((link, { random }) => ({
      ...link,
      async send(request) {
        const reply = await link.send(request)
        return random.chance(0.2) ? { status: 'notSent', reason: 'simulated' } : reply
      },
    })),
  },
  {
    what: 'a request without an answer is sent to the acquirer again',
    found: /got two requests for/,
    ports: linked((link) => ({
      ...link,
      async send(request) {
        const reply = await link.send(request)
        return reply.status === 'unknown' ? link.send(request) : reply
      },
    })),
  },
  {
    what: 'the amount of an answer is misread',
    found: /is approved with \d+, and the acquirer has/,
    ports: linked((link) => ({
      ...link,
      async send(request) {
        const reply = await link.send(request)
        return reply.status === 'approved' ? { ...reply, amountMinor: Math.ceil(reply.amountMinor / 2) } : reply
      },
    })),
  },
  {
    what: 'requests without an answer are never reversed',
    found: /the outcome is unknown of/,
    ports: sending((unit) => withRows(unit, { job: unit.rows.job?.filter(({ kind }) => kind !== 'end-attempt') })),
  },
  {
    what: 'an attempt is resolved more than once',
    found: /a decided payment_transaction cannot change/,
    ports: sending((unit, tools) => asRead(unit, tools)),
  },
  {
    what: 'pending requests to the acquirer reserve no amount',
    found: /is more than/,
    ports: () => ({
      ...honest,
      storage: (storage) => ({
        ...storage,
        async treeOf(id) {
          const tree = await storage.treeOf(id)
          return (
            tree && { ...tree, transactions: tree.transactions.filter((row) => row.status !== 'SENT' || row.id === id) }
          )
        },
      }),
    }),
  },
  {
    what: 'the last writes are lost with the process',
    found: /which is not stored|is not stored|cannot be read/,
    ports: ({ disk, schedule, random }) => ({
      ...honest,
      storage: (storage, owner) => ({
        ...storage,
        async commit(unit) {
          const result = await storage.commit(unit)
          const [row] = unit.rows.payment_transaction ?? []
          if (result.kind === 'committed' && row && random.chance(0.2)) {
            schedule.after(random.below(3_000), world, '', () => {
              if (!owner.isAlive) disk.rows.transactionsOf.delete(row.root_id)
            })
          }
          return result
        },
      }),
    }),
  },
]
