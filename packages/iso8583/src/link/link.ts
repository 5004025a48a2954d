import type { Duplex } from 'node:stream'
import { decodeMessage } from '../codec.ts'
import { bytesOf } from '../content.ts'
import type { Fields, Message } from '../field.ts'
import { FieldError } from '../field-error.ts'
import { createFrameReader, encodeInFrame, type Frame, type HeaderName } from '../frames.ts'
import { limits } from '../limits.ts'
import type { Spec } from '../spec.ts'
import { wipeMessage } from '../wipe-message.ts'
import { createFrameWriter } from './frame-writer.ts'
import { classOf, isRepeatType, isRequestType, responseTypeOf } from './message-type.ts'

/**
 * The outcome of a request. notSent: no byte of it was sent. unknown: it may have been received, and its answer did not
 * arrive.
 */
export type LinkOutcome<F extends Fields> =
  | { readonly kind: 'answer'; readonly message: Message<F> }
  | { readonly kind: 'notSent'; readonly reason: string }
  | { readonly kind: 'unknown' }

/** The purpose of a network message (field 70). */
export const networkCodes = { signOn: '001', signOff: '002', cutover: '201', echo: '301' } as const
export type NetworkCode = (typeof networkCodes)[keyof typeof networkCodes]

/** An event for logs and metrics. It has no value of a message, except those by which an answer is matched. */
export type LinkEvent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'lost'; readonly reason: string }
  /** The host has signed off: it takes no requests until it signs on again. */
  | { readonly kind: 'signedOff' }
  /** An answer without a request that waits for it: it is late, or belongs to another request. */
  | { readonly kind: 'unmatched'; readonly type: string; readonly matched: Readonly<Record<number, string>> }
  | { readonly kind: 'cutover' }

export interface LinkOptions<F extends Fields> {
  readonly spec: Spec<F>
  readonly header: HeaderName
  /** Opens a connection; rejects with a reason for people. */
  readonly dial: (signal: AbortSignal) => Promise<Duplex>
  /** Calls back after a time. @returns ends the timer */
  readonly startTimer: (ms: number, onEnd: () => void) => () => void
  /** The fields by which an answer is matched with its request, besides the class of its type. */
  readonly matchFields: readonly (keyof F & number)[]
  /** Creates a network request with a trace number of its own. */
  readonly networkRequest: (code: NetworkCode) => Message<F>
  /** Creates the answer to a network request of the host. */
  readonly networkAnswer: (request: Message<F>) => Message<F>
  /** The code in a network message, from field 70 or 24. */
  readonly networkCodeOf: (message: Message<F>) => string | undefined
  /** Whether the host accepted a network request. */
  readonly isAccepted: (answer: Message<F>) => boolean
  readonly onEvent: (event: LinkEvent) => void
}

/** One connection to a host, which is opened again after it was lost. */
export interface Link<F extends Fields> {
  /** Whether the host has accepted the sign-on, and has not signed off. */
  readonly isReady: () => boolean
  /** Requests that wait for an answer. */
  readonly waiting: () => number
  /**
   * Sends a request, and waits for its answer for at most `limits.answerMs`. A repeat may be sent while its first
   * message waits: one answer is that of both.
   *
   * @throws FieldError if the message is invalid; nothing was sent
   */
  readonly send: (message: Message<F>) => Promise<LinkOutcome<F>>
  /**
   * Sends an echo. While the link has not yet connected for the first time, it waits for the result.
   *
   * @returns undefined if the host has accepted the echo; otherwise the reason why it has not, or why the link is down
   */
  readonly test: () => Promise<string | undefined>
  /** Signs off once no request waits, and ends the connection. */
  readonly close: () => Promise<void>
}

/** A connection to the host, with its writer of frames. */
interface Connection {
  readonly stream: Duplex
  readonly writeFrame: (frame: Uint8Array) => void
}

interface Waiting<F extends Fields> {
  readonly responseType: string
  readonly resolve: (outcome: LinkOutcome<F>) => void
  /** Whether its wait is over: it receives no answer any more. */
  isOver: boolean
}

/** Starts a link. It connects and signs on until it is closed. */
export function startLink<F extends Fields>(options: LinkOptions<F>): Link<F> {
  const { spec, header, dial, startTimer, onEvent } = options
  const waiting = new Map<string, Waiting<F>>()
  const closing = new AbortController()
  let connected: Connection | undefined
  /** Whether the host has accepted the sign-on of the connection. */
  let isSignedOn = false
  let hasHostSignedOff = false
  /** Whether the host has answered a request after the sign-on, or the connection has lasted `limits.stableMs`. */
  let isStable = false
  let isClosing = false
  /** The reason why the last connection was lost; undefined: none was. */
  let lossReason: string | undefined
  /** Resolves the waits for the first connection. */
  let onConnected: () => void = () => undefined
  const firstConnection = new Promise<void>((resolve) => {
    onConnected = resolve
  })
  /** Whether a frame has arrived since the last check of an idle connection. */
  let hasTraffic = false
  let onIdle: (() => void) | undefined
  /** Ends the wait for the next check of an idle connection. */
  let checkNow: (() => void) | undefined

  const isReady = (): boolean => isSignedOn && !hasHostSignedOff && !isClosing

  /** Resolves after a time, or when the signal aborts. */
  const wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const end = () => {
        endTimer()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const endTimer = startTimer(ms, end)
      signal.addEventListener('abort', end)
    })

  function keyOf({ type, fields }: Message<F>): string {
    let key = classOf(type)
    for (const number of options.matchFields) key += `|${String(fields[number] ?? '')}`
    return key
  }

  /** Sends a request on a connection, whether or not the host has accepted the sign-on. */
  async function sendOn(connection: Connection, message: Message<F>, answerMs: number): Promise<LinkOutcome<F>> {
    const key = keyOf(message)
    const earlier = waiting.get(key)
    if (earlier && !isRepeatType(message.type))
      return { kind: 'notSent', reason: 'a request with the same trace number waits for an answer' }
    if (connection.stream.writableLength > limits.unsentBytesMax)
      return { kind: 'notSent', reason: 'the connection accepts no more data' }
    let resolveAnswer: Waiting<F>['resolve'] = () => undefined
    const answer = new Promise<LinkOutcome<F>>((resolve) => {
      resolveAnswer = resolve
    })
    const entry: Waiting<F> = {
      responseType: responseTypeOf(message.type),
      isOver: false,
      resolve(outcome) {
        if (earlier && !earlier.isOver) earlier.resolve(copyOf(outcome))
        resolveAnswer(outcome)
      },
    }
    waiting.set(key, entry)
    let endTimer: (() => void) | undefined
    try {
      write(connection, message)
      endTimer = startTimer(answerMs, () => {
        checkNow?.()
        resolveAnswer({ kind: 'unknown' })
      })
      return await answer
    } finally {
      endTimer?.()
      entry.isOver = true
      // The entry of a repeat stays when its first message ends.
      if (waiting.get(key) === entry) waiting.delete(key)
      if (waiting.size === 0) onIdle?.()
    }
  }

  /** Writes a message, whose bytes are erased once they are sent. */
  function write(connection: Connection, message: Message<F>): void {
    connection.writeFrame(encodeInFrame(header, spec, message))
  }

  /** Receives a frame, and erases it, also after a fault. */
  function takeFrame(connection: Connection, { kind, bytes }: Frame): void {
    hasTraffic = true
    try {
      if (kind === 'message') receive(connection, decodeMessage(spec, bytes))
    } finally {
      bytes.fill(0)
    }
  }

  function receive(connection: Connection, message: Message<F>): void {
    const key = keyOf(message)
    const request = waiting.get(key)
    if (request?.responseType === message.type) {
      // A second answer is unmatched.
      waiting.delete(key)
      if (isSignedOn) isStable = true
      return request.resolve({ kind: 'answer', message })
    }
    try {
      if (isRequestType(message.type)) answerHost(connection, message)
      else onEvent(unmatched(message))
    } finally {
      wipeMessage(message)
    }
  }

  /** The values of the match fields that are texts: a secret is never a text. */
  function unmatched({ type, fields }: Message<F>): LinkEvent {
    const entries = options.matchFields.flatMap((number) => {
      const value: unknown = fields[number]
      return typeof value === 'string' ? [[number, value] as const] : []
    })
    return { kind: 'unmatched', type, matched: Object.fromEntries(entries) }
  }

  /** Answers a network request of the host; other requests of a host are not answered. */
  function answerHost(connection: Connection, request: Message<F>): void {
    const code = options.networkCodeOf(request)
    if (code === undefined) return onEvent(unmatched(request))
    if (connection.stream.writableLength > limits.unsentBytesMax)
      return void connection.stream.destroy(new Error('the host does not read the answers to its requests'))
    write(connection, options.networkAnswer(request))
    if (code === networkCodes.signOff || code === networkCodes.signOn) signHost(code === networkCodes.signOn)
    if (code === networkCodes.cutover) onEvent({ kind: 'cutover' })
  }

  /** The host has signed on or off. */
  function signHost(isOn: boolean): void {
    if (hasHostSignedOff !== isOn) return
    hasHostSignedOff = !isOn
    if (!isOn) onEvent({ kind: 'signedOff' })
    else if (isReady()) onEvent({ kind: 'ready' })
  }

  /** @returns undefined if the host accepted the request, otherwise the reason */
  async function requestNetwork(connection: Connection, code: NetworkCode): Promise<string | undefined> {
    const outcome = await sendOn(connection, options.networkRequest(code), limits.networkAnswerMs)
    if (outcome.kind === 'notSent') return outcome.reason
    if (outcome.kind === 'unknown') return `the host did not answer the network message ${code}`
    return options.isAccepted(outcome.message) ? undefined : `the host refused the network message ${code}`
  }

  /** Uses one connection until it is lost. @returns the reason of its loss */
  async function run(connection: Connection, signal: AbortSignal): Promise<string> {
    const reader = createFrameReader(header)
    const lost = new Promise<string>((resolve) => {
      connection.stream.on('data', (chunk: Uint8Array) => {
        try {
          for (const frame of reader.push(chunk)) takeFrame(connection, frame)
        } catch (error) {
          // After an invalid header no later frame can be found; after an invalid message the host cannot be trusted.
          if (!(error instanceof FieldError)) throw error
          resolve(`the host sent an invalid message: ${error.message}`)
        }
      })
      connection.stream.once('error', (error: Error) => resolve(reasonOf(error)))
      connection.stream.once('close', () => resolve('the host closed the connection'))
    })
    let endTimer: (() => void) | undefined
    try {
      const refusal = await Promise.race([requestNetwork(connection, networkCodes.signOn), lost])
      if (refusal !== undefined) return refusal
      isSignedOn = true
      endTimer = startTimer(limits.stableMs, () => {
        isStable = true
      })
      onConnected()
      if (isReady()) onEvent({ kind: 'ready' })
      return await Promise.race([lost, keepAlive(connection, signal)])
    } finally {
      endTimer?.()
      isSignedOn = false
      hasHostSignedOff = false
      reader.wipe()
    }
  }

  /** Resolves after the time of an idle connection, or when a request got no answer. */
  async function untilCheck(signal: AbortSignal): Promise<void> {
    const ended = new AbortController()
    checkNow = () => ended.abort()
    await wait(limits.echoMs, AbortSignal.any([signal, ended.signal]))
    checkNow = undefined
  }

  /**
   * Sends an echo whenever nothing has arrived since the last check, so that a connection whose host has gone silently
   * is replaced. @returns the reason why the host does not answer
   */
  async function keepAlive(connection: Connection, signal: AbortSignal): Promise<string> {
    for (;;) {
      hasTraffic = false
      await untilCheck(signal)
      if (signal.aborted) return 'the link was closed'
      if (hasTraffic) continue
      const refusal = await requestNetwork(connection, networkCodes.echo)
      if (refusal !== undefined) return refusal
    }
  }

  /** The end of a connection whose link is closed is no loss. */
  function reportLoss(reason: string): void {
    lossReason = reason
    onConnected()
    if (!closing.signal.aborted) onEvent({ kind: 'lost', reason })
  }

  /** Connects, and uses the connection until it is lost. @returns whether it was stable */
  async function connectOnce(): Promise<boolean> {
    const ended = new AbortController()
    const signal = AbortSignal.any([closing.signal, ended.signal])
    isStable = false
    try {
      const stream = await dial(AbortSignal.any([closing.signal, AbortSignal.timeout(limits.connectMs)]))
      connected = { stream, writeFrame: createFrameWriter(stream) }
      reportLoss(await run(connected, signal))
    } catch (error) {
      reportLoss(error instanceof Error ? reasonOf(error) : 'the connection failed')
    } finally {
      ended.abort()
      connected?.stream.destroy()
      connected = undefined
      for (const { resolve } of waiting.values()) resolve({ kind: 'unknown' })
    }
    return isStable
  }

  async function keepConnected(): Promise<void> {
    let failures = 0
    for (;;) {
      failures = (await connectOnce()) ? 0 : failures + 1
      if (closing.signal.aborted) return
      const waits = limits.reconnectWaitsMs
      await wait(waits[Math.min(failures, waits.length - 1)] ?? 0, closing.signal)
    }
  }

  const running = keepConnected()

  return {
    isReady,
    waiting: () => waiting.size,
    send(message) {
      if (!isReady() || connected === undefined) return notSent('the link is down')
      if (waiting.size >= limits.waitingMax) return notSent('too many requests wait for an answer')
      return sendOn(connected, message, limits.answerMs)
    },
    async test() {
      await firstConnection
      if (!isReady() || connected === undefined) return lossReason ?? 'the link is down'
      return requestNetwork(connected, networkCodes.echo)
    },
    async close() {
      const wasReady = isReady()
      isClosing = true
      if (waiting.size > 0)
        await new Promise<void>((resolve) => {
          onIdle = resolve
        })
      if (wasReady && connected) await requestNetwork(connected, networkCodes.signOff)
      closing.abort()
      connected?.stream.end()
      await running
    },
  }
}

const notSent = (reason: string) => Promise.resolve({ kind: 'notSent', reason } as const)

/** A copy for a second receiver, because each receiver erases its message. */
function copyOf<F extends Fields>(outcome: LinkOutcome<F>): LinkOutcome<F> {
  if (outcome.kind !== 'answer') return outcome
  const { type, fields } = outcome.message
  const copied = { ...fields }
  const unchecked: Record<string, unknown> = copied
  for (const [number, value] of Object.entries<unknown>(fields))
    if (value instanceof Uint8Array) unchecked[number] = copyOfBytes(value)
  return { kind: 'answer', message: { type, fields: copied } }
}

function copyOfBytes(bytes: Uint8Array): Uint8Array {
  const copy = bytesOf(bytes.length)
  copy.set(bytes)
  return copy
}

const reasonOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.message
