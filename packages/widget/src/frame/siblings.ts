import type { Pair } from '../shared/parameters.ts'

/**
 * The value of one frame, which the other frames of the form read. Only windows of the gateway's origin can access it.
 */
export interface FieldValue {
  readonly checkoutId: string
  readonly pair: string
  readonly read: () => Pair
}

declare global {
  interface Window {
    tollgateField?: FieldValue
  }
}

function fieldValueAt(frames: Window, at: number): FieldValue | undefined {
  try {
    // Throws for windows of all other origins.
    return frames[at]?.tollgateField
  } catch {
    return undefined
  }
}

/** The values of all frames of one form: number and CVV, or only the CVV of a stored card. */
export const valuesOf = (frames: Window, checkoutId: string, pair: string): readonly Pair[] =>
  Array.from({ length: frames.length }, (_, at) => fieldValueAt(frames, at))
    .filter((field) => field?.checkoutId === checkoutId && field.pair === pair)
    .flatMap((field) => (field ? [field.read()] : []))
