import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { Listener, Lock } from '../port.ts'
import type { WatchedTable } from '../schema.ts'
import { type Connection, connect, type Notification } from './database.ts'
import { changesChannel, messagesChannel } from './notifications.ts'

/** A table and the number of its changes. */
export interface Changes {
  readonly name: WatchedTable
  readonly changes: number
}

/** The connection that receives notifications of peers, and holds locks. */
export interface PeerConnection {
  /** Takes a lock, unless another process holds it or there is no connection. */
  readonly lock: (name: string) => Promise<Lock | undefined>
  readonly close: () => Promise<void>
}

/**
 * Listens to peers over a connection of its own. The counts of changes are also read every `limits.watchMs`, even
 * without that connection.
 */
export function listenTo(url: string, counts: () => Promise<readonly Changes[]>, listener: Listener): PeerConnection {
  const reported = new Map<WatchedTable, number>()
  const closing = new AbortController()
  const { signal } = closing
  let connection: Connection | undefined
  /** The last query about a lock: a connection executes one query after the other. */
  let lastQuery: Promise<unknown> = Promise.resolve()
  let wasNotified = false
  let endWait = () => {}

  async function readChanges(): Promise<void> {
    const changed = (await counts()).filter(({ name, changes }) => reported.get(name) !== changes)
    if (changed.length === 0) return
    await listener.onChanges(new Set(changed.map(({ name }) => name)))
    for (const { name, changes } of changed) reported.set(name, changes)
  }

  function notify(): void {
    wasNotified = true
    endWait()
  }

  /** Resolves after a notification, and at the latest after `limits.watchMs`. */
  async function untilNotified(): Promise<void> {
    if (!wasNotified && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limits.watchMs)
        endWait = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    wasNotified = false
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      // After a failure the same changes are part of the next read.
      await readChanges().catch(() => undefined)
      await untilNotified()
      // Concurrent changes share one read.
      await delay(limits.watchPauseMs, undefined, { signal }).catch(() => undefined)
    }
  }

  function receive({ channel, payload = '' }: Notification): void {
    if (channel === messagesChannel) listener.onMessage(payload)
    else notify()
  }

  /** Resolves when the connection is lost, or when listening ends. Rejects if the connection cannot be opened. */
  async function listen(): Promise<void> {
    const opened = await connect(url, 'listen', receive)
    let stop = () => {}
    const stopped = new Promise<void>((resolve) => (stop = resolve))
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      await opened.query(`LISTEN ${changesChannel}; LISTEN ${messagesChannel}`)
      connection = opened
      // Notifications from before LISTEN were missed.
      notify()
      await Promise.race([opened.lost, stopped])
    } finally {
      connection = undefined
      signal.removeEventListener('abort', stop)
      await opened.close()
    }
  }

  async function reconnect(): Promise<void> {
    while (!signal.aborted) {
      await listen().catch(() => undefined)
      await delay(limits.watchMs, undefined, { signal }).catch(() => undefined)
    }
  }

  /** @returns whether the lock was taken or released; false if the connection is lost */
  function queryLock(holder: Connection, text: string, name: string): Promise<boolean> {
    const query = async () => (await holder.query<{ isDone: boolean }>(text, [name]))[0]?.isDone === true
    const answer = lastQuery.then(query).catch(() => false)
    lastQuery = answer
    return answer
  }

  /** Takes a lock for the current connection. If the connection is lost, the server releases the lock. */
  async function lock(name: string): Promise<Lock | undefined> {
    const holder = connection
    if (!holder || !(await queryLock(holder, tryLock, name))) return undefined
    return { isHeld: () => connection === holder, release: async () => void (await queryLock(holder, unlock, name)) }
  }

  const loops = Promise.all([poll(), reconnect()])
  return {
    lock,
    close: async () => {
      closing.abort()
      endWait()
      await loops
    },
  }
}

// The first number distinguishes these locks from those of other programs in the database.
const tryLock = 'SELECT pg_try_advisory_lock(70554, hashtext($1)) AS "isDone"'
const unlock = 'SELECT pg_advisory_unlock(70554, hashtext($1)) AS "isDone"'
