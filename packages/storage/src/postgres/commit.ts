import { randomUUID } from 'node:crypto'
import { checkUnit } from '../check-unit.ts'
import { limits } from '../limits.ts'
import type { CommitResult, StorageTotals, Unit } from '../port.ts'
import { StorageError } from '../storage-error.ts'
import { applyUnits, lookUp } from './apply.ts'
import type { Connection } from './database.ts'
import { consequenceOf, harmless, storageErrorOf } from './faults.ts'
import { type InLine, lines } from './lines.ts'
import { type PackedUnit, pack } from './pack.ts'
import { type Slot, slotOn } from './slot.ts'

const noConnection = 'there is no connection to the database'

/** The committing half of the port. */
export interface Committer {
  readonly commit: (unit: Unit) => Promise<CommitResult>
  readonly depth: () => number
  readonly totals: () => StorageTotals
  readonly close: () => Promise<void>
}

/** A unit, and who waits for it. */
interface Waiter extends PackedUnit, InLine<Waiter> {
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: StorageError) => void
  hasEnded: boolean
}

interface Sender {
  readonly slot: Slot
  isBusy: boolean
  /** Batches whose replies have arrived, which the next one removes. */
  settled: string[]
}

/** A batch that was sent, and what came instead of its reply. */
interface Doubt {
  readonly id: string
  readonly races: number
  readonly error: unknown
}

/**
 * Commits units in batches, a few of which are under way at a time, each on a connection of its own. No two units that
 * share a key, such as a tree, are under way together: the later waits until the outcome of the earlier is known.
 *
 * A lost connection ends nothing: the outcome of its batch is looked up on a new one, and units wait for that as long
 * as `limits.outageMs`.
 * @param connections one for each batch under way
 */
export function startCommitter(url: string, connections: readonly Connection[]): Committer {
  const senders: Sender[] = connections.map((each) => ({ slot: slotOn(url, each), isBusy: false, settled: [] }))
  const inLine = lines<Waiter>()
  /** All that have no outcome yet, and of these those that may go. */
  const waiting = new Set<Waiter>()
  let ready: Waiter[] = []
  const underWay = new Set<Waiter>()
  let [units, batches] = [0, 0]
  let isPlanned = false
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
    if (isPlanned || underWay.size > 0) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      send()
    })
  }

  /** A second batch goes beside the first only where it is worth a commit of its own. */
  function send(): void {
    for (const sender of senders) {
      if (sender.isBusy || ready.length === 0) continue
      if (underWay.size > 0 && ready.length < limits.readyUnits) return
      const batch = ready.slice(0, limits.batchUnits)
      ready = ready.slice(batch.length)
      for (const waiter of batch) underWay.add(waiter)
      void work(sender, batch)
    }
    if (waiting.size === 0) onIdle?.()
  }

  async function work(sender: Sender, batch: readonly Waiter[]): Promise<void> {
    sender.isBusy = true
    await run(sender, batch, 0)
    // Without a connection there is nothing to send, and somebody must see that it comes back.
    if (!sender.slot.now()) await reconnect(sender, closing.signal)
    sender.isBusy = false
    send()
  }

  async function run(sender: Sender, batch: readonly Waiter[], races: number): Promise<void> {
    const connection = sender.slot.now() ?? (await reconnect(sender, AbortSignal.timeout(limits.outageMs)))
    if (!connection) return end(batch, new StorageError('unavailable', noConnection))
    const id = randomUUID()
    const { settled } = sender
    try {
      const results = await applyUnits(connection, batch, id, settled)
      sender.settled = [id]
      settle(batch, results)
    } catch (error) {
      switch (consequenceOf(error)) {
        case 'refuse':
          return end(batch, storageErrorOf(error))
        case 'again':
          if (races < limits.races) return run(sender, batch, races + 1)
          return apart(sender, batch, error)
        case 'alone':
          return apart(sender, batch, error)
        case 'elsewhere':
          await connection.close()
          return run(sender, batch, races)
        case 'doubt':
          return resolveDoubt(sender, batch, { id, races, error })
      }
    }
  }

  /** Halves, until the unit that is to blame is alone. */
  async function apart(sender: Sender, batch: readonly Waiter[], error: unknown): Promise<void> {
    if (batch.length === 1) return end(batch, storageErrorOf(error))
    const middle = Math.ceil(batch.length / 2)
    await run(sender, batch.slice(0, middle), 0)
    await run(sender, batch.slice(middle), 0)
  }

  /** Nobody is told anything, and nothing is sent again, before the fate of the batch is known. */
  async function resolveDoubt(sender: Sender, batch: readonly Waiter[], { id, races, error }: Doubt): Promise<void> {
    const signal = AbortSignal.timeout(limits.outageMs)
    while (!signal.aborted) {
      const connection = await reconnect(sender, signal)
      if (!connection) break
      try {
        const results = await lookUp(connection, id, batch.length)
        if (results) {
          sender.settled = [id]
          return settle(batch, results)
        }
        if (races >= limits.races) return end(batch, harmless(error))
        return await run(sender, batch, races + 1)
      } catch (another) {
        if (consequenceOf(another) !== 'doubt') await connection.close()
      }
    }
    end(batch, new StorageError('unknown', `whether a commit was made is not known: ${storageErrorOf(error).message}`))
  }

  async function reconnect(sender: Sender, signal: AbortSignal): Promise<Connection | undefined> {
    outage ??= setTimeout(giveUp, limits.outageMs)
    const connection = await sender.slot.renew(signal)
    if (!connection) return undefined
    clearTimeout(outage)
    outage = undefined
    isOut = false
    return connection
  }

  /** Nobody waits any longer; units are refused at once until there is a connection. */
  function giveUp(): void {
    outage = undefined
    if (senders.some(({ slot }) => slot.now())) return
    isOut = true
    const freed = ready
    ready = []
    for (const waiter of waiting) {
      if (!underWay.has(waiter)) forget(waiter).reject(new StorageError('unavailable', noConnection))
    }
    letOthersGo(freed)
    if (waiting.size === 0) onIdle?.()
  }

  function settle(batch: readonly Waiter[], results: readonly CommitResult[]): void {
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
    await new Promise<void>((resolve) => {
      onIdle = resolve
      send()
    })
    closing.abort()
    clearTimeout(outage)
    await Promise.all(senders.map(({ slot }) => slot.close()))
  }

  return {
    commit,
    depth: () => waiting.size,
    totals: () => ({ units, batches }),
    close: () => (closed ??= close()),
  }
}
