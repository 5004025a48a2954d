import { randomUUID } from 'node:crypto'
import { checkUnit } from '../check-unit.ts'
import { limits } from '../limits.ts'
import type { CommitResult, Committer, Unit } from '../port.ts'
import { StorageError } from '../storage-error.ts'
import { applyUnits, lookUp } from './apply.ts'
import type { Connection } from './database.ts'
import { faultEffectOf, definiteErrorOf, storageErrorOf } from './faults.ts'
import { type InOrder, keyOrder } from './key-order.ts'
import { type PackedUnit, pack } from './pack.ts'
import { type ReconnectingConnection, reconnecting } from './reconnecting.ts'

const noConnection = 'there is no connection to the database'

/** A unit and the promise of its caller. */
interface QueuedUnit extends PackedUnit, InOrder<QueuedUnit> {
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: StorageError) => void
  hasEnded: boolean
}

interface Sender {
  readonly connection: ReconnectingConnection
  isBusy: boolean
}

/** A batch to send, or to look up, before those that were never sent. */
interface Task {
  readonly batch: readonly QueuedUnit[]
  /** Lost races and connections. */
  readonly races: number
  /** Set after it was sent and its connection was lost. */
  readonly doubt: Doubt | undefined
}

interface Doubt {
  readonly id: string
  readonly error: unknown
  /** Ends the wait for its outcome. */
  readonly signal: AbortSignal
}

/**
 * Commits units in batches, a few of which are in flight at a time, each on a connection of its own. Two units that
 * share a key, such as a tree, are never in flight together: the later waits for the outcome of the earlier.
 *
 * After a lost connection the outcome of its batch is looked up on another one. Without any connection units wait for
 * `limits.outageMs`.
 * @param connections one for each batch in flight
 */
export function startCommitter(url: string, connections: readonly Connection[]): Committer {
  const senders: Sender[] = connections.map((each) => ({
    connection: reconnecting(url, each, () => send()),
    isBusy: false,
  }))
  const order = keyOrder<QueuedUnit>()
  /** Units without an outcome, and those of them that can be sent. */
  const waiting = new Set<QueuedUnit>()
  let ready: QueuedUnit[] = []
  const inFlight = new Set<QueuedUnit>()
  let tasks: Task[] = []
  /** Batches whose replies have arrived; the next batch deletes them. */
  let received: string[] = []
  let [units, batches] = [0, 0]
  let busySenders = 0
  let isScheduled = false
  let late: NodeJS.Timeout | undefined
  let refusal: StorageError | undefined
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  let onIdle: (() => void) | undefined
  let outage: NodeJS.Timeout | undefined
  let isOutage = false

  function commit(unit: Unit): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      if (refusal) throw refusal
      if (isOutage) throw new StorageError('unavailable', noConnection)
      if (waiting.size >= limits.queueUnits) {
        throw new StorageError('unavailable', 'too many units are queued')
      }
      checkUnit(unit)
      const { keys, lines: packed } = pack(unit)
      const queued: QueuedUnit = { keys, lines: packed, resolve, reject, ahead: 0, behind: [], hasEnded: false }
      waiting.add(queued)
      if (!order.join(queued)) return
      ready.push(queued)
      if (ready.length < limits.readyUnits) schedule()
      else send()
    })
  }

  /** Sends after the current turn of the event loop, so that units of concurrent requests share a batch. */
  function schedule(): void {
    if (isScheduled) return
    if (busySenders > 0) return sendLate()
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      send()
    })
  }

  /**
   * Sends in any case after a delay, because a batch may wait for a lock, or its connection may be dead without an
   * error.
   */
  function sendLate(): void {
    late ??= setTimeout(() => {
      late = undefined
      send(true)
    }, limits.slowBatchMs)
  }

  /** Gives a task to every free connection, and reopens lost ones. */
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

  /** A second batch is sent beside the first only if it is large enough for a commit of its own. */
  function nextBatch(isLate: boolean): Task | undefined {
    if (ready.length === 0) return undefined
    if (busySenders > 0 && ready.length < limits.readyUnits && !isLate) {
      sendLate()
      return undefined
    }
    const batch = ready.slice(0, limits.batchUnits)
    ready = ready.slice(batch.length)
    for (const queued of batch) inFlight.add(queued)
    return { batch, races: 0, doubt: undefined }
  }

  async function perform(sender: Sender, connection: Connection, { batch, races, doubt }: Task): Promise<void> {
    sender.isBusy = true
    busySenders += 1
    await (doubt ? lookUpOutcome(connection, batch, races, doubt) : run(connection, batch, races))
    busySenders -= 1
    sender.isBusy = false
    send()
  }

  async function reconnect(sender: Sender): Promise<void> {
    sender.isBusy = true
    outage ??= setTimeout(startOutage, limits.outageMs)
    const connection = await sender.connection.renew(closing.signal)
    sender.isBusy = false
    if (!connection) return
    clearTimeout(outage)
    outage = undefined
    isOutage = false
    send()
  }

  async function run(connection: Connection, batch: readonly QueuedUnit[], races: number): Promise<void> {
    const id = randomUUID()
    const arrived = received
    received = []
    try {
      complete(batch, id, await applyUnits(connection, batch, id, arrived))
    } catch (error) {
      received.push(...arrived)
      switch (faultEffectOf(error)) {
        case 'refuse':
          return end(batch, storageErrorOf(error))
        case 'retry':
          if (races >= limits.races) return split(batch, error)
          tasks.push({ batch, races: races + 1, doubt: undefined })
          return
        case 'split':
          return split(batch, error)
        case 'reconnect':
          tasks.push({ batch, races, doubt: undefined })
          return connection.close()
        case 'doubt': {
          const signal = AbortSignal.timeout(limits.outageMs)
          tasks.push({ batch, races, doubt: { id, error, signal } })
          return connection.close()
        }
      }
    }
  }

  /** Halves the batch until the unit at fault is a batch of its own. */
  function split(batch: readonly QueuedUnit[], error: unknown): void {
    if (batch.length === 1) return end(batch, storageErrorOf(error))
    const middle = Math.ceil(batch.length / 2)
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      tasks.push({ batch: half, races: 0, doubt: undefined })
    }
  }

  /** Before the outcome of the batch is known, no caller is answered and no unit is sent again. */
  async function lookUpOutcome(
    connection: Connection,
    batch: readonly QueuedUnit[],
    races: number,
    doubt: Doubt,
  ): Promise<void> {
    try {
      const results = await lookUp(connection, doubt.id, batch.length)
      if (results) return complete(batch, doubt.id, results)
      if (races >= limits.races) return end(batch, definiteErrorOf(doubt.error))
      tasks.push({ batch, races: races + 1, doubt: undefined })
    } catch (error) {
      if (faultEffectOf(error) !== 'retry') await connection.close()
      setTimeout(() => {
        if (isOutage || doubt.signal.aborted) end(batch, unknown(doubt))
        else tasks.push({ batch, races, doubt })
        send()
      }, limits.lookUpMs)
    }
  }

  const unknown = ({ error }: Doubt) =>
    new StorageError('unknown', `the outcome of the commit is unknown: ${storageErrorOf(error).message}`)

  /** Rejects all waiting units; new ones are refused until there is a connection. */
  function startOutage(): void {
    outage = undefined
    if (senders.some(({ connection }) => connection.current())) return
    isOutage = true
    const refused = new StorageError('unavailable', noConnection)
    const pending = tasks
    tasks = []
    for (const { batch, doubt } of pending) end(batch, doubt ? unknown(doubt) : refused)
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

  function end(batch: readonly QueuedUnit[], error: StorageError): void {
    unblock(batch)
    for (const queued of batch) release(queued).reject(error)
  }

  function release(queued: QueuedUnit): QueuedUnit {
    queued.hasEnded = true
    waiting.delete(queued)
    inFlight.delete(queued)
    return queued
  }

  /** Units behind these become ready. Units that have been rejected release the units behind them, too. */
  function unblock(ended: readonly QueuedUnit[]): void {
    const leaving = [...ended]
    for (let queued = leaving.pop(); queued; queued = leaving.pop()) {
      for (const other of order.leave(queued)) (other.hasEnded ? leaving : ready).push(other)
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
    clearTimeout(outage)
    clearTimeout(late)
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
