import type { EventRow, JobRow } from '@tollgate/storage'
import { limits } from '../limits.ts'

/** A delivery that is under way, or waits for an early retry. */
export interface Turn {
  readonly line: string
  readonly eventId: string
  /** undefined while it is under way. */
  retryAtMs: number | undefined
  /** Later deliveries of the same payment that were put off because of it, as they were stored then. */
  readonly behind: JobRow[]
  isOver: boolean
}

/**
 * The order in which a webhook is told of one payment, as far as it can be kept: an event waits while an earlier one of
 * its payment is under way or is to be tried again soon. Nothing else waits. What was under way when the process ended
 * is forgotten.
 */
export interface Order {
  /** Its turn; or that of an earlier event of the payment, which is not over. */
  take(lane: string, event: EventRow, nowMs: number): Turn
  /** It ends. @param retryAtMs when it comes again, if the others are to wait for that */
  leave(turn: Turn, retryAtMs: number | undefined): void
}

export function createOrder(): Order {
  const lines = new Map<string, Turn[]>()

  return {
    take(lane, event, nowMs) {
      const line = `${lane}|${event.root_id}`
      const turns = (lines.get(line) ?? []).filter((turn) => mayStillEnd(turn, nowMs))
      const earlier = turns.find((turn) => turn.eventId < event.id)
      if (earlier) return earlier
      if (lines.size >= limits.orderLines) lines.clear()
      const own: Turn = { line, eventId: event.id, retryAtMs: undefined, behind: [], isOver: false }
      lines.set(line, [...turns.filter((turn) => turn.eventId !== event.id), own])
      return own
    },
    leave(turn, retryAtMs) {
      turn.retryAtMs = retryAtMs
      if (retryAtMs !== undefined) return
      turn.isOver = true
      const left = (lines.get(turn.line) ?? []).filter((other) => other !== turn)
      if (left.length === 0) lines.delete(turn.line)
      else lines.set(turn.line, left)
    },
  }
}

/** One that did not come when it was to come again has been given up. */
const mayStillEnd = ({ retryAtMs }: Turn, nowMs: number) =>
  retryAtMs === undefined || nowMs < retryAtMs + limits.orderWaitMs
