import type { Brand } from '../brands.ts'
import { isSent, type RequestParameters } from '../form.ts'
import type { ParameterName } from '../names.ts'
import type { Operation, OperationName } from '../operations.ts'
import type { RowName } from '../sections.ts'

/** The input of a rule: a form and its operation. */
export interface Subject {
  readonly form: RequestParameters
  readonly name: OperationName
  readonly operation: Operation
  /** The brand of `paymentBrand`; undefined if that is absent or unknown. */
  readonly brand: Brand | undefined
  /** First words of the names that were sent: `card`, `billing`. */
  readonly structures: ReadonlySet<string>
}

/** A parameter that violates a rule, with the error message. */
export interface Violation {
  readonly name: ParameterName
  readonly message: string
}

/** A condition that involves several parameters, or a parameter and the operation. */
export interface Rule {
  /** The rule in words, for the reference documents. Most rules quote or summarise the contract. */
  readonly sentence: string
  /** The parameters that the rule may report. */
  readonly parameters: readonly RowName[]
  /** The rule does not apply to channels with `compatibility: legacy`, whose clients may violate it. */
  readonly strictOnly?: true
  /** The rule also applies to the part of a payment that a shopper submits; other rules need the whole payment. */
  readonly appliesToShopper?: true
  /** The rule applies to these operations; absent: to all. */
  readonly operations?: readonly OperationName[]
  /** The rule applies to operations with one of these accounts; absent: with any. */
  readonly accounts?: readonly Operation['account'][]
  /** The rule applies to forms with at least one of these structures or parameters; absent: to every form. */
  readonly triggers?: readonly string[]
  check(subject: Subject): readonly Violation[]
}

/** The result of a check that found no violation. */
export const NO_VIOLATIONS: readonly Violation[] = []

/** The error message for a missing parameter. */
export const EMPTY = 'may not be empty'

/** The error message for account data in addition to a stored account. */
export const NOT_WITH_STORED_ACCOUNT = 'must not be sent with a stored account'

/** A violation for each parameter of a list that was not sent. */
export const missing = (
  form: RequestParameters,
  names: readonly ParameterName[],
  message = EMPTY,
): readonly Violation[] =>
  names.every((name) => isSent(form, name))
    ? NO_VIOLATIONS
    : names.filter((name) => !isSent(form, name)).map((name) => ({ name, message }))

/** The violations if neither of two parameters was sent, and one of them is required. */
export const eitherRequired = (first: ParameterName, second: ParameterName): readonly Violation[] => [
  { name: first, message: `${EMPTY} unless ${second} is sent` },
  { name: second, message: `${EMPTY} unless ${first} is sent` },
]

/** Whether the operation uses an account: of its request, stored, or entered later. A follow-up or a read uses none. */
export const usesAccount = ({ operation }: Subject): boolean => operation.account !== 'none'
