import type { Duplex } from 'node:stream'
import {
  createFrameReader,
  createFrameWriter,
  encodeFrame,
  encodeMessage,
  FieldError,
  type HeaderName,
  wipeMessage,
} from '@tollgate/iso8583'
import { limits } from '../limits.ts'
import type { ActiveFaults, FaultSwitch } from './faults.ts'
import { garble } from './garble.ts'
import type { HeldAnswers } from './held-answers.ts'
import type { AcquirerHost, HostReply } from './host.ts'
import { decodeHostMessage, type HostMessage, type HostSpec } from './host-message.ts'
import type { HostSession } from './network-management.ts'
import { copyOf } from './secret-bytes.ts'

/** Calls back after a time. A test replaces the timer of the machine. */
export type After = (delayMs: number, callback: () => void) => void

/** Numbers of events since the start. */
export interface AcquirerCounters {
  connections: number
  messages: number
  answers: number
  /** Frames with an invalid header, and messages that cannot be decoded. */
  undecodable: number
  /** Answers and messages of other kinds that have no answer. */
  ignored: number
}

/** Dependencies of a connection, which all connections share. */
export interface ConnectionEnvironment {
  readonly host: AcquirerHost
  readonly header: HeaderName
  readonly spec: HostSpec
  readonly faults: FaultSwitch
  readonly heldAnswers: HeldAnswers
  readonly counters: AcquirerCounters
  readonly after: After
  /** Called once if the journal fails. The memory then has changes that the disk has not. */
  readonly fail: (error: unknown) => void
}

/** The part of a socket that a host uses. */
export interface HostSocket extends Duplex {
  setNoDelay(isEnabled: boolean): unknown
  setTimeout(ms: number, onTimeout: () => void): unknown
}

/** Processes a message. @returns undefined if it has no answer */
type AnswerTo = (message: HostMessage) => HostReply | undefined

/** Serves one connection of a client. */
export function serveConnection(socket: HostSocket, environment: ConnectionEnvironment): void {
  const { host, header, spec, faults, heldAnswers, counters, after, fail } = environment
  const reader = createFrameReader(header)
  const writeFrame = createFrameWriter(socket)
  const session: HostSession = { isSignedOn: false }
  let isReading = true
  let inFlight = 0
  /** The writes of answers in pieces, which are not mixed with another answer. */
  let written: Promise<void> = Promise.resolve()
  let inPieces = 0
  counters.connections += 1

  const handle: AnswerTo = (message) => host.handle(message, session)
  const rejectFormat: AnswerTo = (message) => host.rejectFormat(message)

  function receive(bytes: Uint8Array): void {
    counters.messages += 1
    const decoded = decodeHostMessage(spec, bytes)
    bytes.fill(0)
    if ('message' in decoded) return start(decoded.message, handle)
    counters.undecodable += 1
    if (decoded.beforeFault === undefined) socket.destroy()
    else start(decoded.beforeFault, rejectFormat)
  }

  /** Applies the faults that are due before a message is processed. */
  function start(message: HostMessage, answerTo: AnswerTo): void {
    const active = faults.take(message.type)
    if (active.has('halfOpen')) {
      isReading = false
      socket.pause()
    }
    if (active.has('dropRequest') || active.has('halfOpen')) return wipeMessage(message)
    inFlight += 1
    if (inFlight > limits.acquirerInFlightMax) socket.destroy()
    const latency = active.get('latencyMs')
    if (latency === undefined) process(message, answerTo, active)
    else after(latency.value, () => process(message, answerTo, active))
  }

  function process(message: HostMessage, answerTo: AnswerTo, active: ActiveFaults): void {
    try {
      const reply = answerTo(message)
      if (reply === undefined) {
        counters.ignored += 1
        inFlight -= 1
      } else {
        const frames = framesOf(reply.answer, active)
        reply.durable.then(() => release(reply, frames, active), fail)
      }
    } finally {
      wipeMessage(message)
    }
  }

  /** The frames of an answer. */
  function framesOf(answer: HostMessage, active: ActiveFaults): readonly Uint8Array[] {
    const encoded = encodeMessage(spec, withWrongFields(answer, active))
    const garbled = active.get('garble')
    if (garbled !== undefined) garble(encoded, garbled.value, garbled.seed)
    const frame = encodeFrame(header, encoded)
    encoded.fill(0)
    return active.has('duplicateResponse') ? [frame, copyOf(frame)] : [frame]
  }

  /** Sends an answer whose changes are on disk, unless a fault prevents or delays it. */
  function release({ reference, reversed }: HostReply, frames: readonly Uint8Array[], active: ActiveFaults): void {
    const send = (): void => {
      for (const frame of frames) write(frame, active.get('splitBytes')?.value ?? frame.length)
    }
    const leave = (): void => {
      inFlight -= 1
      send()
    }
    const late = active.get('lateMs')
    const isDropped = active.has('close') || active.has('dropResponse')
    const isHeld = !isDropped && active.has('afterReversal') && reference !== undefined
    if (isDropped || isHeld) inFlight -= 1
    if (active.has('close')) socket.destroy()
    if (isDropped) for (const frame of frames) frame.fill(0)
    else if (isHeld) heldAnswers.hold(reference, send)
    else if (late !== undefined) after(late.value, leave)
    else leave()
    if (reversed !== undefined) written.then(() => heldAnswers.release(reversed), fail)
  }

  function write(frame: Uint8Array, pieceBytes: number): void {
    if (socket.writableLength > limits.acquirerUnreadBytesMax) socket.destroy()
    counters.answers += 1
    if (pieceBytes >= frame.length && inPieces === 0) {
      writeFrame(frame)
      return
    }
    // The next turn of the event loop writes the next piece, so that it is a segment of its own, and the first one
    // follows the whole answers of this turn.
    if (inPieces === 0) written = written.then(nextTurn)
    inPieces += 1
    for (let offset = 0; offset < frame.length; offset += pieceBytes) {
      const piece = frame.subarray(offset, offset + pieceBytes)
      written = written.then(() => writePiece(piece)).then(nextTurn)
    }
    written = written.then(() => void (inPieces -= 1))
  }

  const writePiece = (piece: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        piece.fill(0)
        resolve()
      }
      if (socket.writable) socket.write(piece, end)
      else end()
    })

  socket.setNoDelay(true)
  socket.setTimeout(limits.acquirerIdleMs, () => socket.destroy())
  // A connection that a client resets is closed; its messages are processed.
  socket.on('error', () => socket.destroy())
  socket.on('close', () => reader.wipe())
  socket.on('data', (chunk) => {
    try {
      for (const { kind, bytes } of reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
        if (kind === 'message' && isReading) receive(bytes)
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      counters.undecodable += 1
      socket.destroy()
    }
  })
}

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** The answer with the trace number or the amount of another message. */
function withWrongFields(answer: HostMessage, active: ActiveFaults): HostMessage {
  if (!active.has('wrongTrace') && !active.has('wrongAmount')) return answer
  const { type, fields } = answer
  const next = (digits: string | undefined, length: number): string | undefined =>
    digits === undefined ? undefined : String((Number(digits) + 1) % 10 ** length)
  return {
    type,
    fields: {
      ...fields,
      ...(active.has('wrongTrace') && { 11: next(fields[11], 6) }),
      ...(active.has('wrongAmount') && { 4: next(fields[4], 12) }),
    },
  }
}
