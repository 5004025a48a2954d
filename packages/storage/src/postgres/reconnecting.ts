import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '../limits.ts'
import { checkServer, type Connection, connect } from './database.ts'

/** A connection that can be opened again after it was lost. */
export interface ReconnectingConnection {
  /** The connection; undefined while it is lost. */
  readonly current: () => Connection | undefined
  /** Closes the connection and opens a new one; undefined if the signal aborts before a new one is open. */
  readonly renew: (signal: AbortSignal) => Promise<Connection | undefined>
  readonly close: () => Promise<void>
}

/**
 * Makes a connection that can be renewed.
 * @param first the first connection
 * @param onLost called when the current connection, even an idle one, is lost
 */
export function withReconnect(url: string, first: Connection, onLost: () => void): ReconnectingConnection {
  let connection: Connection | undefined = first
  void first.lost.then(onLost)
  let renewal: Promise<Connection | undefined> | undefined

  async function open(signal: AbortSignal): Promise<Connection | undefined> {
    void connection?.close()
    connection = undefined
    for (
      let waitMs: number = limits.reconnectMs.min;
      !signal.aborted;
      waitMs = Math.min(2 * waitMs, limits.reconnectMs.max)
    ) {
      try {
        const opened = await connect(url, 'commit')
        connection = opened
        await checkServer(opened)
        void opened.lost.then(onLost)
        return opened
      } catch {
        void connection?.close()
        connection = undefined
        // Jitter, so that the processes of an installation do not connect at the same time.
        await delay(waitMs / 2 + randomInt(waitMs / 2), undefined, { signal }).catch(() => {})
      }
    }
    return undefined
  }

  return {
    current: () => (connection?.isLost() ? undefined : connection),
    renew: (signal) => (renewal = open(signal)),
    close: async () => {
      await renewal
      await connection?.close()
    },
  }
}
