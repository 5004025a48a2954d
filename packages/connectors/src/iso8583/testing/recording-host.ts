import { decodePrivateData, encodeMessage, type LinkOutcome, specs } from '@tollgate/iso8583'
import type { AcquirerOperation, AcquirerRequest, OpenRequest, ReversalAttempt, ReversalReason } from '../../port.ts'
import type { IsoFields, IsoMessage } from '../answer.ts'
import { createIso8583Connector } from '../connector.ts'
import type { AcquirerProfile } from '../profile.ts'
import { asciiText, networkId, profile, request } from '../requests/testing/requests.ts'
import type { Trace } from '../trace.ts'

export type HostOutcome = LinkOutcome<IsoFields>
type Texts = Readonly<Record<string, string>>

/** A message as the host received it: its values as texts, its private data by tag. */
interface Received {
  readonly type: string
  readonly fields: Texts
  readonly elements: Texts
}

const textOf = (value: string | Uint8Array): string => (value instanceof Uint8Array ? asciiText(value) : value)

function receive({ type, fields }: IsoMessage): Received {
  const texts = Object.entries(fields).flatMap(([number, value]) =>
    value === undefined ? [] : [[number, textOf(value)]],
  )
  const elements = Array.from(decodePrivateData(fields[48] ?? new Uint8Array()), ([tag, value]) => [
    tag,
    asciiText(value),
  ])
  return { type, fields: Object.fromEntries(texts), elements: Object.fromEntries(elements) }
}

/** An answer that repeats the fields of a message. */
export function answerOf({ fields }: IsoMessage, changes: IsoMessage['fields'] = {}): HostOutcome {
  const { 3: processing, 4: amount, 37: reference, 41: terminal, 42: merchant, 49: currency } = fields
  const repeated = { 3: processing, 4: amount, 37: reference, 41: terminal, 42: merchant, 49: currency }
  return { kind: 'answer', message: { type: '0000', fields: { ...repeated, 38: 'A1B2C3', 39: '00', ...changes } } }
}

interface HostOptions {
  /** The outcome of each message; by default the host approves all of them. */
  readonly answer?: (message: IsoMessage) => HostOutcome
  readonly profile?: Partial<AcquirerProfile>
  readonly hasNumbers?: boolean
  /** Whether a link is ready when a reversal or repeat waits for it. */
  readonly isReady?: (signal?: AbortSignal) => boolean | Promise<boolean>
}

/** A connector and a host that records the messages, with trace numbers from 1, one a minute. */
export function connectHost({
  answer = answerOf,
  profile: changes = {},
  hasNumbers = true,
  isReady = () => true,
}: HostOptions = {}) {
  const used = { ...profile, ...changes }
  const messages: IsoMessage[] = []
  const received: Received[] = []
  const answers: IsoMessage[] = []
  const mismatches: number[] = []
  const events: string[] = []
  let drawn = 0
  let isClosed = false

  async function nextTrace(terminalId = 'TERM0001'): Promise<Trace | undefined> {
    if (!hasNumbers) return undefined
    drawn += 1
    events.push(`trace ${drawn}`)
    return { terminalId, stan: `00000${drawn}`, atMs: Date.parse('2026-11-20T09:30:00Z') + drawn * 60_000 }
  }

  const connector = createIso8583Connector({
    name: 'external',
    profile: used,
    host: {
      async send(message) {
        messages.push(message)
        // As a link does, the host throws a FieldError before it sends a byte.
        encodeMessage(specs[used.spec], message).fill(0)
        received.push(receive(message))
        events.push(message.type)
        const outcome = answer(message)
        if (outcome.kind === 'answer') answers.push(outcome.message)
        return outcome
      },
      testConnections: async () => [],
      open: () => {},
      isReady: () => true,
      untilReady: async (signal) => {
        events.push('untilReady')
        return isReady(signal)
      },
      close: async () => void (isClosed = true),
    },
    nextTrace,
    onMismatch: (field) => void mismatches.push(field),
  })

  /** Draws references for a request, and sends it with them. */
  async function pay(sent: AcquirerRequest) {
    const sentAs = await connector.references?.(sent)
    return { sentAs: sentAs ?? '', reply: await connector.send(sent, sentAs) }
  }

  async function attempt(
    open: OpenRequest,
    sentAs: string,
    reason: ReversalReason = 'noAnswer',
  ): Promise<ReversalAttempt> {
    const reversalSentAs = await connector.references?.(open, { sentAs, reason })
    return { sentAs, reversalSentAs: reversalSentAs ?? '', isRepeat: false }
  }

  return { connector, messages, received, answers, mismatches, events, pay, attempt, isClosed: () => isClosed }
}

export const unknown = (): HostOutcome => ({ kind: 'unknown' })

/** The part of a request that is stored. */
export function openOf(sent: AcquirerRequest): OpenRequest {
  const { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs } = sent
  return { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs }
}

/** The preauthorisation of 92.00 that follow-ups refer to. */
export const original = {
  transactionId: '8ac7a4a0000000000000000000000002',
  references: ['632409000123', '010000012311200930150000040012300000000000', 'A1B2C3'],
  networkTransactionId: networkId,
  amountMinor: 9200,
}

export const followUp = (
  operation: AcquirerOperation,
  changes: Partial<AcquirerRequest> = {},
  parameters: Texts = {},
) => request({ operation, original, ...changes }, parameters)

export const capture = (changes: Partial<AcquirerRequest> = {}, parameters: Texts = {}) =>
  followUp('CP', { original: { ...original, captureSequence: 2 }, ...changes }, parameters)

/** A sale that card and terminal approved the day before. */
export const offlineSale = (changes: Partial<AcquirerRequest> = {}) =>
  request({
    operation: 'DB',
    offlineApproval: { approvalCode: 'Y3', responseCode: 'Y3', date: '261119', time: '235959' },
    ...changes,
  })

/** The fields of a message whose secrets are not erased. */
export function nonZero({ type, fields }: IsoMessage): readonly string[] {
  return Object.entries(fields)
    .filter(([, value]) => value instanceof Uint8Array && value.some((byte) => byte !== 0))
    .map(([number]) => `${type} field ${number}`)
}
