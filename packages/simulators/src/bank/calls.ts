import type { Clock } from '../http/exchange.ts'
import { limits } from '../limits.ts'

/** A request that a simulator makes. */
export interface OutgoingCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** JSON. */
  readonly body?: string
}

/** Makes a request. Answers its status; rejects where there is no answer. */
export type Send = (call: OutgoingCall) => Promise<number>

/** After how long a call that failed is made again: six times in all, within an hour, as banks do it. */
const RETRY_AFTER_MS = [1_000, 10_000, 60_000, 600_000, 3_600_000] as const

interface Waiting {
  readonly call: OutgoingCall
  readonly attempt: number
  readonly dueAtMs: number
}

/** Calls that are to be made. */
export interface Calls {
  /** To be made at once, and again where that fails and `again` says so. */
  add(call: OutgoingCall, again: boolean): void
  /** Makes what is due, and resolves when all that is under way has ended; it never rejects. */
  makeDue(): Promise<void>
}

export function createCalls(clock: Clock, send: Send): Calls {
  let waiting: readonly Waiting[] = []
  const underWay = new Set<Promise<void>>()
  const isDue = ({ dueAtMs }: Waiting): boolean => dueAtMs <= clock.now()
  const wait = (one: Waiting): void => void (waiting = [...waiting, one].slice(-limits.callsMax))

  async function make({ call, attempt }: Waiting): Promise<void> {
    const status = await send(call).catch(() => 0)
    const retryAfterMs = RETRY_AFTER_MS[attempt]
    if (status >= 200 && status < 300) return
    if (retryAfterMs !== undefined) wait({ call, attempt: attempt + 1, dueAtMs: clock.now() + retryAfterMs })
  }

  return {
    add(call, again) {
      wait({ call, attempt: again ? 0 : RETRY_AFTER_MS.length, dueAtMs: clock.now() })
    },
    async makeDue() {
      const due = waiting.filter(isDue).slice(0, limits.callsTogether - underWay.size)
      waiting = waiting.filter((one) => !due.includes(one))
      for (const one of due) {
        const made = make(one).finally(() => underWay.delete(made))
        underWay.add(made)
      }
      await Promise.all(underWay)
    },
  }
}
