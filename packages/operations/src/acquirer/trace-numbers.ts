import { DAY_MS } from '@tollgate/contract'
import { StorageError, type TerminalRow } from '@tollgate/storage'
import type { Clock } from '../clock.ts'
import { commitChange } from '../commit-change.ts'
import { createSingleFlight } from '../concurrency/single-flight.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { LAST_NUMBER, numberAt, offsetOf, rangeOf, storedRange } from './number-range.ts'

/** A trace number (field 11) of a terminal id (field 41), at a time. */
export interface TraceNumber {
  readonly terminalId: string
  readonly number: number
  readonly atMs: number
}

type TraceContext = Pick<Context, 'storage' | 'ids'> & { readonly clock: Clock }

/** Consecutive positions of a range of numbers; none if `next` is after `end`. */
interface Positions {
  readonly offset: number
  readonly next: number
  readonly end: number
}

/** Numbers of a terminal id that this process has reserved. */
interface Block extends Positions {
  readonly terminalId: string
  readonly day: number
  next: number
}

/** Numbers of the terminal id that this process leases, until the end of the lease. */
interface LeasedBlock extends Block {
  readonly heldUntilMs: number
}

/** Trace numbers of the terminal ids of an account. */
export interface TraceNumbers {
  /**
   * Draws a number of the leased terminal id, or of `terminalId`, even if another process leases it: a message that
   * names another by its trace number must have the same terminal id.
   *
   * @returns undefined if the numbers of all terminal ids are leased or used up
   */
  readonly draw: (terminalId?: string) => Promise<TraceNumber | undefined>
  /**
   * Ends the lease, so that another process can lease the terminal id at once and continues with its unused numbers.
   * Later draws find no number.
   */
  readonly release: () => Promise<void>
}

/**
 * Creates the trace numbers of a process. A number is unique for its terminal id and day, and the ids of an account
 * draw different numbers as far as possible (number-range.ts). A process leases a terminal id, and reserves its numbers
 * in blocks before it uses them. After the end of a process another one leases the terminal id, and the rest of the
 * block stays unused. A process that renews its lease goes on with its block. Of other terminal ids it reserves a few
 * numbers at a time, without a lease.
 *
 * @param connector the name of the account at the acquirer
 * @param terminalIds the ids that the acquirer has assigned to the account; no other account has them
 * @param holder an id of this process
 */
export function createTraceNumbers(
  context: TraceContext,
  { connector, terminalIds, holder }: { connector: string; terminalIds: readonly string[]; holder: string },
): TraceNumbers {
  const { storage, clock } = context
  const once = createSingleFlight<void>()
  let block: LeasedBlock | undefined
  /** Reserved numbers of terminal ids without a lease. */
  const further = new Map<string, Block>()
  let isReleased = false

  const rowId = (terminalId: string): string => `${connector}/${terminalId}`

  const hasNumbers = (atMs: number): boolean =>
    block !== undefined && block.next <= block.end && dayOf(atMs) === block.day && atMs < block.heldUntilMs

  function draw(): TraceNumber | undefined {
    const atMs = clock.now()
    if (!block || !hasNumbers(atMs)) return undefined
    return take(block, atMs)
  }

  /** The reserved numbers of any terminal id. */
  function blockOf(terminalId: string, atMs: number): Block | undefined {
    if (block?.terminalId === terminalId && hasNumbers(atMs)) return block
    const reserved = further.get(terminalId)
    return reserved && reserved.next <= reserved.end && dayOf(atMs) === reserved.day ? reserved : undefined
  }

  function drawOf(terminalId: string): TraceNumber | undefined {
    const atMs = clock.now()
    const reserved = blockOf(terminalId, atMs)
    return reserved && take(reserved, atMs)
  }

  /** Adds the rows of new terminal ids. Another process may add them at the same time. */
  async function addMissing(wanted: readonly string[]): Promise<void> {
    const known = new Set((await storage.terminals()).map(({ id }) => id))
    for (const terminalId of wanted) {
      const id = rowId(terminalId)
      if (known.has(id)) continue
      const row = { id, held_by: null, held_until_ms: 0, day: 0, next_trace: 1 }
      await commitChange(context, { rows: { terminal: [row] } }).catch((error: unknown) => {
        if (!(error instanceof StorageError && error.kind === 'constraint')) throw error
      })
    }
  }

  /** The unused numbers of the last block; undefined if another process has leased the terminal id since. */
  function restOfBlock(row: TerminalRow, day: number): Positions | undefined {
    if (!block || block.next > block.end || row.id !== rowId(block.terminalId)) return undefined
    const isHeld = row.held_by === holder && row.day === day && block.day === day
    return isHeld && row.next_trace > storedRange({ ...block, position: block.end }) ? block : undefined
  }

  /** Leases a terminal id, that of this process first, and reserves a block of its numbers. */
  async function reserve(): Promise<void> {
    if (hasNumbers(clock.now()) || isReleased) return
    await addMissing(terminalIds)
    const own = new Map(terminalIds.map((terminalId) => [rowId(terminalId), terminalId]))
    const rows = await storage.terminals()
    // The time after the read: a row of a later day would seem to be stored while the clock was wrong.
    const atMs = clock.now()
    const free = rows
      .filter(({ id, held_by, held_until_ms: heldUntilMs }) => {
        const isHeld = held_by !== null && heldUntilMs + limits.terminalTakeOverMs > atMs
        return own.has(id) && (held_by === holder || !isHeld)
      })
      .toSorted((a, b) => Number(b.held_by === holder) - Number(a.held_by === holder))
    for (const from of free) {
      const day = dayOf(atMs)
      const rest = restOfBlock(from, day)
      const terminalId = own.get(from.id) ?? ''
      const positions = rest ?? newBlock(from, { day, offset: offsetOf(terminalIds, terminalId) }, limits.traceBlock)
      const { offset, next, end } = positions
      if (next > end) continue
      const heldUntilMs = atMs + limits.terminalLeaseMs
      const next_trace = rest ? from.next_trace : storedRange({ offset, position: end + 1 })
      const to = { ...from, held_by: holder, held_until_ms: heldUntilMs, day, next_trace }
      if (!(await commitChange(context, { compareAndSets: [{ table: 'terminal', from, to }] }))) continue
      block = { terminalId, day, offset, next, end, heldUntilMs }
      return
    }
    block = undefined
  }

  /** Reserves numbers of a terminal id, whose lease does not change. */
  async function reserveFurther(terminalId: string): Promise<void> {
    if (blockOf(terminalId, clock.now()) || isReleased) return
    await addMissing([terminalId])
    const from = (await storage.terminals()).find(({ id }) => id === rowId(terminalId))
    const day = dayOf(clock.now())
    if (!from) return
    const newDay = { day, offset: offsetOf(terminalIds, terminalId) }
    const { offset, next, end } = newBlock(from, newDay, limits.furtherTraceBlock)
    if (next > end) return
    const to = { ...from, day, next_trace: storedRange({ offset, position: end + 1 }) }
    if (await commitChange(context, { compareAndSets: [{ table: 'terminal', from, to }] }))
      further.set(terminalId, { terminalId, day, offset, next, end })
  }

  async function release(): Promise<void> {
    isReleased = true
    // A reservation in progress may set a block, which is released, too.
    await once(connector, reserve)
    const last = block
    block = undefined
    if (!last) return
    const from = (await storage.terminals()).find(({ id }) => id === rowId(last.terminalId))
    // If its numbers were reserved again, by another process or by a connector that replaces this one, the lease is
    // theirs.
    const end = storedRange({ ...last, position: last.end + 1 })
    if (from?.held_by !== holder || from.day !== last.day || from.next_trace !== end) return
    const next_trace = storedRange({ ...last, position: last.next })
    const to = { ...from, held_by: null, held_until_ms: 0, next_trace }
    await commitChange(context, { compareAndSets: [{ table: 'terminal', from, to }] })
  }

  async function drawFurther(terminalId: string): Promise<TraceNumber | undefined> {
    for (let tries = 0; tries < limits.traceTriesMax; tries += 1) {
      const drawn = drawOf(terminalId)
      if (drawn) return drawn
      await once(rowId(terminalId), () => reserveFurther(terminalId))
    }
    return drawOf(terminalId)
  }

  return {
    async draw(terminalId) {
      if (terminalId !== undefined) return drawFurther(terminalId)
      for (let tries = 0; tries < limits.traceTriesMax; tries += 1) {
        const drawn = draw()
        if (drawn) return drawn
        await once(connector, reserve)
        if (!block) return undefined
      }
      return draw()
    },
    release,
  }
}

const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS)

function take(block: Block, atMs: number): TraceNumber {
  const number = numberAt(block.offset, block.next)
  block.next += 1
  return { terminalId: block.terminalId, number, atMs }
}

/**
 * The positions after those that are reserved; none if all numbers of the day are reserved, or the day is over by the
 * clock of another process, which may have drawn numbers of the next one. A row that is further ahead was stored while
 * the clock was wrong: its numbers continue today.
 */
function newBlock(
  row: TerminalRow,
  { day, offset: offsetOfNewDay }: { readonly day: number; readonly offset: number },
  size: number,
): Positions {
  if (row.day === day + 1) return { offset: 0, next: 1, end: 0 }
  const { offset, position: next } = rangeOf(row, day, offsetOfNewDay)
  return { offset, next, end: Math.min(next + size - 1, LAST_NUMBER) }
}
