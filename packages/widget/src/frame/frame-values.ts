import type { Pair } from '../shared/parameters.ts'

/**
 * The value of a frame, which the other frames of the form read. Only windows of the gateway's origin can access it.
 */
export interface FieldValue {
  readonly checkoutId: string
  /**
   * The id of the form, which its frames share. The member keeps its name, because frames that were loaded before and
   * after an update of the gateway read it from each other.
   */
  readonly pair: string
  readonly read: () => Pair
}

declare global {
  interface Window {
    tollgateField?: FieldValue
  }
}

function fieldValueAt(frames: Window, index: number): FieldValue | undefined {
  try {
    // The access throws for a window of another origin.
    return frames[index]?.tollgateField
  } catch {
    return undefined
  }
}

/** The values of all frames of one form: the card number and, if required, the CVV, or the CVV of a stored card. */
export const frameValues = (frames: Window, checkoutId: string, formId: string): readonly Pair[] =>
  Array.from({ length: frames.length }, (_, index) => fieldValueAt(frames, index))
    .filter((field) => field?.checkoutId === checkoutId && field.pair === formId)
    .flatMap((field) => (field ? [field.read()] : []))
