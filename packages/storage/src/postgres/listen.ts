import { setTimeout as elapsed } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { Listener, Lock } from '../port.ts'
import type { WatchedTable } from '../schema.ts'
import { type Connection, connect, type Notification } from './database.ts'
import { changesChannel, messagesChannel } from './watched.ts'

/** How often a table was changed. */
export interface Changes {
  readonly name: WatchedTable
  readonly changes: number
}

/** The connection to the peers. */
export interface Listening {
  /** Takes a lock, unless another process has it or nobody can say. */
  readonly lock: (name: string) => Promise<Lock | undefined>
  readonly close: () => Promise<void>
}

/**
 * Listens to other processes, until it is closed, over a connection of its own. Whether it is there or not, the counts
 * of changes are looked at every `limits.watchMs`.
 */
export function listenTo(url: string, counts: () => Promise<readonly Changes[]>, listener: Listener): Listening {
  const known = new Map<WatchedTable, number>()
  const closing = new AbortController()
  const { signal } = closing
  let connection: Connection | undefined
  /** Ends with the last question about a lock: a connection works on one after the other. */
  let asked: Promise<unknown> = Promise.resolve()
  let wasTold = false
  let wake = () => {}

  async function look(): Promise<void> {
    const found = (await counts()).filter(({ name, changes }) => known.get(name) !== changes)
    if (found.length === 0) return
    await listener.changed(new Set(found.map(({ name }) => name)))
    for (const { name, changes } of found) known.set(name, changes)
  }

  function tell(): void {
    wasTold = true
    wake()
  }

  /** Resolves when something was told, and in any case after a while. */
  async function untilTold(): Promise<void> {
    if (!wasTold && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limits.watchMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    wasTold = false
  }

  async function lookOn(): Promise<void> {
    while (!signal.aborted) {
      // What could not be read or held is still not known, and comes with the next look.
      await look().catch(() => undefined)
      await untilTold()
      // Changes that come together are looked at together.
      await elapsed(limits.watchPauseMs, undefined, { signal }).catch(() => undefined)
    }
  }

  function receive({ channel, payload = '' }: Notification): void {
    if (channel === messagesChannel) listener.onMessage(payload)
    else tell()
  }

  /** Resolves when the connection is lost, or there was none to be had. */
  async function listen(): Promise<void> {
    const opened = await connect(url, 'listen', receive)
    let stop = () => {}
    const stopped = new Promise<void>((resolve) => (stop = resolve))
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      await opened.query(`LISTEN ${changesChannel}; LISTEN ${messagesChannel}`)
      connection = opened
      // Before this moment nobody was listening.
      tell()
      await Promise.race([opened.lost, stopped])
    } finally {
      connection = undefined
      signal.removeEventListener('abort', stop)
      await opened.close()
    }
  }

  async function listenOn(): Promise<void> {
    while (!signal.aborted) {
      await listen().catch(() => undefined)
      await elapsed(limits.watchMs, undefined, { signal }).catch(() => undefined)
    }
  }

  /** @returns whether it was done; not where the connection is lost */
  function ask(holder: Connection, text: string, name: string): Promise<boolean> {
    const query = async () => (await holder.query<{ isDone: boolean }>(text, [name]))[0]?.isDone === true
    const answer = asked.then(query).catch(() => false)
    asked = answer
    return answer
  }

  /** The server gives back the locks of a connection that is lost. */
  async function lock(name: string): Promise<Lock | undefined> {
    const holder = connection
    if (!holder || !(await ask(holder, tryLock, name))) return undefined
    return { isHeld: () => connection === holder, release: async () => void (await ask(holder, unlock, name)) }
  }

  const both = Promise.all([lookOn(), listenOn()])
  return {
    lock,
    close: async () => {
      closing.abort()
      wake()
      await both
    },
  }
}

// The first number is ours, and keeps these apart from the locks of others in the database.
const tryLock = 'SELECT pg_try_advisory_lock(70554, hashtext($1)) AS "isDone"'
const unlock = 'SELECT pg_advisory_unlock(70554, hashtext($1)) AS "isDone"'
