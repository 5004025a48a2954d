import { Worker } from 'node:worker_threads'
import { checkUnit } from '../check-unit.ts'
import { limits } from '../limits.ts'
import type { CommitResult, Committer, Unit } from '../port.ts'
import { StorageError } from '../storage-error.ts'
import type { Outcome } from './apply.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { emptyPack, type Pack, pack, toMessage } from './pack.ts'
import type { StartOutcome, Reply, ToWriter, WriterData } from './writer-thread.ts'

interface Caller {
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: StorageError) => void
}

/** Units that share a transaction, and the promises of their callers. */
interface Batch {
  readonly pack: Pack
  readonly callers: Caller[]
  /** Whether a unit of the batch has `erases`. */
  erases: boolean
}

/**
 * Starts the writer thread on `file` and resolves when the schema is up to date.
 *
 * One batch is in flight at a time; units that arrive during its commit form the next batches, so that one fsync serves
 * many callers. Units are committed in the order of arrival.
 * @param onFatal called once when the disk or the thread has failed; the outcome of the batch in flight is unknown
 * @throws StorageError `in-use`, `incompatible` or `unavailable` if the file cannot be opened
 */
export async function startWriter(file: string, onFatal: (error: StorageError) => void): Promise<Committer> {
  const workerData: WriterData = { file, migrations: compiledMigrations() }
  const worker = new Worker(new URL('writer-thread.js', import.meta.url), { workerData, execArgv: [] })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  await untilReady(worker)

  const queue: Batch[] = []
  let inFlight: Batch | undefined
  let depth = 0
  let [units, batches] = [0, 0]
  let isScheduled = false
  let refusal: StorageError | undefined
  let hasFailed = false
  let closed: Promise<void> | undefined
  let onIdle: (() => void) | undefined

  function commit(unit: Unit): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      if (refusal) throw refusal
      if (depth >= limits.queueUnits) throw new StorageError('unavailable', 'too many units are queued')
      const flat = checkUnit(unit)
      const last = queue.at(-1)
      const unitsMax = Math.min(Math.max(limits.readyUnits, depth / 2), limits.batchUnits)
      const batch = last && last.callers.length < unitsMax ? last : newBatch()
      if (batch !== last) queue.push(batch)
      pack(batch.pack, flat)
      batch.erases ||= unit.erases === true
      batch.callers.push({ resolve, reject })
      depth += 1
      schedule()
    })
  }

  /**
   * Sends in a microtask. Requests that are handled together commit in the microtasks before it, so that their units
   * share a batch.
   */
  function schedule(): void {
    if (isScheduled || inFlight) return
    isScheduled = true
    queueMicrotask(() => {
      isScheduled = false
      send()
    })
  }

  function send(): void {
    if (inFlight) return
    inFlight = queue.shift()
    if (!inFlight) return onIdle?.()
    const [batch, transferred] = toMessage(inFlight.pack)
    post({ kind: 'commit', batch, erases: inFlight.erases }, transferred)
  }

  function post(message: ToWriter, transferred: readonly ArrayBuffer[] = []): void {
    worker.postMessage(message, transferred)
  }

  function resolveBatch(batch: Batch, notCommitted: ReadonlyMap<number, Outcome>): void {
    depth -= batch.callers.length
    units += batch.callers.length
    batches += 1
    for (const [index, { resolve, reject }] of batch.callers.entries()) {
      const outcome = notCommitted.get(index)
      if (!outcome) resolve({ kind: 'committed' })
      else if (outcome.kind === 'failed') reject(new StorageError(outcome.error.kind, outcome.error.message))
      else resolve(outcome)
    }
  }

  function stop(message: string): void {
    if (hasFailed) return
    hasFailed = true
    const failure = new StorageError('unknown', message)
    refusal = new StorageError('unavailable', message)
    for (const { reject } of inFlight?.callers ?? []) reject(failure)
    for (const { reject } of queue.flatMap((batch) => batch.callers)) reject(refusal)
    queue.length = 0
    inFlight = undefined
    depth = 0
    onIdle?.()
    // By default `onFatal` ends the process, before any caller observes its rejection.
    onFatal(failure)
  }

  worker.on('message', (reply: Reply) => {
    switch (reply.kind) {
      case 'done': {
        const batch = inFlight
        inFlight = undefined
        send()
        if (batch) resolveBatch(batch, new Map(reply.notCommitted))
        return
      }
      case 'stopped':
        stop(`${file}: ${reply.message}`)
    }
  })
  worker.on('error', (error) => stop(`${file}: the writer thread failed: ${error.message}`))
  worker.on('exit', () => {
    if (!closed) stop(`${file}: the writer thread ended`)
  })

  async function close(): Promise<void> {
    refusal ??= new StorageError('unavailable', `${file} is closed`)
    await new Promise<void>((resolve) => {
      onIdle = resolve
      send()
    })
    post({ kind: 'close' })
    await exited
  }

  return {
    commit,
    depth: () => depth,
    totals: () => ({ units, batches }),
    isReachable: () => true,
    close: () => (closed ??= close()),
  }
}

function newBatch(): Batch {
  return { pack: emptyPack(), callers: [], erases: false }
}

async function untilReady(worker: Worker): Promise<void> {
  const outcome = await new Promise<StartOutcome>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', (error) => reject(new StorageError('unavailable', error.message)))
    worker.once('exit', () => reject(new StorageError('unavailable', 'the writer thread ended')))
  })
  if (outcome.kind === 'failed') throw new StorageError(outcome.error.kind, outcome.error.message)
}
