import type { AcquirerHost, AcquirerProfile, IsoFields, IsoMessage } from '@tollgate/connectors'
import {
  joinLinks,
  type LinkGroup,
  type LinkOptions,
  networkCodes,
  responseTypeOf,
  startLink,
  specs,
} from '@tollgate/iso8583'
import { bracketed } from '../config.ts'
import type { EventLoop } from '../runtime/event-loop.ts'
import type { Counter, Durations, Log } from '@tollgate/operations'
import { type DialLink, dialLink, type LinkAddress } from './dial-link.ts'
import { reasonOfCode } from './failure-reasons.ts'

/** Counts for metrics. The account's name is their label `acquirer`. */
export interface HostCounts {
  readonly acquirerMessages: Counter
  readonly acquirerTimes: Durations
  readonly acquirerLinks: Map<string, () => readonly boolean[]>
}

interface HostOptions {
  /** The account's name. */
  readonly name: string
  /** Each address gets a link; while one is lost, requests are sent on the others. */
  readonly addresses: readonly LinkAddress[]
  readonly profile: AcquirerProfile
  readonly eventLoop: EventLoop
  readonly clock: { now(): number }
  readonly log: Log
  readonly counts: HostCounts
  /** By default TCP or TLS. */
  readonly dial?: DialLink | undefined
}

const ACCEPTED = '00'
const NOT_SUPPORTED = '40'
const LAST_TRACE = 999_999

/**
 * The host of an acquirer, by ISO 8583 on TCP or TLS, with a link to each of its addresses. Nothing is sent before
 * `open`.
 */
export function createAcquirerHost(options: HostOptions): AcquirerHost {
  const { name, counts, eventLoop } = options
  let group: LinkGroup<IsoFields> | undefined
  const linkStates = () => (group?.links ?? []).map((link) => link.isReady())
  /** Ends the waits for a link. */
  const waiting = new Set<() => void>()
  const onReady = () => {
    for (const resolve of waiting) resolve()
  }
  return {
    open() {
      group ??= startLinks(options, onReady)
      counts.acquirerLinks.set(name, linkStates)
    },
    async send(message) {
      if (!group) return { kind: 'notSent', reason: 'the links are not open' }
      const sentMs = eventLoop.now()
      const outcome = await group.send(message)
      counts.acquirerMessages.add(name, message.type, outcomeLabels[outcome.kind])
      if (outcome.kind === 'answer') counts.acquirerTimes.add(name, eventLoop.now() - sentMs)
      return outcome
    },
    isReady: () => group?.isReady() ?? false,
    async untilReady(signal) {
      if (group?.isReady() || signal === undefined) return group?.isReady() ?? false
      if (signal.aborted) return false
      await new Promise<void>((resolve) => {
        const end = () => {
          waiting.delete(end)
          signal.removeEventListener('abort', end)
          resolve()
        }
        waiting.add(end)
        signal.addEventListener('abort', end)
      })
      return !signal.aborted
    },
    async testConnections() {
      const links = group?.links ?? []
      return Promise.all(
        links.map(async (link, index) => {
          const { host, port } = options.addresses[index] ?? { host: '', port: 0 }
          const startedMs = eventLoop.now()
          const reason = await link.test()
          const failure = reason && (reasonOfCode(reason) ?? reason)
          return { address: `${bracketed(host)}:${port}`, tookMs: eventLoop.now() - startedMs, failure }
        }),
      )
    },
    async close() {
      await group?.close()
      // The successor of a replaced connector has the same name, and is already open.
      if (counts.acquirerLinks.get(name) === linkStates) counts.acquirerLinks.delete(name)
    },
  }
}

const outcomeLabels = { answer: 'answered', unknown: 'unanswered', notSent: 'not_sent' } as const

function startLinks(
  { addresses, profile, eventLoop, clock, log, dial = dialLink }: HostOptions,
  onReady: () => void,
): LinkGroup<IsoFields> {
  // Network messages name no terminal, so their trace numbers cannot be those of a payment.
  let trace = 0
  const networkFields = (): IsoMessage['fields'] => {
    trace = (trace % LAST_TRACE) + 1
    const digits = new Date(clock.now()).toISOString().replaceAll(/[^0-9]/g, '')
    const fields = { 7: digits.slice(4, 14), 12: digits.slice(8, 14), 13: digits.slice(4, 8), 32: profile.acquirerId }
    return { ...fields, 11: String(trace).padStart(6, '0') }
  }
  return joinLinks(
    addresses.map((address) => {
      const options: LinkOptions<IsoFields> = {
        spec: specs[profile.spec],
        header: profile.header,
        dial: (signal) => dial(address, signal),
        startTimer: eventLoop.startTimer,
        // "Key = MTI class + DE41 + DE11 plus DE7"
        matchFields: [41, 11, 7],
        networkRequest: (code) => ({ type: '0800', fields: { ...networkFields(), 70: code } }),
        networkAnswer,
        networkCodeOf: ({ fields }) => fields[70],
        isAccepted: ({ fields }) => fields[39] === ACCEPTED,
        onEvent(event) {
          const line = { acquirer: profile.name, link: `${address.host}:${address.port}`, event: event.kind }
          if (event.kind === 'ready') onReady()
          if (event.kind === 'signedOff') log.error(line)
          else if (event.kind === 'lost') log.error({ ...line, error: reasonOfCode(event.reason) ?? event.reason })
          else if (event.kind === 'unmatched') log.info({ ...line, type: event.type, ...namesOf(event.matched) })
          else log.info(line)
        },
      }
      return startLink(options)
    }),
  )
}

const supportedCodes: ReadonlySet<string | undefined> = new Set(Object.values(networkCodes))

/** The answer to a network request of the host. A change of keys, say, is refused: the gateway has no keys of links. */
function networkAnswer({ type, fields }: IsoMessage): IsoMessage {
  const { 7: sentAt, 11: trace, 12: time, 13: date, 32: acquirer, 33: forwarder, 70: code } = fields
  const repeated = { 7: sentAt, 11: trace, 12: time, 13: date, 32: acquirer, 33: forwarder, 70: code }
  const response = supportedCodes.has(code) ? ACCEPTED : NOT_SUPPORTED
  return { type: responseTypeOf(type), fields: { ...repeated, 39: response } }
}

/** The names of the message that an answer is to: terminal, trace number and time. */
const namesOf = ({ 41: terminal, 11: trace, 7: sentAt }: Readonly<Record<number, string>>) => ({
  ...(terminal !== undefined && { terminal: terminal.trim() }),
  ...(trace !== undefined && { trace }),
  ...(sentAt !== undefined && { sentAt }),
})
