import { parentPort, workerData } from 'node:worker_threads'
import { limits } from '../limits.ts'
import { applier, type Failure, type Outcome } from './apply.ts'
import { type Database, openWriter } from './database.ts'
import { consequenceOf, storageErrorOf } from './faults.ts'
import { type CompiledMigration, migrate } from './migrate.ts'
import { type Packed, unpack } from './pack.ts'

// The thread that owns the writing connection, so that an fsync never blocks the event loop of the service.

/** What the thread starts with. */
export interface WriterData {
  readonly file: string
  readonly migrations: readonly CompiledMigration[]
}

export type ToWriter = { readonly kind: 'commit'; readonly batch: Packed } | { readonly kind: 'close' }

/** The writer's first message: it waits for batches, or it could not open the file. */
export type Opening = { readonly kind: 'ready' } | Failure

/**
 * done: the batch is on disk; `others` holds the outcomes that are not `committed`, by position. stopped: the disk or
 * the database has failed; whoever started the writer must end it.
 */
export type Reply =
  | { readonly kind: 'done'; readonly others: readonly (readonly [number, Outcome])[] }
  | { readonly kind: 'stopped'; readonly message: string }

const port = parentPort
if (!port) throw new Error('the writer runs in a thread of its own')
const send = (message: Opening | Reply) => port.postMessage(message)

const data: WriterData = workerData
const writing = open(data)
if (writing) serve(writing)

function open({ file, migrations }: WriterData): Database | undefined {
  let opened: Database | undefined
  try {
    opened = openWriter(file)
    migrate(opened, migrations)
    return opened
  } catch (error) {
    opened?.close()
    const { kind, message } = storageErrorOf(error)
    send({ kind: 'failed', error: { kind, message: message.includes(file) ? message : `${file}: ${message}` } })
    return undefined
  }
}

function serve(database: Database): void {
  const applyUnits = applier(database)
  const checkpoint = checkpointer(database)

  port?.on('message', (message: ToWriter) => {
    switch (message.kind) {
      case 'commit':
        try {
          const outcomes = applyUnits(unpack(message.batch))
          send({ kind: 'done', others: [...outcomes.entries()].filter(([, { kind }]) => kind !== 'committed') })
          checkpoint()
        } catch (error) {
          // The connection is left as it is: closing it would write to a disk that has just lost data.
          send({ kind: 'stopped', message: storageErrorOf(error).message })
        }
        return
      case 'close':
        database.close()
        port.close()
    }
  })

  send({ kind: 'ready' })
}

/**
 * Copies the write-ahead log home once it is long, after the callers have their answers. A reader in the way or a full
 * disk only postpones it; a failing disk throws.
 */
function checkpointer(database: Database): () => void {
  const length = database.prepare('PRAGMA wal_checkpoint(NOOP)')
  const run = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  return function checkpointWhenLong() {
    const { log }: { log: number } = length.get()
    if (log < limits.checkpointPages) return
    try {
      run.get()
    } catch (error) {
      if (consequenceOf(error) === 'stop') throw error
    }
  }
}
