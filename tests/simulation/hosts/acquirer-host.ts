import type { Duplex } from 'node:stream'
import {
  type AcquirerHost,
  createCardIndex,
  createHeldAnswers,
  createHost,
  createHostState,
  firstTypeOf,
  type HostMessage,
  type HostReply,
  hostSpecs,
  type HostState,
  messageTypes,
  newestTransactions,
  serveConnection,
  type TransactionView,
} from '@tollgate/simulators/testing'
import type { Random } from '../../support/random.ts'
import { type Owner, permanentOwner, type Schedule } from '../schedule.ts'
import { connectProcesses } from './connection.ts'
import { drawnFaults, type HostFaults } from './faults.ts'
import { createJournal } from './journal.ts'

/** The test host of an acquirer, in a process of its own that crashes and replays its journal. */
export interface SimulatedHost {
  /** The name of its connector. */
  readonly name: string
  /** Opens a connection of an instance; rejects if the host does not run. */
  readonly dial: (owner: Owner) => Promise<Duplex>
  /** The transactions in its memory, or on its disk while it does not run; the newest first. */
  readonly transactions: () => readonly TransactionView[]
  readonly crash: () => void
  /** The number of messages of each type that it has processed. */
  readonly received: ReadonlyMap<string, number>
}

interface Parts {
  readonly name: string
  readonly schedule: Schedule
  readonly random: Random
  readonly faults: HostFaults
  readonly wallMs: () => number
  readonly note: (line: string) => void
  /** Reports a message that a host must never get. */
  readonly reportDefect: (description: string) => void
}

/** The maximum number of transactions of a simulation. */
const TRANSACTIONS_MAX = 10_000
/** The maximum time without a process after a crash: longer than a payment waits for its acquirer. */
const DOWN_MS_MAX = 40_000

/** Answers without the issuer: error, again, issuer not available. */
const withoutIssuer = ['06', '19', '91'] as const

export function createSimulatedHost(parts: Parts): SimulatedHost {
  const { name, schedule, random, faults, wallMs, note, reportDefect } = parts
  const journal = createJournal(schedule, random)
  const cards = createCardIndex(new Uint8Array(32).fill(7))
  const received = new Map<string, number>()
  /** The trace numbers of messages that were received, each with terminal and day. */
  const traces = new Set<string>()
  const open = new Set<{ readonly client: Duplex; readonly owner: Owner }>()
  let owner: Owner = { isRunning: false }
  let state: HostState = createHostState()
  let serve: ((socket: Parameters<typeof serveConnection>[0]) => void) | undefined

  const transferMs = () => random.below(faults.slowestMs + 1)

  /** A trace number is used for one message of its terminal and day. Only repeats have the number of another one. */
  function checkTrace({ type, fields }: HostMessage): void {
    const kind = messageTypes[type]
    if (!kind || kind.class === 'network' || kind.isRepeat) return
    const trace = `${fields[41]} ${fields[7]?.slice(0, 4)} ${fields[11]}`
    if (traces.has(trace)) reportDefect(`${name} got two messages with the trace number ${trace}, a ${type}`)
    traces.add(trace)
  }

  function countMessage({ type, fields }: HostMessage): void {
    if (messageTypes[type]?.class === 'network') return
    received.set(type, (received.get(type) ?? 0) + 1)
    note(`${name} gets ${type} ${fields[41]} ${fields[11]}`)
  }

  /** The host, which sometimes answers a request without its issuer, and then keeps nothing of it. */
  const withChecks = (host: AcquirerHost): AcquirerHost => ({
    ...host,
    handle(message, session) {
      checkTrace(message)
      countMessage(message)
      const isRequest = ['0100', '0200'].includes(firstTypeOf(message.type))
      if (!isRequest || !random.chance(faults.unreachableIssuers)) return host.handle(message, session)
      const reply = host.handle(message, { isSignedOn: false })
      return reply && withCode(reply, random.pick(withoutIssuer))
    },
  })

  function start(): void {
    const process: Owner = { isRunning: true }
    owner = process
    state = journal.replay()
    const host = withChecks(createHost({ now: wallMs }, cards, state, journal.open(process)))
    const environment = {
      host,
      header: 'binary2',
      spec: hostSpecs.ascii1987,
      faults: drawnFaults(random, faults),
      heldAnswers: createHeldAnswers(),
      counters: { connections: 0, messages: 0, answers: 0, undecodable: 0, ignored: 0 },
      after: (delayMs: number, callback: () => void) => schedule.after(delayMs, process, '', callback),
      fail: (error: unknown) => reportDefect(`${name}: ${String(error)}`),
    } as const
    serve = (socket) => serveConnection(socket, environment)
    note(`${name} has started`)
  }

  start()

  return {
    name,
    received,
    dial: (clientOwner) =>
      new Promise((resolve, reject) => {
        const fail = random.chance(faults.failedConnections)
        schedule.after(transferMs(), clientOwner, '', () => {
          if (fail || !serve) return reject(new Error('the connection was refused'))
          const { client, host } = connectProcesses({ schedule, transferMs }, clientOwner, owner)
          const connection = { client, owner: clientOwner }
          open.add(connection)
          client.once('close', () => open.delete(connection))
          serve(host)
          return resolve(client)
        })
      }),
    transactions: () => newestTransactions(state, {}, TRANSACTIONS_MAX),
    crash() {
      if (!serve) return
      note(`${name} crashes`)
      owner.isRunning = false
      serve = undefined
      journal.crash()
      state = journal.replay()
      for (const { client, owner: clientOwner } of open)
        schedule.after(transferMs(), clientOwner, '', () => void client.destroy())
      open.clear()
      schedule.after(random.below(random.pick([1_000, DOWN_MS_MAX])), permanentOwner, '', start)
    },
  }
}

const withCode = ({ answer, durable }: HostReply, code: string): HostReply => ({
  answer: { type: answer.type, fields: { ...answer.fields, 39: code } },
  durable,
})
