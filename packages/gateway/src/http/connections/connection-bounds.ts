import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Server as TlsServer } from 'node:tls'
import { limits } from '../../limits.ts'
import { machine, type World } from '../../runtime/event-loop.ts'
import { isAmbiguous } from './is-ambiguous.ts'

/** A tenant whose unsent bytes are counted together. */
export interface Owner {
  unsentBytes: number
}

/** Why a connection was ended early. */
export type EndReason = 'stalled' | 'crowded'

/**
 * Bounds on the memory that clients take: requests of a connection that have no answer yet, and answers that have not
 * left. A connection at its bound is not read until it has room. Above the bound of a merchant its connection with the
 * most unsent bytes ends, above the bound of all that of the merchant with the most. A connection whose output does not
 * move ends, too.
 */
export interface ConnectionBounds {
  /**
   * The handler of a server, behind the bounds.
   *
   * @param refuse answers a request with an ambiguous head with 400; the connection ends with that answer
   */
  bound(handler: RequestListener, refuse: RequestListener): RequestListener
  /** Counts the connections of a server until it is closed. */
  watch(server: Server): void
  /** Notes that an answer of so many bytes is about to be sent. They count until it has left. */
  charge(response: ServerResponse, bytes: number, owner?: Owner): void
  /**
   * Runs `work`, which answers malformed input, once all complete requests of the connection are answered. Further
   * requests are dropped.
   */
  afterAnswers(socket: Duplex, work: () => void): void
  /** Ends connections whose output has not moved; called by itself while a server is watched. */
  sweep(): void
}

interface Waiting {
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
  /** Requests that were handed over and whose answer has not left. */
  unanswered: number
  /** Requests that are parsed and not handed over. */
  readonly waiting: Waiting[]
  /** Whether the socket is paused until there is room. */
  isHeld: boolean
  /** Whether its further requests are dropped. */
  isEnding: boolean
  latest: IncomingMessage | undefined
  afterAnswers: (() => void) | undefined
  readonly charges: Map<ServerResponse, Charge>
  unsentBytes: number
  /** Bytes that the operating system had taken at the last sweep, and when that number last changed. */
  sentBytes: number
  movedAtMs: number
}

/** @param onEnd is called for each connection that is ended early */
export function createConnectionBounds(
  { now, later }: Pick<World, 'now' | 'later'> = machine,
  onEnd: (reason: EndReason) => void = () => undefined,
): ConnectionBounds {
  const open = new Map<Duplex, Connection>()
  /** Connections with a waiting request that may have room for it. */
  const backlog = new Set<Connection>()
  let waitingRequests = 0
  let unsentBytes = 0
  let isPlanned = false
  let servers = 0
  let sweeping: NodeJS.Timeout | undefined

  function add(socket: Socket): void {
    const connection: Connection = {
      socket,
      unanswered: 0,
      waiting: [],
      isHeld: false,
      isEnding: false,
      latest: undefined,
      afterAnswers: undefined,
      charges: new Map(),
      unsentBytes: 0,
      sentBytes: 0,
      movedAtMs: now(),
    }
    open.set(socket, connection)
    socket.once('close', () => remove(connection))
    // Node resumes a socket whenever a body is read or an answer drains.
    socket.on('resume', () => {
      if (connection.isHeld) socket.pause()
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

  function enqueue(connection: Connection, waiting: Waiting): void {
    connection.waiting.push(waiting)
    waitingRequests += 1
    if (waitingRequests > limits.pipelinedRequestsMax) end(connection, 'crowded')
  }

  /** Every request passes here, so no object is allocated for it. */
  function begin(
    connection: Connection,
    handler: RequestListener,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    connection.unanswered += 1
    response.on('close', answered)
    handler(request, response)
  }

  function answered(this: ServerResponse): void {
    const connection = open.get(this.req.socket)
    if (connection) makeRoom(connection, this)
  }

  function makeRoom(connection: Connection, response: ServerResponse): void {
    connection.unanswered -= 1
    release(connection, response)
    if (connection.waiting.length > 0) {
      backlog.add(connection)
      plan()
    } else if (connection.isHeld) resumeReading(connection)
    if (connection.afterAnswers) finish(connection)
  }

  /** Hands over waiting requests, one of each connection in turn, in steps between which new ones are read. */
  function serveInTurn(): void {
    isPlanned = false
    let left = limits.admittedTogether
    for (const connection of backlog) {
      backlog.delete(connection)
      const next = hasRoom(connection) ? connection.waiting.shift() : undefined
      if (!next) continue
      waitingRequests -= 1
      begin(connection, next.handler, next.request, next.response)
      if (connection.waiting.length > 0) backlog.add(connection)
      else resumeReading(connection)
      if (connection.afterAnswers) finish(connection)
      left -= 1
      if (left === 0) break
    }
    if (backlog.size > 0) plan()
  }

  function plan(): void {
    if (isPlanned) return
    isPlanned = true
    later(serveInTurn)
  }

  function hold(connection: Connection): void {
    connection.isHeld = true
    connection.socket.pause()
  }

  function resumeReading(connection: Connection): void {
    if (!hasRoom(connection)) return
    connection.isHeld = false
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

  /** Ends connections, the one with the most unsent bytes first, until the bounds hold again. */
  function shed(owner: Owner | undefined): void {
    const isOver = () =>
      unsentBytes > limits.unsentBytesMax || (owner !== undefined && owner.unsentBytes > limits.merchantUnsentBytesMax)
    while (isOver()) {
      let worst: Connection | undefined
      for (const connection of open.values()) {
        if (connection.unsentBytes > 0 && (!worst || isWorse(connection, worst))) worst = connection
      }
      if (!worst) return
      end(worst, 'crowded')
    }
  }

  function sweep(): void {
    const nowMs = now()
    for (const connection of open.values()) {
      const { bytesWritten, writableLength } = connection.socket
      const sentBytes = bytesWritten - writableLength
      if (writableLength === 0 || sentBytes !== connection.sentBytes) {
        connection.sentBytes = sentBytes
        connection.movedAtMs = nowMs
      } else if (nowMs - connection.movedAtMs >= limits.outputStalledMs) end(connection, 'stalled')
    }
  }

  return {
    bound: (handler, refuse) => (request, response) => {
      const connection = open.get(request.socket)
      // Its client has gone, or the connection ends with the answer to an earlier request.
      if (!connection || connection.isEnding) return
      connection.latest = request
      const isRefused = isAmbiguous(request)
      if (isRefused) connection.isEnding = true
      const taken = isRefused ? refuse : handler
      if (connection.waiting.length === 0 && hasRoom(connection)) begin(connection, taken, request, response)
      else enqueue(connection, { handler: taken, request, response })
      if (!hasRoom(connection) || connection.waiting.length > 0) hold(connection)
    },
    watch(server) {
      // With TLS requests are read from another socket than the one that was accepted.
      server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', add)
      servers += 1
      sweeping ??= setInterval(sweep, limits.outputSweepMs).unref()
      server.once('close', () => {
        servers -= 1
        if (servers > 0) return
        clearInterval(sweeping)
        sweeping = undefined
      })
    },
    charge(response, bytes, owner) {
      const connection = open.get(response.req.socket)
      if (!connection) return
      release(connection, response)
      if (connection.unsentBytes === 0) connection.movedAtMs = now()
      connection.charges.set(response, { bytes, owner })
      connection.unsentBytes += bytes
      unsentBytes += bytes
      if (owner) owner.unsentBytes += bytes
      shed(owner)
    },
    afterAnswers(socket, work) {
      const connection = open.get(socket)
      if (!connection) return work()
      // It has been refused already.
      if (connection.isEnding) return
      connection.isEnding = true
      connection.afterAnswers = work
      finish(connection)
    },
    sweep,
  }
}

/** A single answer of any length always has room. */
const hasRoom = ({ unanswered, unsentBytes, socket }: Connection): boolean =>
  unanswered === 0 ||
  (unanswered < limits.unansweredRequestsMax &&
    unsentBytes < limits.connectionUnsentBytesMax &&
    socket.writableLength < limits.connectionUnsentBytesMax)

/** Requests that still get an answer. An incomplete request gets none once reading has stopped. */
const openRequests = ({ unanswered, waiting, latest }: Connection): number =>
  unanswered + waiting.length - (latest && !latest.complete ? 1 : 0)

/** By the unsent bytes of the merchant, then by its own, then by how long it has stood still. */
function isWorse(one: Connection, other: Connection): boolean {
  const more = bytesOfOwner(one) - bytesOfOwner(other) || one.unsentBytes - other.unsentBytes
  return more === 0 ? one.movedAtMs < other.movedAtMs : more > 0
}

/** The unsent bytes of the merchant that a connection sends to; without one, its own. */
const bytesOfOwner = ({ charges, unsentBytes }: Connection): number =>
  Math.max(...Array.from(charges.values(), ({ owner }) => owner?.unsentBytes ?? unsentBytes))
