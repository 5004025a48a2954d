import type { Pair } from '../shared/parameters.ts'

/** What a frame of ours holds for the others of its form. Only windows of our origin can see it. */
export interface HeldValue {
  readonly checkoutId: string
  readonly pair: string
  readonly read: () => Pair
}

declare global {
  interface Window {
    tollgateField?: HeldValue
  }
}

function heldBy(frames: Window, at: number): HeldValue | undefined {
  try {
    // Throws at the windows of all other origins.
    return frames[at]?.tollgateField
  } catch {
    return undefined
  }
}

/** The values of all frames of one form: number and cvv, or the cvv alone of a card that is stored. */
export const valuesOf = (frames: Window, checkoutId: string, pair: string): readonly Pair[] =>
  Array.from({ length: frames.length }, (_, at) => heldBy(frames, at))
    .filter((held) => held?.checkoutId === checkoutId && held.pair === pair)
    .flatMap((held) => (held ? [held.read()] : []))
