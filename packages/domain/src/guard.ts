import { InvariantError, type ParameterError, type ResultCode } from '@tollgate/contract'

/**
 * A refusal by a rule: HTTP 400, or 429 for a checkout with too many declines. `reason` tells the merchant the
 * violation, without data of accounts or customers.
 */
export interface Refused {
  readonly kind: 'refused'
  readonly code: ResultCode
  readonly reason: string
  /** The parameters that are missing or wrong, if the refusal is about parameters (200.300.404). */
  readonly parameterErrors?: readonly ParameterError[]
}

/** The request refers to something that does not exist for this caller: HTTP 404. */
export interface Unknown {
  readonly kind: 'unknown'
  readonly code: ResultCode
  readonly reason: string
}

/** A rule for a command. Guards are checked in the order of their list: the first violated one decides the answer. */
export interface Guard<Subject> {
  readonly code: ResultCode
  readonly reason: string
  /** As in `Refused`. */
  readonly parameterErrors?: readonly ParameterError[]
  readonly holds: (subject: Subject) => boolean
}

/** @param reason the violation, without data of accounts or customers */
export const refused = (code: ResultCode, reason: string, parameterErrors?: readonly ParameterError[]): Refused => ({
  kind: 'refused',
  code,
  reason,
  ...(parameterErrors && { parameterErrors }),
})

/** The error of a required parameter that was not sent. */
export const missingParameter = (name: string): ParameterError => ({ name, value: '', message: 'may not be empty' })

export const unknown = (code: ResultCode, reason: string): Unknown => ({ kind: 'unknown', code, reason })

/** The refusal of the first guard in the list that does not hold; undefined if all guards hold. */
export function firstFailure<Subject>(guards: readonly Guard<Subject>[], subject: Subject): Refused | undefined {
  const failed = guards.find((guard) => !guard.holds(subject))
  return failed && refused(failed.code, failed.reason, failed.parameterErrors)
}

/** Throws on a state that no rule allows: a defect of the program, never a mistake of a caller. */
export function invariant(holds: boolean, message: string): asserts holds {
  if (!holds) throw new InvariantError(message)
}
