import { parentPort, workerData } from 'node:worker_threads'
import { limits } from '../limits.ts'
import type { CompiledMigration } from '../migrations/migration.ts'
import { StorageError } from '../storage-error.ts'
import { applier, type Failure, type Outcome } from './apply.ts'
import { type Database, openWriter } from './database.ts'
import { faultEffectOf } from './faults.ts'
import { migrate } from './migrate.ts'
import { createPrivately, takeOwnership } from './owner-lock.ts'
import { type Packed, unpack } from './pack.ts'

// The thread that owns the file and the connection that writes, so that an fsync never blocks the event loop of the
// service. It ends when it is told to close, and is never terminated: the driver would abort the process.

/** What the thread starts with. */
export interface WriterData {
  readonly file: string
  readonly migrations: readonly CompiledMigration[]
}

/** erases: what the batch replaces must leave the write-ahead log, too. */
export type ToWriter =
  | { readonly kind: 'commit'; readonly batch: Packed; readonly erases: boolean }
  | { readonly kind: 'close' }

/** The writer's first message: it waits for batches, or it could not open the file and has ended. */
export type Opening = { readonly kind: 'ready' } | Failure

/**
 * done: the batch is on disk; `others` holds the outcomes that are not `committed`, by position. stopped: the disk or
 * the database has failed; nothing more may be committed.
 */
export type Reply =
  | { readonly kind: 'done'; readonly others: readonly (readonly [number, Outcome])[] }
  | { readonly kind: 'stopped'; readonly message: string }

interface Owned {
  readonly database: Database
  readonly giveUpOwnership: () => void
  /** Whether the log of an earlier process, and with it what that one had still to erase, is gone. */
  readonly hasEmptyLog: boolean
}

const port = parentPort
if (!port) throw new Error('the writer runs in a thread of its own')
const send = (message: Opening | Reply) => port.postMessage(message)

const data: WriterData = workerData
const owned = open(data)
if (owned) serve(owned)

function open({ file, migrations }: WriterData): Owned | undefined {
  const releases: (() => void)[] = []
  try {
    const giveUpOwnership = takeOwnership(file)
    releases.unshift(giveUpOwnership)
    createPrivately(file)
    const database = openWriter(file)
    releases.unshift(() => database.close())
    migrate(database, migrations)
    return { database, giveUpOwnership, hasEmptyLog: checkpoint(database, 'TRUNCATE', 0) }
  } catch (error) {
    for (const release of releases) release()
    const { kind, message } =
      error instanceof StorageError ? error : { kind: 'unavailable' as const, message: textOf(error) }
    send({ kind: 'failed', error: { kind, message: message.includes(file) ? message : `${file}: ${message}` } })
    return undefined
  }
}

function serve({ database, giveUpOwnership, hasEmptyLog }: Owned): void {
  const applyUnits = applier(database)
  const logLength = database.prepare('PRAGMA wal_checkpoint(NOOP)')
  let hasFailed = false
  let erasure: NodeJS.Timeout | undefined

  function fail(error: unknown): void {
    hasFailed = true
    send({ kind: 'stopped', message: textOf(error) })
  }

  /**
   * A replaced page stays in the log until the log is emptied or written over. A reader in the way is not waited for,
   * as that would hold up every commit; the next attempt follows.
   */
  function eraseSoon(): void {
    erasure ??= setTimeout(() => {
      erasure = undefined
      try {
        if (!hasFailed && !checkpoint(database, 'TRUNCATE', 0)) eraseSoon()
      } catch (error) {
        fail(error)
      }
    }, limits.eraseDelayMs)
  }

  port?.on('message', (message: ToWriter) => {
    switch (message.kind) {
      case 'commit':
        // A batch that was sent before its sender knew of the failure; the sender takes its fate for unknown.
        if (hasFailed) return
        try {
          const outcomes = applyUnits(unpack(message.batch))
          send({ kind: 'done', others: [...outcomes.entries()].filter(([, { kind }]) => kind !== 'committed') })
          // Only now, when the callers have their answers.
          const { log: logPages }: { log: number } = logLength.get()
          if (logPages >= limits.checkpointPages) checkpoint(database, 'PASSIVE', 0)
          if (message.erases) eraseSoon()
        } catch (error) {
          fail(error)
        }
        return
      case 'close':
        // Leaves an empty log, so that the file alone is the whole database. SQLite would see to it with its last
        // connection, but the driver keeps a closed one alive until its statements are collected.
        clearTimeout(erasure)
        if (!hasFailed) checkpoint(database, 'TRUNCATE', limits.busyTimeoutMs)
        database.close()
        giveUpOwnership()
        port.close()
    }
  })

  if (!hasEmptyLog) eraseSoon()
  send({ kind: 'ready' })
}

/**
 * Copies the write-ahead log home, and empties it where the mode says so.
 * @param waitMs how long for readers in the way
 * @returns false: a reader or a full disk has postponed it. A failing disk throws.
 */
function checkpoint(database: Database, mode: 'PASSIVE' | 'TRUNCATE', waitMs: number): boolean {
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}`)
    const { busy }: { busy: number } = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get()
    return busy === 0
  } catch (error) {
    if (faultEffectOf(error) === 'stop') throw error
    return false
  } finally {
    database.exec(`PRAGMA busy_timeout = ${limits.busyTimeoutMs}`)
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : 'an unknown error'
}
