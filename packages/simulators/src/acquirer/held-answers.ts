import { limits } from '../limits.ts'

/** Answers that wait for a reversal of their message. */
export interface HeldAnswers {
  /** @param reference the name of the message, as a reversal names it */
  hold(reference: string, send: () => void): void
  /** Sends the answer of a message that was reversed. */
  release(reference: string): void
}

export function createHeldAnswers(): HeldAnswers {
  const held = new Map<string, () => void>()
  return {
    hold(reference, send) {
      const [oldest] = held.keys()
      if (oldest !== undefined && held.size >= limits.acquirerHeldAnswersMax) held.delete(oldest)
      held.set(reference, send)
    },
    release(reference) {
      held.get(reference)?.()
      held.delete(reference)
    },
  }
}
