import { isResultCode, outcomeOf, type ResultCode, type ResultOutcome } from '@tollgate/contract'

/** A result of the upstream: its code if this gateway knows it, otherwise the code of its group. */
export interface UpstreamResult {
  readonly code: ResultCode
  readonly outcome: ResultOutcome
}

/**
 * Codes for those that this gateway does not know, by the groups into which clients sort codes: "success
 * `^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)`, review `^(000\.400\.0[^3]|000\.400\.100)`, pending
 * `^(000\.200)` and `^(800\.400\.5|100\.400\.500)`". Every other code rejects.
 */
const groups: readonly (readonly [pattern: RegExp, code: ResultCode])[] = [
  [/^000\.100\.1/, '000.100.110'],
  [/^(000\.000\.|000\.[36]|000\.400\.[1][12]0)/, '000.000.000'],
  [/^(000\.400\.0[^3]|000\.400\.100)/, '000.400.000'],
  [/^000\.200/, '000.200.000'],
  [/^(800\.400\.5|100\.400\.500)/, '800.400.500'],
]

const REJECTED: ResultCode = '999.999.999'

/** @param text the code of an answer: digits and dots */
export function resultOf(text: string): UpstreamResult {
  const code = isResultCode(text) ? text : (groups.find(([pattern]) => pattern.test(text))?.[1] ?? REJECTED)
  return { code, outcome: outcomeOf(code) }
}

/** Whether a success was processed in a test mode: no account was charged. */
export const isOfTestMode = (code: string): boolean => code.startsWith('000.100.1')

/** "900.100.300 uncertain" (domain, Timeout): the upstream does not know yet whether its acquirer has charged. */
export const isUncertain = (code: string): boolean => code === '900.100.300'
