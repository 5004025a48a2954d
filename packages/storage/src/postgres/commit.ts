import { randomUUID } from 'node:crypto'
import { checkUnit } from '../check-unit.ts'
import { limits } from '../limits.ts'
import type { CommitResult, Committer, Unit } from '../port.ts'
import { StorageError } from '../storage-error.ts'
import { applyUnits, lookUpReply } from './apply.ts'
import type { Connection } from './database.ts'
import { faultEffectOf, definiteErrorOf, storageErrorOf } from './faults.ts'
import { type KeyOrdered, keyOrder } from './key-order.ts'
import { type PackedUnit, pack } from './pack.ts'
import { makeMonths, timesOfUnit } from './partitions.ts'
import { type ReconnectingConnection, withReconnect } from './reconnecting.ts'

const noConnection = 'there is no connection to the database'

/** A unit with the functions that resolve or reject the promise of its caller. */
interface QueuedUnit extends PackedUnit, KeyOrdered<QueuedUnit> {
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: StorageError) => void
  hasOutcome: boolean
}

interface Sender {
  readonly connection: ReconnectingConnection
  isBusy: boolean
}

/** A batch to send or to look up. Batches to send again or to look up precede batches that were never sent. */
interface Task {
  readonly batch: readonly QueuedUnit[]
  /** Repetitions after attempts that wrote nothing, because of another process or of a lost connection. */
  readonly retries: number
  /** Defined if the connection was lost after the batch was sent. */
  readonly lookUp: LookUp | undefined
}

/** The look-up of the outcome of a batch whose connection was lost. */
interface LookUp {
  readonly id: string
  readonly error: unknown
  /** Aborts when the wait for the outcome ends. */
  readonly signal: AbortSignal
}

/**
 * Commits units in batches, a few of which are in flight at a time, each on a connection of its own. Two units that
 * share a key, such as a tree, are never in flight together: the later waits for the outcome of the earlier.
 *
 * After a connection is lost, the outcome of its batch is looked up on another connection. Without any connection,
 * units wait for `limits.outageMs` and are then rejected.
 * @param connections one connection for each batch in flight
 */
export function startCommitter(url: string, connections: readonly Connection[]): Committer {
  const senders: Sender[] = connections.map((each) => ({
    connection: withReconnect(url, each, () => send()),
    isBusy: false,
  }))
  const order = keyOrder<QueuedUnit>()
  /** Units without an outcome. */
  const waiting = new Set<QueuedUnit>()
  /** Units that can be sent: each earlier unit with the same key has an outcome. */
  let ready: QueuedUnit[] = []
  const inFlight = new Set<QueuedUnit>()
  let tasks: Task[] = []
  /** The ids of batches whose replies have arrived; the next batch deletes the stored replies. */
  let received: string[] = []
  let [units, batches] = [0, 0]
  let busySenders = 0
  let isScheduled = false
  let lateTimer: NodeJS.Timeout | undefined
  let refusal: StorageError | undefined
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  let onIdle: (() => void) | undefined
  let outageTimer: NodeJS.Timeout | undefined
  let isOutage = false

  function commit(unit: Unit): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      if (refusal) throw refusal
      if (isOutage) throw new StorageError('unavailable', noConnection)
      if (waiting.size >= limits.queueUnits) {
        throw new StorageError('unavailable', 'too many units are queued')
      }
      const { keys, rows } = pack(checkUnit(unit))
      const queued: QueuedUnit = { keys, rows, resolve, reject, ahead: 0, behind: [], hasOutcome: false }
      waiting.add(queued)
      if (!order.join(queued)) return
      ready.push(queued)
      if (ready.length < limits.readyUnits) schedule()
      else send()
    })
  }

  /**
   * Sends in a microtask. Requests that are handled together commit in the microtasks before it, so that their units
   * share a batch. Beside a batch in flight, sends after the delay of `sendLate`.
   */
  function schedule(): void {
    if (isScheduled) return
    if (busySenders > 0) return sendLate()
    isScheduled = true
    queueMicrotask(() => {
      isScheduled = false
      send()
    })
  }

  /**
   * Sends in any case after a delay, because the batch in flight may wait for a lock, or its connection may be lost
   * without an error.
   */
  function sendLate(): void {
    lateTimer ??= setTimeout(() => {
      lateTimer = undefined
      send(true)
    }, limits.slowBatchMs)
  }

  /** Starts tasks on free connections, and reopens lost connections. */
  function send(isLate = false): void {
    for (const sender of senders) {
      if (sender.isBusy) continue
      const connection = sender.connection.current()
      if (connection) {
        const task = tasks.shift() ?? nextBatch(isLate)
        if (task) void perform(sender, connection, task)
      } else if (!closing.signal.aborted) void reconnect(sender)
    }
    if (waiting.size === 0) onIdle?.()
  }

  /** The next batch. Beside a batch in flight a second one is sent only if it is large or has waited long enough. */
  function nextBatch(isLate: boolean): Task | undefined {
    if (ready.length === 0) return undefined
    if (busySenders > 0 && ready.length < limits.readyUnits && !isLate) {
      sendLate()
      return undefined
    }
    const batch = ready.slice(0, limits.batchUnits)
    ready = ready.slice(batch.length)
    for (const queued of batch) inFlight.add(queued)
    return { batch, retries: 0, lookUp: undefined }
  }

  async function perform(sender: Sender, connection: Connection, { batch, retries, lookUp }: Task): Promise<void> {
    sender.isBusy = true
    busySenders += 1
    await (lookUp ? lookUpOutcome(connection, batch, retries, lookUp) : run(connection, batch, retries))
    busySenders -= 1
    sender.isBusy = false
    send()
  }

  async function reconnect(sender: Sender): Promise<void> {
    sender.isBusy = true
    outageTimer ??= setTimeout(startOutage, limits.outageMs)
    const connection = await sender.connection.renew(closing.signal)
    sender.isBusy = false
    if (!connection) return
    clearTimeout(outageTimer)
    outageTimer = undefined
    isOutage = false
    send()
  }

  async function run(connection: Connection, batch: readonly QueuedUnit[], retries: number): Promise<void> {
    const id = randomUUID()
    const arrived = received
    received = []
    try {
      complete(batch, id, await applyUnits(connection, batch, id, arrived))
    } catch (error) {
      received.push(...arrived)
      switch (faultEffectOf(error)) {
        case 'refuse':
          return rejectBatch(batch, storageErrorOf(error))
        case 'retry':
          if (retries >= limits.batchRetriesMax) return split(batch, error)
          tasks.push({ batch, retries: retries + 1, lookUp: undefined })
          return
        case 'split':
          return split(batch, error)
        case 'make-months': {
          // Another process may have made the months; after an error the repeated batch fails in the same way.
          const atMs = Math.max(0, ...batch.flatMap(timesOfUnit))
          await makeMonths(connection, atMs).catch(() => {})
          if (retries >= limits.batchRetriesMax) return split(batch, error)
          tasks.push({ batch, retries: retries + 1, lookUp: undefined })
          return
        }
        case 'reconnect':
          tasks.push({ batch, retries, lookUp: undefined })
          return connection.close()
        case 'look-up': {
          const signal = AbortSignal.timeout(limits.outageMs)
          tasks.push({ batch, retries, lookUp: { id, error, signal } })
          return connection.close()
        }
      }
    }
  }

  /** Halves the batch, repeatedly, until the unit that causes the error is a batch of its own. */
  function split(batch: readonly QueuedUnit[], error: unknown): void {
    if (batch.length === 1) return rejectBatch(batch, storageErrorOf(error))
    const middle = Math.ceil(batch.length / 2)
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      tasks.push({ batch: half, retries: 0, lookUp: undefined })
    }
  }

  /**
   * Looks up the outcome of a batch, and repeats a failed look-up until `lookUp.signal` aborts or an outage begins.
   * Meanwhile no caller of its units gets a result, and none of its units is sent again.
   */
  async function lookUpOutcome(
    connection: Connection,
    batch: readonly QueuedUnit[],
    retries: number,
    lookUp: LookUp,
  ): Promise<void> {
    try {
      const results = await lookUpReply(connection, lookUp.id, batch.length)
      if (results) return complete(batch, lookUp.id, results)
      if (retries >= limits.batchRetriesMax) return rejectBatch(batch, definiteErrorOf(lookUp.error))
      tasks.push({ batch, retries: retries + 1, lookUp: undefined })
    } catch (error) {
      if (faultEffectOf(error) !== 'retry') await connection.close()
      setTimeout(() => {
        if (isOutage || lookUp.signal.aborted) rejectBatch(batch, unknownOutcome(lookUp))
        else tasks.push({ batch, retries, lookUp })
        send()
      }, limits.lookUpMs)
    }
  }

  const unknownOutcome = ({ error }: LookUp) =>
    new StorageError('unknown', `the outcome of the commit is unknown: ${storageErrorOf(error).message}`)

  /**
   * Without any connection, rejects all units without an outcome; a unit whose look-up is in progress is rejected when
   * that look-up has failed. New units are rejected until there is a connection.
   */
  function startOutage(): void {
    outageTimer = undefined
    if (senders.some(({ connection }) => connection.current())) return
    isOutage = true
    const refused = new StorageError('unavailable', noConnection)
    const pending = tasks
    tasks = []
    for (const { batch, lookUp } of pending) rejectBatch(batch, lookUp ? unknownOutcome(lookUp) : refused)
    const waitingToSend = ready
    ready = []
    for (const queued of waiting) {
      if (!inFlight.has(queued)) release(queued).reject(refused)
    }
    unblock(waitingToSend)
    if (waiting.size === 0) onIdle?.()
  }

  function complete(batch: readonly QueuedUnit[], id: string, results: readonly CommitResult[]): void {
    received.push(id)
    batches += 1
    units += batch.length
    unblock(batch)
    for (const [index, queued] of batch.entries()) release(queued).resolve(results[index] ?? { kind: 'stale' })
  }

  function rejectBatch(batch: readonly QueuedUnit[], error: StorageError): void {
    unblock(batch)
    for (const queued of batch) release(queued).reject(error)
  }

  function release(queued: QueuedUnit): QueuedUnit {
    queued.hasOutcome = true
    waiting.delete(queued)
    inFlight.delete(queued)
    return queued
  }

  /**
   * Makes the units behind `finished` ready. A unit behind them that was rejected meanwhile has an outcome already, so
   * the units behind it become ready.
   */
  function unblock(finished: readonly QueuedUnit[]): void {
    const leaving = [...finished]
    for (let queued = leaving.pop(); queued; queued = leaving.pop()) {
      for (const next of order.leave(queued)) (next.hasOutcome ? leaving : ready).push(next)
    }
  }

  async function close(): Promise<void> {
    refusal ??= new StorageError('unavailable', 'the storage is closed')
    if (waiting.size > 0) {
      await new Promise<void>((idle) => {
        onIdle = idle
      })
    }
    closing.abort()
    clearTimeout(outageTimer)
    clearTimeout(lateTimer)
    await Promise.all(senders.map(({ connection }) => connection.close()))
  }

  return {
    commit,
    depth: () => waiting.size,
    isReachable: () => senders.some(({ connection }) => connection.current() !== undefined),
    totals: () => ({ units, batches }),
    close: () => (closed ??= close()),
  }
}
