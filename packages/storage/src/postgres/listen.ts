import { setTimeout as elapsed } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { Listener } from '../port.ts'
import type { WatchedTable } from '../schema.ts'
import { connect, type Notification } from './database.ts'
import { changesChannel, messagesChannel } from './watched.ts'

/** How often a table was changed. */
export interface Changes {
  readonly name: WatchedTable
  readonly changes: number
}

/**
 * Listens to other processes, until it is closed, over a connection of its own. Whether it is there or not, the counts
 * of changes are looked at every `limits.watchMs`.
 */
export function listenTo(
  url: string,
  counts: () => Promise<readonly Changes[]>,
  { changed, told }: Listener,
): { readonly close: () => Promise<void> } {
  const known = new Map<WatchedTable, number>()
  const closing = new AbortController()
  const { signal } = closing
  /** Ends the wait for the next look. */
  let wake = new AbortController()

  async function look(): Promise<void> {
    const found = (await counts()).filter(({ name, changes }) => known.get(name) !== changes)
    if (found.length === 0) return
    await changed(new Set(found.map(({ name }) => name)))
    for (const { name, changes } of found) known.set(name, changes)
  }

  async function lookOn(): Promise<void> {
    while (!signal.aborted) {
      wake = new AbortController()
      // What could not be read or held is still not known, and comes with the next look.
      await look().catch(() => undefined)
      await elapsed(limits.watchMs, undefined, { signal: AbortSignal.any([wake.signal, signal]) }).catch(
        () => undefined,
      )
    }
  }

  function hear({ channel, payload = '' }: Notification): void {
    if (channel === messagesChannel) told(payload)
    else wake.abort()
  }

  /** Resolves when the connection is lost, or there was none to be had. */
  async function listen(): Promise<void> {
    let lost = () => {}
    const isLost = new Promise<void>((resolve) => (lost = resolve))
    const connection = await connect(url, 'listen', { told: hear, lost })
    signal.addEventListener('abort', lost)
    try {
      await connection.query(`LISTEN ${changesChannel}; LISTEN ${messagesChannel}`)
      // Before this moment nobody was listening.
      wake.abort()
      await isLost
    } finally {
      signal.removeEventListener('abort', lost)
      await connection.close()
    }
  }

  async function listenOn(): Promise<void> {
    while (!signal.aborted) {
      await listen().catch(() => undefined)
      await elapsed(limits.watchMs, undefined, { signal }).catch(() => undefined)
    }
  }

  const both = Promise.all([lookOn(), listenOn()])
  return {
    close: async () => {
      closing.abort()
      await both
    },
  }
}
