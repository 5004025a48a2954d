import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Server as TlsServer } from 'node:tls'
import { limits } from '../../limits.ts'
import { type EventLoop, nodeEventLoop } from '../../runtime/event-loop.ts'
import { linger } from '../linger.ts'
import { wipeUnread } from '../wipe-unread.ts'
import { isAmbiguous } from './is-ambiguous.ts'

/** A merchant, with the unsent bytes of all answers to their requests. */
export interface Owner {
  unsentBytes: number
}

/** Reasons to close a connection early. */
export type EndReason = 'stalled' | 'crowded'

/**
 * Bounds on the memory that clients occupy with unanswered requests and unsent answers. A connection at its bound is
 * not read until it is below the bound again. If the unsent bytes of a merchant exceed their bound, the merchant's
 * connection with the most unsent bytes is closed. If the unsent bytes of all merchants exceed their bound, a
 * connection of the merchant with the most unsent bytes is closed. A connection is also closed if its output stalls, or
 * if one of its pipelined requests exceeds the bound of all waiting requests. A connection whose last answer is sent
 * while the body of its request still arrives is closed by `linger`.
 */
export interface ConnectionBounds {
  /**
   * Wraps the handler of a server in the bounds.
   *
   * @param refuse answers a request with an ambiguous head with 400, and closes the connection
   */
  bound(handler: RequestListener, refuse: RequestListener): RequestListener
  /** Tracks the connections of a server until it is closed. */
  track(server: Server): void
  /** Counts the bytes of an answer as unsent, for its connection and owner, until the answer is sent. */
  charge(response: ServerResponse, bytes: number, owner?: Owner): void
  /**
   * Runs `work`, which answers malformed input or a CONNECT, once all complete requests of the connection are answered.
   * Further requests are dropped. `work` is never run if an earlier request or input already ends the connection.
   */
  afterAnswers(socket: Duplex, work: () => void): void
  /** Closes connections with stalled output. It runs periodically while a server is tracked. */
  closeStalled(): void
}

interface WaitingRequest {
  readonly handler: RequestListener
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Charge {
  readonly bytes: number
  readonly owner: Owner | undefined
}

interface Connection {
  readonly socket: Socket
  /** Requests that were passed to the handler and whose answers are not sent. */
  unanswered: number
  /** Parsed requests that wait for the handler. */
  readonly waiting: WaitingRequest[]
  /** Whether the socket is paused until the connection is below its bounds. */
  isPaused: boolean
  /** Whether further requests are dropped. */
  isEnding: boolean
  /** The request that was parsed last, until it is answered. */
  latest: IncomingMessage | undefined
  afterAnswers: (() => void) | undefined
  readonly charges: Map<ServerResponse, Charge>
  unsentBytes: number
  /** Bytes that the operating system had accepted at the last check, and the time of their last change. */
  sentBytes: number
  progressAtMs: number
}

/** @param onEnd called for each connection that is closed early */
export function createConnectionBounds(
  { now, later }: Pick<EventLoop, 'now' | 'later'> = nodeEventLoop,
  onEnd: (reason: EndReason) => void = () => undefined,
): ConnectionBounds {
  const open = new Map<Duplex, Connection>()
  /** Connections with waiting requests, which may be below their bounds again. */
  const backlog = new Set<Connection>()
  let waitingRequests = 0
  let unsentBytes = 0
  let isDrainScheduled = false
  let servers = 0
  let stalledTimer: NodeJS.Timeout | undefined

  function add(socket: Socket): void {
    const connection: Connection = {
      socket,
      unanswered: 0,
      waiting: [],
      isPaused: false,
      isEnding: false,
      latest: undefined,
      afterAnswers: undefined,
      charges: new Map(),
      unsentBytes: 0,
      sentBytes: 0,
      progressAtMs: now(),
    }
    open.set(socket, connection)
    socket.once('close', () => remove(connection))
    const closeSocket = socket.destroySoon.bind(socket)
    // Node calls `destroySoon` after the last answer of a connection, such as one with `Connection: close`.
    socket.destroySoon = () => {
      const { latest } = connection
      // Another request in progress would still be handled, and its answer lost.
      if (!latest || latest.complete || openRequests(connection) > 0) return closeSocket()
      connection.isEnding = true
      linger(socket)
    }
    // Node resumes a socket whenever a body is read or an answer drains.
    socket.on('resume', () => {
      if (connection.isPaused) socket.pause()
    })
  }

  function remove(connection: Connection): void {
    if (!open.delete(connection.socket)) return
    backlog.delete(connection)
    waitingRequests -= connection.waiting.length
    connection.waiting.length = 0
    for (const response of connection.charges.keys()) release(connection, response)
  }

  function end(connection: Connection, reason: EndReason): void {
    remove(connection)
    connection.socket.destroy()
    onEnd(reason)
  }

  function enqueue(connection: Connection, waiting: WaitingRequest): void {
    connection.waiting.push(waiting)
    waitingRequests += 1
    if (waitingRequests > limits.pipelinedRequestsMax) end(connection, 'crowded')
  }

  /** Passes a request to its handler. The function runs for every request, so it allocates no object. */
  function begin(
    connection: Connection,
    handler: RequestListener,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    connection.unanswered += 1
    response.on('close', onAnswered)
    handler(request, response)
  }

  function onAnswered(this: ServerResponse): void {
    const connection = open.get(this.req.socket)
    if (connection) completeRequest(connection, this)
  }

  function completeRequest(connection: Connection, response: ServerResponse): void {
    connection.unanswered -= 1
    // An open connection without requests keeps no data of a payment, and no objects that survive young collections.
    if (connection.latest === response.req) connection.latest = undefined
    release(connection, response)
    if (connection.waiting.length > 0) {
      backlog.add(connection)
      scheduleDrain()
    } else if (connection.isPaused) resumeReading(connection)
    if (connection.afterAnswers) finish(connection)
  }

  /** Starts waiting requests, round-robin over the connections, in steps between which new requests are read. */
  function drainBacklog(): void {
    isDrainScheduled = false
    let remaining = limits.admittedPerStep
    for (const connection of backlog) {
      backlog.delete(connection)
      const next = isBelowBounds(connection) ? connection.waiting.shift() : undefined
      if (!next) continue
      waitingRequests -= 1
      begin(connection, next.handler, next.request, next.response)
      if (connection.waiting.length > 0) backlog.add(connection)
      else resumeReading(connection)
      if (connection.afterAnswers) finish(connection)
      remaining -= 1
      if (remaining === 0) break
    }
    if (backlog.size > 0) scheduleDrain()
  }

  function scheduleDrain(): void {
    if (isDrainScheduled) return
    isDrainScheduled = true
    later(drainBacklog)
  }

  function pauseReading(connection: Connection): void {
    connection.isPaused = true
    connection.socket.pause()
  }

  function resumeReading(connection: Connection): void {
    if (!isBelowBounds(connection)) return
    connection.isPaused = false
    connection.socket.resume()
  }

  function finish(connection: Connection): void {
    if (openRequests(connection) > 0) return
    connection.afterAnswers?.()
    connection.afterAnswers = undefined
  }

  function release(connection: Connection, response: ServerResponse): void {
    const charge = connection.charges.size === 0 ? undefined : connection.charges.get(response)
    if (!charge) return
    connection.charges.delete(response)
    connection.unsentBytes -= charge.bytes
    unsentBytes -= charge.bytes
    if (charge.owner) charge.owner.unsentBytes -= charge.bytes
  }

  /** Closes connections, in the order of `isClosedBefore`, until no bound is exceeded. */
  function shed(owner: Owner | undefined): void {
    const isOver = () =>
      unsentBytes > limits.unsentBytesMax || (owner !== undefined && owner.unsentBytes > limits.merchantUnsentBytesMax)
    while (isOver()) {
      let first: Connection | undefined
      for (const connection of open.values()) {
        if (connection.unsentBytes > 0 && (!first || isClosedBefore(connection, first))) first = connection
      }
      if (!first) return
      end(first, 'crowded')
    }
  }

  function closeStalled(): void {
    const nowMs = now()
    for (const connection of open.values()) {
      const { bytesWritten, writableLength } = connection.socket
      const sentBytes = bytesWritten - writableLength
      if (writableLength === 0 || sentBytes !== connection.sentBytes) {
        connection.sentBytes = sentBytes
        connection.progressAtMs = nowMs
      } else if (nowMs - connection.progressAtMs >= limits.outputStalledMs) end(connection, 'stalled')
    }
  }

  return {
    bound: (handler, refuse) => (request, response) => {
      const connection = open.get(request.socket)
      // The client has disconnected, or the connection is closed with the answer to an earlier request.
      if (!connection || connection.isEnding) return wipeUnread(request)
      connection.latest = request
      const isRefused = isAmbiguous(request)
      if (isRefused) connection.isEnding = true
      const selected = isRefused ? refuse : handler
      if (connection.waiting.length === 0 && isBelowBounds(connection)) begin(connection, selected, request, response)
      else enqueue(connection, { handler: selected, request, response })
      if (!isBelowBounds(connection) || connection.waiting.length > 0) pauseReading(connection)
    },
    track(server) {
      // With TLS, requests arrive on the TLSSocket, not on the accepted socket.
      server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', add)
      servers += 1
      stalledTimer ??= setInterval(closeStalled, limits.outputCheckMs).unref()
      server.once('close', () => {
        servers -= 1
        if (servers > 0) return
        clearInterval(stalledTimer)
        stalledTimer = undefined
      })
    },
    charge(response, bytes, owner) {
      const connection = open.get(response.req.socket)
      if (!connection) return
      release(connection, response)
      if (connection.unsentBytes === 0) connection.progressAtMs = now()
      connection.charges.set(response, { bytes, owner })
      connection.unsentBytes += bytes
      unsentBytes += bytes
      if (owner) owner.unsentBytes += bytes
      shed(owner)
    },
    afterAnswers(socket, work) {
      const connection = open.get(socket)
      if (!connection) return work()
      // The answer to an earlier request or input closes the connection.
      if (connection.isEnding) return
      connection.isEnding = true
      connection.afterAnswers = work
      finish(connection)
    },
    closeStalled,
  }
}

/**
 * Whether a request of the connection may be passed to the handler. A connection without a request in progress is
 * always below its bounds, because only the end of a request resumes reading.
 */
const isBelowBounds = ({ unanswered, unsentBytes, socket }: Connection): boolean =>
  unanswered === 0 ||
  (unanswered < limits.unansweredRequestsMax &&
    unsentBytes < limits.connectionUnsentBytesMax &&
    socket.writableLength < limits.connectionUnsentBytesMax)

/** The number of requests that will be answered, without an incomplete one: its body is never parsed to the end. */
const openRequests = ({ unanswered, waiting, latest }: Connection): number =>
  unanswered + waiting.length - (latest && !latest.complete ? 1 : 0)

/** Compares by unsent bytes of the merchant, then of the connection, then by the time without progress. */
function isClosedBefore(one: Connection, other: Connection): boolean {
  const more = bytesOfOwner(one) - bytesOfOwner(other) || one.unsentBytes - other.unsentBytes
  return more === 0 ? one.progressAtMs < other.progressAtMs : more > 0
}

/** The unsent bytes of a connection's merchant; without a merchant, those of the connection. */
const bytesOfOwner = ({ charges, unsentBytes }: Connection): number =>
  Math.max(...Array.from(charges.values(), ({ owner }) => owner?.unsentBytes ?? unsentBytes))
