import { setMaxListeners } from 'node:events'
import type { Dispatcher } from 'undici'
import type { Clock, OutgoingReply, OutgoingRequest } from '@tollgate/operations'
import type { Bounds } from './bounds.ts'
import type { Connection, Connections } from './connections.ts'
import { NoAnswer, reasonOf } from './failure-reasons.ts'
import { retryAfterMs } from './retry-after.ts'
import type { Target } from './target.ts'

/** Ends a request before its answer is complete. */
export type Fail = (error: NoAnswer) => void

interface Parts {
  readonly bounds: Bounds
  readonly connections: Connections
  readonly clock: Clock
  /** The functions that end the requests in flight. */
  readonly inFlight: Set<Fail>
  /** Bytes of the bodies of all answers that are being read. */
  readonly answers: { bytes: number }
}

export const CANCELLED = 'the request was cancelled'
const FULL = 'the memory for answers in flight is full'

/**
 * Sends one request over an exclusive connection. An early end closes the connection, which stops the transfer.
 *
 * @param reply called once
 */
export function exchange(
  target: Target,
  request: OutgoingRequest,
  body: Buffer | null,
  { bounds, connections, clock, inFlight, answers }: Parts,
  reply: (reply: OutgoingReply) => void,
): void {
  const { signal } = request
  const startedAtMs = performance.now()
  const chunks: Buffer[] = []
  let bytes = 0
  let interimAnswers = 0
  let status = 0
  let retryAfter: unknown
  let connection: Connection | undefined
  let isSent = false
  let hasEnded = false

  const timer = setTimeout(() => {
    fail(new NoAnswer('failed', `no complete answer was received within ${bounds.totalTimeoutMs / 1000} s`))
  }, bounds.totalTimeoutMs)
  const cancel = () => fail(new NoAnswer('failed', CANCELLED))
  if (signal) {
    // Many requests share a signal, and Node warns of a leak above ten listeners.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', cancel, { once: true })
  }

  /** @returns false if the request had already ended */
  function end(isComplete: boolean): boolean {
    if (hasEnded) return false
    hasEnded = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
    inFlight.delete(fail)
    answers.bytes -= bytes
    if (connection) connections.release(connection, isComplete)
    else connections.cancel(use)
    return true
  }

  const durationMs = () => Math.round(performance.now() - startedAtMs)

  function fail(error: Error): void {
    if (!end(false)) return
    const kind = error instanceof NoAnswer ? error.kind : 'failed'
    const reason = reasonOf(error)
    reply(
      kind === 'refused'
        ? { kind, reason, durationMs: durationMs() }
        : { kind, reason, sent: isSent, durationMs: durationMs() },
    )
  }

  function succeed(isComplete: boolean): void {
    if (!end(isComplete)) return
    reply({
      kind: 'answered',
      status,
      body: textOf(Buffer.concat(chunks), isComplete),
      retryAfterMs: retryAfterMs(retryAfter, clock.now()),
      durationMs: durationMs(),
    })
  }

  const headers = { 'user-agent': 'Tollgate', ...request.headers }
  const handler: Dispatcher.DispatchHandler = {
    // Called when the connection is open and the request is about to be written.
    onRequestStart() {
      isSent = true
    },
    onResponseStart(_, statusCode, received) {
      status = statusCode
      retryAfter = received['retry-after']
      if (statusCode < 200 && ++interimAnswers > bounds.interimAnswersMax) {
        fail(new NoAnswer('failed', 'there were too many answers of status 1xx'))
      }
    },
    onResponseData(_, chunk) {
      if (hasEnded) return
      const kept = Math.min(chunk.length, bounds.answerBytesMax - bytes)
      if (answers.bytes + kept > bounds.answersBytesMax) return fail(new NoAnswer('failed', FULL))
      // The chunk is copied, because a slice would keep the whole buffer in memory.
      chunks.push(Buffer.from(chunk.subarray(0, kept)))
      bytes += kept
      answers.bytes += kept
      if (chunk.length > kept) succeed(false)
    },
    onResponseEnd: () => succeed(true),
    onResponseError: (_, error) => fail(error),
  }

  function use(acquired: Connection): void {
    connection = acquired
    acquired.client.dispatch({ path: target.path, method: request.method, headers, body }, handler)
  }
  inFlight.add(fail)
  if (!connections.acquire(target.origin, use)) fail(new NoAnswer('failed', 'too many requests wait for a connection'))
}

/** Decodes a body; if it was truncated, without the truncated character at its end. */
function textOf(bytes: Buffer, isComplete: boolean): string {
  return isComplete ? bytes.toString() : new TextDecoder().decode(bytes, { stream: true })
}
