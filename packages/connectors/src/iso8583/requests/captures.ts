import { limits } from './limits.ts'
import type { MessageSource } from './message-source.ts'

/** "Value FINAL marks the last transaction for CP, RV, RF and similar." */
const isMarkedFinal = ({ request: { parameters } }: MessageSource): boolean => parameters.get('sequence') === 'FINAL'

/** The place of a capture among those of its authorisation, as far as it is known. */
export interface CapturePlace {
  /** From 1. */
  readonly captureSequence: number
  /** The parameters of the capture, as texts. */
  readonly sequence: string | undefined
  readonly numberOfCaptures: string | undefined
}

/**
 * The count of the captures of an authorisation. "Unknown total is sent as count = sequence + 1 until the last, where
 * both are equal": the merchant says which is the last, or no other is permitted.
 */
export function captureCountOf({ captureSequence, sequence, numberOfCaptures }: CapturePlace): number {
  const isLast = sequence === 'FINAL' || captureSequence >= Number(numberOfCaptures ?? limits.captureMax)
  return isLast ? captureSequence : captureSequence + 1
}

const placeOf = ({ original, request: { parameters } }: MessageSource): CapturePlace => ({
  captureSequence: original?.captureSequence ?? 1,
  sequence: parameters.get('sequence'),
  numberOfCaptures: parameters.get('numberOfCaptures'),
})

function isLastCapture(source: MessageSource): boolean {
  const place = placeOf(source)
  return captureCountOf(place) === place.captureSequence
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Element 13: number and count of the captures. */
export function captureNumbers(source: MessageSource): string | undefined {
  const { captureSequence } = source.original ?? {}
  if (captureSequence === undefined) return undefined
  return `${twoDigits(captureSequence)}${twoDigits(captureCountOf(placeOf(source)))}`
}

/**
 * Element 14. F: no further message of this kind follows. N: further captures may follow. P: a preauthorisation, whose
 * amount several captures may take.
 */
export function finalIndicator(source: MessageSource): string | undefined {
  const { operation, parameters } = source.request
  switch (operation) {
    case 'CP':
      return isLastCapture(source) ? 'F' : 'N'
    case 'PA':
      return parameters.has('numberOfCaptures') ? 'P' : isMarkedFinal(source) ? 'F' : undefined
    case 'RV':
    case 'RF':
      return isMarkedFinal(source) ? 'F' : undefined
    case 'DB':
    case 'CD':
      return undefined
  }
}
