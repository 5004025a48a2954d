import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { Bounds } from './bounds.ts'
import type { Dial } from './dial.ts'
import { NoAnswer } from './failure-reasons.ts'

/** One connection, used by one request at a time. */
export interface Connection {
  readonly client: Client
  readonly origin: string
  readonly madeAtMs: number
}

/** All connections, bounded for each origin and in all. */
export interface Connections {
  /**
   * Calls `use` with an exclusive connection, now or as soon as one is free.
   *
   * @returns false: too many requests wait already, and `use` is never called
   */
  borrow(origin: string, use: (connection: Connection) => void): boolean
  /** Takes back a wish that has not been met. */
  withdraw(use: (connection: Connection) => void): void
  /** @param isWhole whether a whole answer was read; otherwise the connection ends at once */
  giveBack(connection: Connection, isWhole: boolean): void
  /** Ends all of them at once. */
  close(): Promise<void>
}

interface Line {
  socket: Socket | undefined
  /** Bytes received before it was lent. */
  bytesBefore: number
}

/** Of ours rather than undici's Agent, which bounds neither all connections together nor the wait for one. */
export function createConnections(dial: Dial, bounds: Bounds): Connections {
  /** With the line that each goes through, from the first look-up on. */
  const all = new Map<Connection, Line>()
  /** Those in use among them. */
  const byOrigin = new Map<string, Set<Connection>>()
  /** Those that have been idle for longest come first. */
  const idle = new Set<Connection>()
  /** Those that have waited for longest come first. */
  const waiting = new Map<(connection: Connection) => void, string>()

  function open(origin: string, siblings: Set<Connection>): Connection {
    const line: Line = { socket: undefined, bytesBefore: 0 }
    const client = new Client(origin, {
      connect(place, callback) {
        const socket = dial(place, callback)
        line.socket = socket
        line.bytesBefore = 0
        // Undici bounds heads and bodies, but not blank lines, reason phrases and chunk extensions between them.
        socket.on('readable', () => {
          if (socket.bytesRead - line.bytesBefore > bounds.answerLineBytesMax) {
            socket.destroy(new NoAnswer('failed', 'the answer is too long'))
          }
        })
      },
      maxHeaderSize: bounds.answerHeadersBytesMax,
      keepAliveTimeout: bounds.idleMs,
      keepAliveMaxTimeout: bounds.idleMs,
      // The borrower of a connection enforces the timeouts.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection = { client, origin, madeAtMs: performance.now() }
    client.on('disconnect', () => {
      if (idle.has(connection)) void drop(connection)
    })
    all.set(connection, line)
    byOrigin.set(origin, siblings.add(connection))
    return connection
  }

  function drop(connection: Connection): Promise<void> {
    const line = all.get(connection)
    all.delete(connection)
    idle.delete(connection)
    const siblings = byOrigin.get(connection.origin)
    if (siblings?.delete(connection) && siblings.size === 0) byOrigin.delete(connection.origin)
    const ended = connection.client.destroy()
    // Undici does not manage a socket that is still connecting.
    line?.socket?.destroy()
    return ended
  }

  function lend(connection: Connection): Connection {
    const line = all.get(connection)
    if (line) line.bytesBefore = line.socket?.bytesRead ?? 0
    return connection
  }

  function take(origin: string): Connection | undefined {
    const siblings = byOrigin.get(origin) ?? new Set()
    for (const connection of siblings) if (idle.delete(connection)) return lend(connection)
    if (siblings.size >= bounds.originConnectionsMax) return undefined
    if (all.size >= bounds.connectionsMax) {
      const [longestIdle] = idle
      if (!longestIdle) return undefined
      void drop(longestIdle)
    }
    return open(origin, siblings)
  }

  /** A free connection serves one waiting request at most. */
  function serve(): void {
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
    borrow(origin, use) {
      const connection = take(origin)
      if (connection) use(connection)
      else if (waiting.size >= bounds.waitingMax) return false
      else waiting.set(use, origin)
      return true
    },
    withdraw: (use) => void waiting.delete(use),
    giveBack(connection, isWhole) {
      if (!all.has(connection)) return
      if (isWhole && performance.now() - connection.madeAtMs < bounds.connectionAgeMs) idle.add(connection)
      else void drop(connection)
      serve()
    },
    async close() {
      waiting.clear()
      await Promise.all([...all.keys()].map(drop))
    },
  }
}
