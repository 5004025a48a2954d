import { DAY_MS } from '@tollgate/contract'
import { StorageError, type TerminalRow } from '@tollgate/storage'
import type { Clock } from '../clock.ts'
import { commitChange } from '../commit-change.ts'
import { createSingleFlight } from '../concurrency/single-flight.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'

/** A trace number (field 11) of a terminal id (field 41), at a time. */
export interface TraceNumber {
  readonly terminalId: string
  readonly number: number
  readonly atMs: number
}

type TraceContext = Pick<Context, 'storage' | 'ids'> & { readonly clock: Clock }

/** Consecutive numbers; none if `next` is after `end`. */
interface Numbers {
  readonly next: number
  readonly end: number
}

/** Numbers that this process has reserved on a terminal, until the end of its lease. */
interface Block extends Numbers {
  readonly terminalId: string
  readonly day: number
  readonly heldUntilMs: number
  next: number
}

/** "000001-999999" (ISO 8583, field 11). */
const LAST_NUMBER = 999_999

/** Trace numbers of the terminal ids of an account. */
export interface TraceNumbers {
  /** @returns undefined if the numbers of all terminal ids are leased or used up */
  readonly draw: () => Promise<TraceNumber | undefined>
  /**
   * Ends the lease, so that another process can lease the terminal id at once and continues with its unused numbers.
   * Later draws find no number.
   */
  readonly release: () => Promise<void>
}

/**
 * Creates the trace numbers of a process. A number is unique for its terminal id and day: a process leases a
 * terminal id, and reserves its numbers in blocks before it uses them. After the end of a process another one leases
 * the terminal id, and the rest of the block stays unused. A process that renews its lease goes on with its block.
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
  let block: Block | undefined
  let isReleased = false

  const rowId = (terminalId: string): string => `${connector}/${terminalId}`

  const hasNumbers = (atMs: number): boolean =>
    block !== undefined && block.next <= block.end && dayOf(atMs) === block.day && atMs < block.heldUntilMs

  function draw(): TraceNumber | undefined {
    const atMs = clock.now()
    if (!block || !hasNumbers(atMs)) return undefined
    const number = block.next
    block.next += 1
    return { terminalId: block.terminalId, number, atMs }
  }

  /** Adds the rows of new terminal ids. Another process may add them at the same time. */
  async function addMissing(stored: readonly TerminalRow[]): Promise<void> {
    const known = new Set(stored.map(({ id }) => id))
    for (const terminalId of terminalIds) {
      const id = rowId(terminalId)
      if (known.has(id)) continue
      const row = { id, held_by: null, held_until_ms: 0, day: 0, next_trace: 1 }
      await commitChange(context, { rows: { terminal: [row] } }).catch((error: unknown) => {
        if (!(error instanceof StorageError && error.kind === 'constraint')) throw error
      })
    }
  }

  /** The unused numbers of the last block; undefined if other numbers of the terminal id were reserved since. */
  function restOfBlock(row: TerminalRow, day: number): Numbers | undefined {
    if (!block || block.next > block.end || row.id !== rowId(block.terminalId)) return undefined
    const isUnchanged = row.held_by === holder && row.day === day && row.next_trace === block.end + 1
    return isUnchanged ? block : undefined
  }

  /** Leases a terminal id, that of this process first, and reserves a block of its numbers. */
  async function reserve(): Promise<void> {
    if (hasNumbers(clock.now()) || isReleased) return
    await addMissing(await storage.terminals())
    const atMs = clock.now()
    const own = new Map(terminalIds.map((terminalId) => [rowId(terminalId), terminalId]))
    const free = (await storage.terminals())
      .filter(({ id, held_by, held_until_ms: heldUntilMs }) => {
        const isHeld = held_by !== null && heldUntilMs + limits.terminalTakeOverMs > atMs
        return own.has(id) && (held_by === holder || !isHeld)
      })
      .toSorted((a, b) => Number(b.held_by === holder) - Number(a.held_by === holder))
    for (const from of free) {
      const day = dayOf(atMs)
      const { next, end } = restOfBlock(from, day) ?? newBlock(from, day)
      if (next > end) continue
      const heldUntilMs = atMs + limits.terminalLeaseMs
      const to = { ...from, held_by: holder, held_until_ms: heldUntilMs, day, next_trace: end + 1 }
      if (!(await commitChange(context, { compareAndSets: [{ table: 'terminal', from, to }] }))) continue
      block = { terminalId: own.get(from.id) ?? '', day, next, end, heldUntilMs }
      return
    }
    block = undefined
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
    if (from?.held_by !== holder || from.day !== last.day || from.next_trace !== last.end + 1) return
    const to = { ...from, held_by: null, held_until_ms: 0, next_trace: last.next }
    await commitChange(context, { compareAndSets: [{ table: 'terminal', from, to }] })
  }

  return {
    async draw() {
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

/** The numbers after those that are reserved; none if all numbers of the day are reserved. */
function newBlock(row: TerminalRow, day: number): Numbers {
  const next = row.day === day ? row.next_trace : 1
  return { next, end: Math.min(next + limits.traceBlock - 1, LAST_NUMBER) }
}
