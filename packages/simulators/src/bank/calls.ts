import type { Clock } from '../simulator.ts'
import { limits } from '../limits.ts'

/** A request that a bank sends. */
export interface OutgoingCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** The body, in JSON. */
  readonly body?: string
}

/** Sends a request and resolves with the status of its answer. Without an answer it rejects. */
export type Send = (call: OutgoingCall) => Promise<number>

/** Delays before a failed call is repeated: six attempts in about 71 minutes, as is usual for banks. */
const RETRY_AFTER_MS = [1_000, 10_000, 60_000, 600_000, 3_600_000] as const

interface WaitingCall {
  readonly call: OutgoingCall
  readonly attempt: number
  readonly dueAtMs: number
}

/** Queue of outgoing calls. */
export interface Calls {
  /** Adds a call that is due at once. @param isRepeated whether it is repeated if it fails */
  add(call: OutgoingCall, isRepeated: boolean): void
  /**
   * Sends due calls, with at most `limits.callsInProgressMax` in progress, and resolves when the calls in progress have
   * ended. It never rejects.
   */
  sendDue(): Promise<void>
}

export function createCalls(clock: Clock, send: Send): Calls {
  let waiting: readonly WaitingCall[] = []
  const inProgress = new Set<Promise<void>>()
  const enqueue = (call: WaitingCall): void => void (waiting = [...waiting, call].slice(-limits.callsMax))

  async function attempt({ call, attempt: count }: WaitingCall): Promise<void> {
    const status = await send(call).catch(() => 0)
    const retryAfterMs = RETRY_AFTER_MS[count]
    if (status >= 200 && status < 300) return
    if (retryAfterMs !== undefined) enqueue({ call, attempt: count + 1, dueAtMs: clock.now() + retryAfterMs })
  }

  return {
    add(call, isRepeated) {
      enqueue({ call, attempt: isRepeated ? 0 : RETRY_AFTER_MS.length, dueAtMs: clock.now() })
    },
    async sendDue() {
      const due = waiting.filter(({ dueAtMs }) => dueAtMs <= clock.now())
      const next = due.slice(0, limits.callsInProgressMax - inProgress.size)
      waiting = waiting.filter((call) => !next.includes(call))
      for (const call of next) {
        const sent = attempt(call).finally(() => inProgress.delete(sent))
        inProgress.add(sent)
      }
      await Promise.all(inProgress)
    },
  }
}
