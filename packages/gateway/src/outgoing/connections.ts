import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { Bounds } from './bounds.ts'
import type { Dial } from './dial.ts'
import { NoAnswer } from './failure-reasons.ts'

/** One connection, used by one request at a time. */
export interface Connection {
  readonly client: Client
  readonly origin: string
  readonly openedAtMs: number
}

/** A pool of connections, bounded for each origin and in total. */
export interface Connections {
  /**
   * Calls `use` with an exclusive connection, now or as soon as one is free.
   *
   * @returns false if too many requests wait already; `use` is then never called
   */
  acquire(origin: string, use: (connection: Connection) => void): boolean
  /** Cancels a call of `acquire` that still waits. */
  cancel(use: (connection: Connection) => void): void
  /** @param isComplete whether the complete answer was read; otherwise the connection is closed at once */
  release(connection: Connection, isComplete: boolean): void
  /** Closes all connections at once. */
  close(): Promise<void>
}

interface Transport {
  socket: Socket | undefined
  /** Bytes received before the current request. */
  earlierBytes: number
}

/** Replaces undici's Agent, which bounds neither the total of connections nor the wait for one. */
export function createConnections(dial: Dial, bounds: Bounds): Connections {
  /** All connections with their sockets; a connection is added before its name is resolved. */
  const all = new Map<Connection, Transport>()
  /** The connections of each origin. */
  const byOrigin = new Map<string, Set<Connection>>()
  /** Idle connections, the longest idle ones first. */
  const idle = new Set<Connection>()
  /** Waiting requests with their origins, the longest waiting ones first. */
  const waiting = new Map<(connection: Connection) => void, string>()

  function open(origin: string, originConnections: Set<Connection>): Connection {
    const transport: Transport = { socket: undefined, earlierBytes: 0 }
    const client = new Client(origin, {
      connect(target, callback) {
        const socket = dial(target, callback)
        transport.socket = socket
        transport.earlierBytes = 0
        // Undici bounds the headers and `exchange` the body. Only this bound holds for blank lines, the reason phrase
        // and chunk extensions.
        socket.on('readable', () => {
          if (socket.bytesRead - transport.earlierBytes > bounds.answerReceivedBytesMax) {
            socket.destroy(new NoAnswer('failed', 'the answer is too long'))
          }
        })
      },
      maxHeaderSize: bounds.answerHeadersBytesMax,
      keepAliveTimeout: bounds.idleMs,
      keepAliveMaxTimeout: bounds.idleMs,
      // `exchange` enforces the timeouts.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection = { client, origin, openedAtMs: performance.now() }
    client.on('disconnect', () => {
      if (idle.has(connection)) void drop(connection)
    })
    all.set(connection, transport)
    byOrigin.set(origin, originConnections.add(connection))
    return connection
  }

  function drop(connection: Connection): Promise<void> {
    const transport = all.get(connection)
    all.delete(connection)
    idle.delete(connection)
    const originConnections = byOrigin.get(connection.origin)
    if (originConnections?.delete(connection) && originConnections.size === 0) byOrigin.delete(connection.origin)
    const ended = connection.client.destroy()
    // Undici does not manage a socket that is still connecting.
    transport?.socket?.destroy()
    return ended
  }

  /** Starts counting the received bytes of the next request. */
  function resetReceived(connection: Connection): Connection {
    const transport = all.get(connection)
    if (transport) transport.earlierBytes = transport.socket?.bytesRead ?? 0
    return connection
  }

  function take(origin: string): Connection | undefined {
    const originConnections = byOrigin.get(origin) ?? new Set()
    for (const connection of originConnections) if (idle.delete(connection)) return resetReceived(connection)
    if (originConnections.size >= bounds.originConnectionsMax) return undefined
    if (all.size >= bounds.connectionsMax) {
      const [longestIdle] = idle
      if (!longestIdle) return undefined
      void drop(longestIdle)
    }
    return open(origin, originConnections)
  }

  /** Passes a free connection to the longest waiting request that can use it. */
  function serveNext(): void {
    for (const [use, origin] of waiting) {
      const connection = take(origin)
      if (connection) {
        waiting.delete(use)
        use(connection)
        return
      }
    }
  }

  return {
    acquire(origin, use) {
      const connection = take(origin)
      if (connection) use(connection)
      else if (waiting.size >= bounds.waitingMax) return false
      else waiting.set(use, origin)
      return true
    },
    cancel: (use) => void waiting.delete(use),
    release(connection, isComplete) {
      if (!all.has(connection)) return
      if (isComplete && performance.now() - connection.openedAtMs < bounds.connectionAgeMs) idle.add(connection)
      else void drop(connection)
      serveNext()
    },
    async close() {
      waiting.clear()
      await Promise.all([...all.keys()].map(drop))
    },
  }
}
