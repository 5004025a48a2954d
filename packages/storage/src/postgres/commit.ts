import { randomUUID } from 'node:crypto'
import { checkUnit } from '../check-unit.ts'
import { limits } from '../limits.ts'
import type { CommitResult, Committer, Unit } from '../port.ts'
import { StorageError } from '../storage-error.ts'
import { applyUnits, lookUp } from './apply.ts'
import type { Connection } from './database.ts'
import { faultEffectOf, harmless, storageErrorOf } from './faults.ts'
import { type InLine, lines } from './lines.ts'
import { type PackedUnit, pack } from './pack.ts'
import { type Slot, slotOn } from './slot.ts'

const noConnection = 'there is no connection to the database'

/** A unit, and who waits for it. */
interface Waiter extends PackedUnit, InLine<Waiter> {
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: StorageError) => void
  hasEnded: boolean
}

interface Sender {
  readonly slot: Slot
  isBusy: boolean
}

/** A batch that goes before those that were never sent. */
interface Errand {
  readonly batch: readonly Waiter[]
  /** How often it has lost a race, or its connection. */
  readonly races: number
  /** Where it was sent, and something came instead of its reply. */
  readonly doubt: Doubt | undefined
}

interface Doubt {
  readonly id: string
  readonly error: unknown
  /** Ends the wait of its units. */
  readonly signal: AbortSignal
}

/**
 * Commits units in batches, a few of which are under way at a time, each on a connection of its own. No two units that
 * share a key, such as a tree, are under way together: the later waits until the outcome of the earlier is known.
 *
 * A lost connection ends nothing: the outcome of its batch is looked up on another one, and units wait only where there
 * is none, as long as `limits.outageMs`.
 * @param connections one for each batch under way
 */
export function startCommitter(url: string, connections: readonly Connection[]): Committer {
  const senders: Sender[] = connections.map((each) => ({ slot: slotOn(url, each, () => send()), isBusy: false }))
  const inLine = lines<Waiter>()
  /** All that have no outcome yet, and of these those that may go. */
  const waiting = new Set<Waiter>()
  let ready: Waiter[] = []
  const underWay = new Set<Waiter>()
  let errands: Errand[] = []
  /** Batches whose replies have arrived, which the next one removes. */
  let settled: string[] = []
  let [units, batches] = [0, 0]
  let atWork = 0
  let isPlanned = false
  let late: NodeJS.Timeout | undefined
  let refusal: StorageError | undefined
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  let onIdle: (() => void) | undefined
  let outage: NodeJS.Timeout | undefined
  let isOut = false

  function commit(unit: Unit): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      if (refusal) throw refusal
      if (isOut) throw new StorageError('unavailable', noConnection)
      if (waiting.size >= limits.queueUnits) {
        throw new StorageError('unavailable', 'too many units wait for their commit')
      }
      checkUnit(unit)
      const { keys, lines: packed } = pack(unit)
      const waiter: Waiter = { keys, lines: packed, resolve, reject, ahead: 0, behind: [], hasEnded: false }
      waiting.add(waiter)
      if (!inLine.join(waiter)) return
      ready.push(waiter)
      if (ready.length < limits.readyUnits) plan()
      else send()
    })
  }

  /** Sends after the current turn of the event loop, so that requests that arrived together share a batch. */
  function plan(): void {
    if (isPlanned) return
    if (atWork > 0) return sendLate()
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      send()
    })
  }

  /** A batch may wait for a lock, or its connection may be dead without a sign: nobody waits long to share the next. */
  function sendLate(): void {
    late ??= setTimeout(() => {
      late = undefined
      send(true)
    }, limits.slowBatchMs)
  }

  /** Gives every free connection something to do, and opens those anew that were lost. */
  function send(isLate = false): void {
    for (const sender of senders) {
      if (sender.isBusy) continue
      const connection = sender.slot.now()
      if (connection) {
        const errand = errands.shift() ?? nextBatch(isLate)
        if (errand) void work(sender, connection, errand)
      } else if (!closing.signal.aborted) void revive(sender)
    }
    if (waiting.size === 0) onIdle?.()
  }

  /** A second batch goes beside the first only where it is worth a commit of its own. */
  function nextBatch(isLate: boolean): Errand | undefined {
    if (ready.length === 0) return undefined
    if (atWork > 0 && ready.length < limits.readyUnits && !isLate) {
      sendLate()
      return undefined
    }
    const batch = ready.slice(0, limits.batchUnits)
    ready = ready.slice(batch.length)
    for (const waiter of batch) underWay.add(waiter)
    return { batch, races: 0, doubt: undefined }
  }

  async function work(sender: Sender, connection: Connection, { batch, races, doubt }: Errand): Promise<void> {
    sender.isBusy = true
    atWork += 1
    await (doubt ? findOut(connection, batch, races, doubt) : run(connection, batch, races))
    atWork -= 1
    sender.isBusy = false
    send()
  }

  async function revive(sender: Sender): Promise<void> {
    sender.isBusy = true
    outage ??= setTimeout(giveUp, limits.outageMs)
    const connection = await sender.slot.renew(closing.signal)
    sender.isBusy = false
    if (!connection) return
    clearTimeout(outage)
    outage = undefined
    isOut = false
    send()
  }

  async function run(connection: Connection, batch: readonly Waiter[], races: number): Promise<void> {
    const id = randomUUID()
    const arrived = settled
    settled = []
    try {
      settle(batch, id, await applyUnits(connection, batch, id, arrived))
    } catch (error) {
      settled.push(...arrived)
      switch (faultEffectOf(error)) {
        case 'refuse':
          return end(batch, storageErrorOf(error))
        case 'again':
          if (races >= limits.races) return apart(batch, error)
          errands.push({ batch, races: races + 1, doubt: undefined })
          return
        case 'alone':
          return apart(batch, error)
        case 'elsewhere':
          errands.push({ batch, races, doubt: undefined })
          return connection.close()
        case 'doubt': {
          const signal = AbortSignal.timeout(limits.outageMs)
          errands.push({ batch, races, doubt: { id, error, signal } })
          return connection.close()
        }
      }
    }
  }

  /** Halves, until the unit that is to blame is alone. */
  function apart(batch: readonly Waiter[], error: unknown): void {
    if (batch.length === 1) return end(batch, storageErrorOf(error))
    const middle = Math.ceil(batch.length / 2)
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      errands.push({ batch: half, races: 0, doubt: undefined })
    }
  }

  /** Nobody is told anything, and nothing is sent again, before the fate of the batch is known. */
  async function findOut(connection: Connection, batch: readonly Waiter[], races: number, doubt: Doubt): Promise<void> {
    try {
      const results = await lookUp(connection, doubt.id, batch.length)
      if (results) return settle(batch, doubt.id, results)
      if (races >= limits.races) return end(batch, harmless(doubt.error))
      errands.push({ batch, races: races + 1, doubt: undefined })
    } catch (error) {
      if (faultEffectOf(error) !== 'again') await connection.close()
      setTimeout(() => {
        if (isOut || doubt.signal.aborted) end(batch, unknown(doubt))
        else errands.push({ batch, races, doubt })
        send()
      }, limits.lookUpMs)
    }
  }

  const unknown = ({ error }: Doubt) =>
    new StorageError('unknown', `whether a commit was made is not known: ${storageErrorOf(error).message}`)

  /** Nobody waits any longer; units are refused at once until there is a connection. */
  function giveUp(): void {
    outage = undefined
    if (senders.some(({ slot }) => slot.now())) return
    isOut = true
    const refused = new StorageError('unavailable', noConnection)
    const given = errands
    errands = []
    for (const { batch, doubt } of given) end(batch, doubt ? unknown(doubt) : refused)
    const freed = ready
    ready = []
    for (const waiter of waiting) {
      if (!underWay.has(waiter)) forget(waiter).reject(refused)
    }
    letOthersGo(freed)
    if (waiting.size === 0) onIdle?.()
  }

  function settle(batch: readonly Waiter[], id: string, results: readonly CommitResult[]): void {
    settled.push(id)
    batches += 1
    units += batch.length
    letOthersGo(batch)
    for (const [index, waiter] of batch.entries()) forget(waiter).resolve(results[index] ?? { kind: 'stale' })
  }

  function end(batch: readonly Waiter[], error: StorageError): void {
    letOthersGo(batch)
    for (const waiter of batch) forget(waiter).reject(error)
  }

  function forget(waiter: Waiter): Waiter {
    waiter.hasEnded = true
    waiting.delete(waiter)
    underWay.delete(waiter)
    return waiter
  }

  /** Those who stood behind these may go, unless they were given up: then they let others go in their turn. */
  function letOthersGo(gone: readonly Waiter[]): void {
    const leaving = [...gone]
    for (let waiter = leaving.pop(); waiter; waiter = leaving.pop()) {
      for (const other of inLine.leave(waiter)) (other.hasEnded ? leaving : ready).push(other)
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
    await Promise.all(senders.map(({ slot }) => slot.close()))
  }

  return {
    commit,
    depth: () => waiting.size,
    isReachable: () => senders.some(({ slot }) => slot.now() !== undefined),
    totals: () => ({ units, batches }),
    close: () => (closed ??= close()),
  }
}
