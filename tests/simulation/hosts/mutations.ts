import type { ReversalAttempt } from '@tollgate/connectors'
import type { AcquirerAttemptRow, CompareAndSet } from '@tollgate/storage'
import type { HostsConfig, SimulationConfig } from '../config.ts'
import { type Mutation, withConnector, withRows, withUnits } from '../mutations.ts'
import { withoutFaults } from '../ports.ts'
import { cardNumbers } from '../shop-requests.ts'
import { noHostFaults } from './faults.ts'

/** The configuration of two instances with hosts whose answers are often lost. */
const lossy = (kind: HostsConfig['kind']): Partial<SimulationConfig> => ({
  isShared: true,
  requests: 40,
  acquirer: undefined,
  hosts: {
    kind,
    order: 'weight',
    terminals: 3,
    crashes: 1,
    faults: { ...noHostFaults(), knobs: { ...noHostFaults().knobs, dropResponse: 0.2 }, slowestMs: 20 },
  },
})

/** The configuration of payments at two hosts, which are settled. */
const settled: Partial<SimulationConfig> = {
  isShared: true,
  requests: 40,
  acquirer: undefined,
  hosts: { kind: 'routes', order: 'listed', terminals: 3, crashes: 0, faults: noHostFaults() },
}

const isRequest = ({ kind }: AcquirerAttemptRow) => kind === 'request'

/** The attempts as if they were sent to one connector. */
const sentTo =
  (connector: string) =>
  (attempts: readonly AcquirerAttemptRow[]): AcquirerAttemptRow[] =>
    attempts.map((attempt) => ({ ...attempt, connector }))

/** A reversal whose request had another trace number. */
function withOtherTrace(attempt: ReversalAttempt): ReversalAttempt {
  const sentAs: { readonly stan: string } = JSON.parse(attempt.sentAs)
  return { ...attempt, sentAs: JSON.stringify({ ...sentAs, stan: `9${sentAs.stan.slice(1)}` }) }
}

/** Deliberate faults of payments at the hosts of acquirers. */
export const hostMutations: readonly Mutation[] = [
  {
    description: 'an unknown request is sent to the next connector of its route',
    firstSeed: 12,
    config: lossy('routes'),
    violation: /is approved at \w+, and was sent to/,
    ports: withConnector((connector) => ({
      ...connector,
      async send(request, sentAs) {
        const reply = await connector.send(request, sentAs)
        return reply.status === 'unknown' ? { status: 'notSent', reason: 'simulated' } : reply
      },
    })),
  },
  {
    description: 'an attempt is stored after its request is sent',
    config: lossy('external'),
    violation: /that is not stored/,
    ports: ({ schedule, random }) => ({
      ...withoutFaults,
      storage: (storage, owner) => ({
        ...storage,
        async commit(unit) {
          const { acquirer_attempt: attempts = [] } = unit.rows
          if (!attempts.some(isRequest)) return storage.commit(unit)
          const result = await storage.commit(withRows(unit, { acquirer_attempt: [] }))
          const later = { id: `${unit.id}-late`, expectedVersions: [], rows: { acquirer_attempt: attempts } }
          schedule.after(random.below(5_000), owner, '', () => void storage.commit(later).catch(() => undefined))
          return result
        },
      }),
    }),
  },
  {
    description: 'a reversal is not sent to the host',
    config: lossy('external'),
    violation: /is declined, and in the acquirer's books/,
    ports: withConnector((connector) => ({ ...connector, reverse: async () => ({ kind: 'reversed' }) })),
  },
  {
    description: 'the reversal of a request without an answer is forgotten',
    config: lossy('routes'),
    violation: /the outcome of .+ is unknown/,
    ports: withUnits((unit) => withRows(unit, { job: unit.rows.job?.filter(({ kind }) => kind !== 'end-attempt') })),
  },
  {
    description: 'some reversals count as acknowledged before they are sent',
    config: lossy('external'),
    violation: /is declined, and in the acquirer's books/,
    ports: withConnector((connector, { random }) => ({
      ...connector,
      reverse: async (...args) => (random.chance(0.5) ? { kind: 'reversed' } : connector.reverse(...args)),
    })),
  },
  {
    description: 'follow-ups and reversals go to another acquirer than their payment',
    firstSeed: 6,
    config: lossy('routes'),
    violation: /declined a capture with 25|is declined, and in the acquirer's books/,
    ports: () => ({
      ...withoutFaults,
      storage: (storage) => ({
        ...storage,
        acquirerAttempts: async (id) => sentTo('north')(await storage.acquirerAttempts(id)),
      }),
    }),
  },
  {
    description: 'a follow-up has the terminal id of the process that sends it',
    firstSeed: 13,
    config: lossy('external'),
    violation: /declined a capture with 25/,
    ports: withConnector((connector) => ({
      ...connector,
      references: async (request, reversal) => connector.references?.({ ...request, original: undefined }, reversal),
    })),
  },
  {
    description: 'two processes reserve the same trace numbers',
    config: lossy('external'),
    violation: /two messages with the trace number|the trace number .+ is used twice/,
    ports: (context) => ({
      ...withoutFaults,
      storage: (storage) => ({
        ...storage,
        terminals: async () => (await storage.terminals()).map((row) => ({ ...row, held_by: null, next_trace: 1 })),
        commit: (unit) =>
          storage.commit({
            ...unit,
            compareAndSets: unit.compareAndSets?.flatMap((compareAndSet): CompareAndSet[] => {
              if (compareAndSet.table !== 'terminal') return [compareAndSet]
              const from = context.disk.rows.terminal.get(compareAndSet.from.id)
              return from ? [{ ...compareAndSet, from }] : []
            }),
          }),
      }),
    }),
  },
  {
    description: 'the repeat of a capture has another trace number',
    firstSeed: 10,
    config: lossy('external'),
    violation: /that is not stored|declined a capture|got two messages/,
    ports: withConnector((connector) => ({
      ...connector,
      reverse: (request, attempt, ...rest) =>
        connector.reverse(request, attempt && request.operation === 'CP' ? withOtherTrace(attempt) : attempt, ...rest),
    })),
  },
  {
    description: 'the last capture is not counted, and the host refuses the next one',
    config: lossy('external'),
    violation: /declined a capture with (?:12|64)|is more than authorised|captures of/,
    ports: () => ({
      ...withoutFaults,
      storage: (storage) => ({
        ...storage,
        async treeOf(id) {
          const tree = await storage.treeOf(id)
          const last = tree?.transactions.findLast(({ type }) => type === 'CP')
          return tree && { ...tree, transactions: tree.transactions.filter((row) => row !== last || row.id === id) }
        },
      }),
    }),
  },
  {
    description: 'entries of settled rows are lost',
    config: settled,
    violation: /the bank has|the settled rows have/,
    ports: withUnits((unit) =>
      unit.rows.settlement_row?.length ? withRows(unit, { posting: [], ledger_day: [] }) : unit,
    ),
  },
  {
    description: 'rows of a settlement file are stored without its progress',
    config: settled,
    violation: /stored rows, and \d+ were read|a key exists already/,
    ports: withUnits((unit) => ({
      ...unit,
      compareAndSets: unit.compareAndSets?.map((compareAndSet) =>
        compareAndSet.table === 'settlement_file' && unit.rows.settlement_row?.length
          ? { ...compareAndSet, to: compareAndSet.from }
          : compareAndSet,
      ),
    })),
  },
  {
    description: 'a row of a settlement file is lost',
    config: settled,
    violation: /stored rows, and \d+ were read|rows, and \d+ are stored/,
    ports: withUnits((unit) => withRows(unit, { settlement_row: unit.rows.settlement_row?.slice(1) })),
  },
  {
    description: 'an attempt contains the card number',
    config: lossy('routes'),
    violation: /has a card number/,
    ports: withUnits((unit) =>
      withRows(unit, {
        acquirer_attempt: unit.rows.acquirer_attempt?.map((attempt) => ({
          ...attempt,
          sent_as: attempt.sent_as.replace('"fields":{', `"fields":{"2":"${cardNumbers[0]}",`),
        })),
      }),
    ),
  },
]
