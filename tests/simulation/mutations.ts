import type { RemoteConnector } from '@tollgate/connectors'
import type { CommitResult, Storage, StoredTree, CompareAndSet, Unit } from '@tollgate/storage'
import { StorageError } from '@tollgate/storage'
import type { SimulationConfig } from './config.ts'
import { withoutFaults, type FaultContext } from './ports.ts'
import { permanentOwner } from './schedule.ts'
import type { Change } from './simulate.ts'

/** A deliberate fault, with the layer between the product and its ports that injects it. */
export interface Mutation extends Change {
  readonly description: string
  /** Matches the message of the violation that must be found. */
  readonly violation: RegExp
  /** The first seed of the search: one near a seed that finds the fault saves time. The default is 1. */
  readonly firstSeed?: number
}

/** A configuration with many concurrent requests for the same payments, to two processes, without a remote acquirer. */
const contended: Partial<SimulationConfig> = { isShared: true, requests: 60, acquirer: undefined, hosts: undefined }

/** Ports whose storage commits with this function. */
const withCommit =
  (commit: (unit: Unit, storage: Storage, context: FaultContext) => Promise<CommitResult>): Mutation['ports'] =>
  (context) => ({
    ...withoutFaults,
    storage: (storage) => ({ ...storage, commit: (unit) => commit(unit, storage, context) }),
  })

/** Ports whose storage commits changed units. */
export const withUnits = (change: (unit: Unit, context: FaultContext) => Unit): Mutation['ports'] =>
  withCommit((unit, storage, context) => storage.commit(change(unit, context)))

export const withRows = (unit: Unit, rows: Unit['rows']): Unit => ({ ...unit, rows: { ...unit.rows, ...rows } })

/** Ports with a changed connector to a remote acquirer; the acquirer simulator in the process is not changed. */
export const withConnector =
  (change: (connector: RemoteConnector, context: FaultContext) => RemoteConnector): Mutation['ports'] =>
  (context) => ({ ...withoutFaults, acquirer: (connector) => change(connector, context) })

/** The unit with the current versions of its trees as expected versions. */
const withCurrentVersions = (unit: Unit, { disk }: FaultContext): Unit => ({
  ...unit,
  expectedVersions: unit.expectedVersions.map((expected) => ({
    ...expected,
    version: disk.rows.tree.get(expected.id)?.version ?? Number(disk.rows.transactionsOf.has(expected.id)),
  })),
})

/** The unit with compare-and-sets from the current rows of jobs and transactions. */
function withCurrentRows(unit: Unit, { disk }: FaultContext): Unit {
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
function withoutLastTransaction(tree: StoredTree | undefined, type: string): StoredTree | undefined {
  const last = tree?.transactions.findLast((row) => row.type === type)
  return tree && { ...tree, transactions: tree.transactions.filter((row) => row !== last) }
}

/** Ports whose storage reads trees without their last transaction of a type. */
const withoutLast =
  (type: string): Mutation['ports'] =>
  () => ({
    ...withoutFaults,
    storage: (storage) => ({
      ...storage,
      treeOf: async (id) => withoutLastTransaction(await storage.treeOf(id), type),
    }),
  })

/** Deliberate faults. Those of payments at hosts have a table of their own. */
export const mutations: readonly Mutation[] = [
  {
    description: 'a commit is acknowledged before it is durable',
    violation: /is not stored/,
    ports: ({ schedule, random }) => ({
      ...withoutFaults,
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
    description: 'a failed commit is reported as committed',
    firstSeed: 7,
    violation: /stored/,
    ports: withCommit((unit, storage) =>
      storage.commit(unit).catch((error: unknown) => {
        if (error instanceof StorageError) return { kind: 'committed' }
        throw error
      }),
    ),
  },
  {
    description: 'a successful commit is reported as stale, and is repeated',
    violation: /is stored 2 times|and the acquirer has undefined/,
    ports: withCommit(async (unit, storage, { random }) => {
      const result = await storage.commit(unit)
      const isLost = result.kind === 'committed' && !unit.claim && random.chance(0.2)
      return isLost ? { kind: 'stale' } : result
    }),
  },
  {
    description: 'entries of the ledger are lost',
    violation: /is approved with \d+ and has the entries $/,
    ports: withUnits((unit) => withRows(unit, { posting: unit.rows.posting?.slice(1) })),
  },
  {
    description: 'more becomes available than was pending',
    violation: /has not become available, or twice/,
    ports: withUnits((unit) => {
      const isAvailable = ({ kind }: { readonly kind: string }) => kind === 'available'
      const plusOne = <Row extends { readonly kind: string; readonly amount_minor: number }>(row: Row): Row =>
        isAvailable(row) ? { ...row, amount_minor: row.amount_minor + 1 } : row
      const { posting, ledger_day: days } = unit.rows
      if (!posting?.some(isAvailable)) return unit
      return withRows(unit, { posting: posting.map(plusOne), ledger_day: days?.map(plusOne) })
    }),
  },
  {
    description: 'transactions that become approved late are not recorded',
    config: { isShared: true },
    violation: /is approved with \d+ and has the entries $|the daily sums count/,
    ports: withCommit(async (unit, storage, { disk }) => {
      const result = await storage.commit(unit)
      if (unit.rows.payment_transaction || unit.compareAndSets?.some(({ table }) => table === 'payment_transaction'))
        disk.rows.late_transaction.clear()
      return result
    }),
  },
  {
    description: 'daily sums of the ledger are lost',
    violation: /the sum of .+ is undefined|the sum of .+ is \d+, not \d+/,
    ports: withUnits((unit) => withRows(unit, { ledger_day: unit.rows.ledger_day?.slice(1) })),
  },
  {
    description: 'counts of transactions are lost',
    violation: /the daily sums count \d+ transactions/,
    ports: withUnits((unit) => withRows(unit, { transaction_day: unit.rows.transaction_day?.slice(1) })),
  },
  {
    description: 'the ledger passes a transaction that it has not read',
    violation: /is approved with \d+ and has the entries $|the daily sums count/,
    ports: () => ({
      ...withoutFaults,
      storage: (storage) => ({
        ...storage,
        rootsFrom: async (...args) => (await storage.rootsFrom(...args)).slice(1),
      }),
    }),
  },
  {
    description: 'the progress of the ledger is not stored, and a page is posted again',
    violation: /a key exists already/,
    ports: withUnits((unit) => ({
      ...unit,
      compareAndSets: unit.compareAndSets?.map((compareAndSet) =>
        compareAndSet.table === 'transaction_feed' && unit.rows.posting?.length
          ? { ...compareAndSet, to: compareAndSet.from }
          : compareAndSet,
      ),
    })),
  },
  {
    description: 'late transactions are never posted',
    config: { isShared: true },
    violation: /the ledger has not read/,
    ports: () => ({
      ...withoutFaults,
      storage: (storage) => ({ ...storage, lateTransactions: async () => [] }),
    }),
  },
  {
    description: 'the versions of trees are not checked',
    config: contended,
    violation: /is more than|captures of|reversed twice/,
    ports: withUnits(withCurrentVersions),
  },
  {
    description: 'an Idempotency-Key is not claimed',
    violation: /is stored 2 times|has two answers/,
    ports: withUnits((unit) => ({ ...unit, claim: undefined })),
  },
  {
    description: 'the stored answer of an Idempotency-Key is changed',
    violation: /has two answers/,
    ports: () => ({
      ...withoutFaults,
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
    description: 'two processes lease the same job',
    violation: /is stored 2 times|more than authorised|a decided payment_transaction cannot change/,
    ports: (context) => ({
      ...withoutFaults,
      storage: (storage) => ({
        ...storage,
        leaseJobs: (kind, queue, atMs, max) => storage.dueJobs(kind, queue, atMs, max),
        commit: (unit) => storage.commit(withCurrentRows(withCurrentVersions(unit, context), context)),
      }),
    }),
  },
  {
    description: 'the events and jobs of a unit are dropped',
    violation: /gets \d+ events of/,
    ports: withUnits((unit, { random }) => (random.chance(0.1) ? withRows(unit, { event: [], job: [] }) : unit)),
  },
  {
    description: 'an event does not wait for an earlier one of its payment',
    violation: /overtook/,
    ports: () => ({
      ...withoutFaults,
      storage: (storage) => ({ ...storage, firstInOrder: () => Promise.resolve(undefined) }),
    }),
  },
  {
    description: 'the position of an event follows the clock of its process',
    firstSeed: 6,
    violation: /has a position before/,
    ports: withUnits((unit) =>
      withRows(unit, {
        job: unit.rows.job?.map((job) => (job.line === null ? job : { ...job, line_place: job.created_at_ms })),
      }),
    ),
  },
  {
    description: 'a timer is dropped',
    violation: /after its expiry/,
    ports: withUnits((unit) =>
      withRows(unit, { job: unit.rows.job?.filter(({ kind }) => kind !== 'end-authorisation') }),
    ),
  },
  {
    description: 'an event that was never sent is reported as delivered',
    violation: /which never accepted it/,
    ports: ({ random }) => ({
      ...withoutFaults,
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
    description: 'all endpoints share one connection',
    config: { ...contended, endpointStates: ['unresponsive', 'healthy', 'healthy'], crashes: 0, jumps: 0 },
    violation: /an unresponsive endpoint must not delay/,
    ports: () => ({
      ...withoutFaults,
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
    description: 'a queue of jobs is never polled',
    violation: /overdue/,
    ports: () => ({
      ...withoutFaults,
      storage: (storage) => ({
        ...storage,
        leaseJobs: async (...args) => (args[1].endsWith('1b') ? [] : storage.leaseJobs(...args)),
      }),
    }),
  },
  { description: 'the last refund is not counted', violation: /is more than its/, ports: withoutLast('RF') },
  {
    description: 'the last capture is not counted',
    violation: /is more than authorised|captures of/,
    ports: withoutLast('CP'),
  },
  {
    description: 'the last chargeback is not counted',
    config: contended,
    violation: /is more than its/,
    ports: withoutLast('CB'),
  },
  {
    description: 'no timeout reversal is sent to the acquirer',
    violation: /is declined, and in the acquirer's books/,
    ports: withConnector((connector) => ({ ...connector, reverse: async () => ({ kind: 'reversed' }) })),
  },
  {
    description: 'a request that was sent to the acquirer is reported as not sent',
    violation: /is declined, and in the acquirer's books/,
    ports: withConnector((connector, { random }) => ({
      ...connector,
      async send(request) {
        const reply = await connector.send(request)
        return random.chance(0.2) ? { status: 'notSent', reason: 'simulated' } : reply
      },
    })),
  },
  {
    description: 'a request without an answer is sent to the acquirer again',
    violation: /got two requests for/,
    ports: withConnector((connector) => ({
      ...connector,
      async send(request) {
        const reply = await connector.send(request)
        return reply.status === 'unknown' ? connector.send(request) : reply
      },
    })),
  },
  {
    description: 'the amount of an answer is misread',
    violation: /is approved with \d+, and the acquirer has/,
    ports: withConnector((connector) => ({
      ...connector,
      async send(request) {
        const reply = await connector.send(request)
        return reply.status === 'approved' ? { ...reply, amountMinor: Math.ceil(reply.amountMinor / 2) } : reply
      },
    })),
  },
  {
    description: 'requests without an answer are never reversed',
    violation: /the outcome of .+ is unknown/,
    ports: withUnits((unit) => withRows(unit, { job: unit.rows.job?.filter(({ kind }) => kind !== 'end-attempt') })),
  },
  {
    description: 'a remote request is resolved more than once',
    firstSeed: 7,
    violation: /a decided payment_transaction cannot change/,
    ports: withUnits((unit, context) => withCurrentRows(unit, context)),
  },
  {
    description: 'pending requests to the acquirer reserve no amount',
    violation: /is more than/,
    ports: () => ({
      ...withoutFaults,
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
    description: 'a crash loses payments that were changed shortly before',
    violation: /which is not stored|is not stored|cannot be read/,
    ports: ({ disk, schedule, random }) => ({
      ...withoutFaults,
      storage: (storage, owner) => ({
        ...storage,
        async commit(unit) {
          const result = await storage.commit(unit)
          const [row] = unit.rows.payment_transaction ?? []
          if (result.kind === 'committed' && row) {
            schedule.after(random.below(3_000), permanentOwner, '', () => {
              if (!owner.isRunning) disk.rows.transactionsOf.delete(row.root_id)
            })
          }
          return result
        },
      }),
    }),
  },
]
