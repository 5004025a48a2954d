import { parentPort, workerData } from 'node:worker_threads'
import { limits } from '../limits.ts'
import type { CompiledMigration } from '../migrations/migration.ts'
import { StorageError } from '../storage-error.ts'
import { applier, type Failure, type Outcome } from './apply.ts'
import { type Database, openWriter } from './database.ts'
import { faultEffectOf } from './faults.ts'
import { migrate } from './migrate.ts'
import { createPrivately, takeOwnership } from './owner-lock.ts'
import { type PackMessage, unpack } from './pack.ts'

// The writer thread owns the file and the writing connection, so that an fsync never blocks the event loop of the
// service. It ends after a `close` message and is never terminated: the driver would abort the process.

export interface WriterData {
  readonly file: string
  readonly migrations: readonly CompiledMigration[]
}

/** erases: the replaced rows of the batch must be removed from the write-ahead log, too. */
export type ToWriter =
  | { readonly kind: 'commit'; readonly batch: PackMessage; readonly erases: boolean }
  | { readonly kind: 'close' }

/** The first message of the thread. ready: it accepts batches. failed: it could not open the file, and has ended. */
export type StartOutcome = { readonly kind: 'ready' } | Failure

/**
 * done: the committed units of the batch are on disk; `notCommitted` contains the outcomes of all other units, by
 * position. stopped: the disk or the database has failed, and no further batch is committed.
 */
export type Reply =
  | { readonly kind: 'done'; readonly notCommitted: readonly (readonly [number, Outcome])[] }
  | { readonly kind: 'stopped'; readonly message: string }

interface OwnedDatabase {
  readonly database: Database
  readonly releaseOwnership: () => void
  /** Whether the write-ahead log of an earlier process, which may contain erased data, was truncated. */
  readonly hasEmptyLog: boolean
}

const port = parentPort
if (!port) throw new Error('the module must run in a worker thread')
const send = (message: StartOutcome | Reply) => port.postMessage(message)

const data: WriterData = workerData
const owned = open(data)
if (owned) serve(owned)

function open({ file, migrations }: WriterData): OwnedDatabase | undefined {
  const releases: (() => void)[] = []
  try {
    const releaseOwnership = takeOwnership(file)
    releases.unshift(releaseOwnership)
    createPrivately(file)
    const database = openWriter(file)
    releases.unshift(() => database.close())
    migrate(database, migrations)
    return { database, releaseOwnership, hasEmptyLog: checkpoint(database, 'TRUNCATE', 0) }
  } catch (error) {
    for (const release of releases) release()
    const { kind, message } =
      error instanceof StorageError ? error : { kind: 'unavailable' as const, message: textOf(error) }
    send({ kind: 'failed', error: { kind, message: message.includes(file) ? message : `${file}: ${message}` } })
    return undefined
  }
}

function serve({ database, releaseOwnership, hasEmptyLog }: OwnedDatabase): void {
  const applyUnits = applier(database)
  const logLength = database.prepare('PRAGMA wal_checkpoint(NOOP)')
  let hasFailed = false
  let erasure: NodeJS.Timeout | undefined

  function fail(error: unknown): void {
    hasFailed = true
    send({ kind: 'stopped', message: textOf(error) })
  }

  /**
   * Truncates the log, which contains replaced pages until then. A wait for readers would delay every commit, so the
   * truncation is repeated instead.
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
        // The batch was sent before the message `stopped` arrived, on which its units are rejected as `unknown`.
        if (hasFailed) return
        try {
          const outcomes = applyUnits(unpack(message.batch))
          send({ kind: 'done', notCommitted: [...outcomes.entries()].filter(([, { kind }]) => kind !== 'committed') })
          // The checkpoint follows the reply, so that callers do not wait for it.
          const { log: logPages }: { log: number } = logLength.get()
          if (logPages >= limits.checkpointPages) checkpoint(database, 'PASSIVE', 0)
          if (message.erases) eraseSoon()
        } catch (error) {
          fail(error)
        }
        return
      case 'close':
        // The log is truncated, so that the file alone is the whole database. SQLite truncates it when the last
        // connection closes, but the driver keeps a closed connection open until its statements are garbage-collected.
        clearTimeout(erasure)
        if (!hasFailed) checkpoint(database, 'TRUNCATE', limits.busyTimeoutMs)
        database.close()
        releaseOwnership()
        port.close()
    }
  })

  if (!hasEmptyLog) eraseSoon()
  send({ kind: 'ready' })
}

/**
 * Copies the write-ahead log into the file; in the mode TRUNCATE, then empties the log.
 * @param waitMs the longest wait for readers
 * @returns false if a reader, a lock or a full disk prevented the truncation
 * @throws the error of a failing disk
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
