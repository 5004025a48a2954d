import { limits } from './limits.ts'
import type { MessageSource } from './message-source.ts'

/** "Value FINAL marks the last transaction for CP, RV, RF and similar." */
const isMarkedFinal = ({ request: { parameters } }: MessageSource): boolean => parameters.get('sequence') === 'FINAL'

/** Whether a capture is the last of its authorisation, because the merchant says so or no other is permitted. */
function isLastCapture(source: MessageSource): boolean {
  const { captureSequence = 1 } = source.original ?? {}
  const capturesMax = Number(source.request.parameters.get('numberOfCaptures') ?? limits.captureMax)
  return isMarkedFinal(source) || captureSequence >= capturesMax
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/**
 * Element 13: number and count of the captures. "Unknown total is sent as count = sequence + 1 until the last, where
 * both are equal."
 */
export function captureNumbers(source: MessageSource): string | undefined {
  const { captureSequence } = source.original ?? {}
  if (captureSequence === undefined) return undefined
  return `${twoDigits(captureSequence)}${twoDigits(isLastCapture(source) ? captureSequence : captureSequence + 1)}`
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
