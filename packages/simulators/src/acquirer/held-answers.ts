import { limits } from '../limits.ts'
import { BoundedMap } from './bounded-map.ts'

/** Answers that wait for a reversal of their message. */
export interface HeldAnswers {
  /** @param reference the name of the message, as a reversal names it */
  hold(reference: string, send: () => void): void
  /** Sends the answer of a message that was reversed. */
  release(reference: string): void
}

export function createHeldAnswers(): HeldAnswers {
  const held = new BoundedMap<string, () => void>(limits.acquirerHeldAnswersMax)
  return {
    hold: (reference, send) => void held.set(reference, send),
    release(reference) {
      held.get(reference)?.()
      held.delete(reference)
    },
  }
}
