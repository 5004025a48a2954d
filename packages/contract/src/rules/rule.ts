import { isSent, type RequestParameters } from '../form.ts'
import type { ParameterName } from '../names.ts'
import type { Operation, OperationName } from '../operations.ts'
import type { RowName } from '../sections.ts'

/** The input of a rule: a form and its operation. */
export interface Subject {
  readonly form: RequestParameters
  readonly name: OperationName
  readonly operation: Operation
  /** First words of the names that were sent: `card`, `billing`. */
  readonly structures: ReadonlySet<string>
}

/** A wrong parameter with the error message. */
export interface Wrong {
  readonly name: ParameterName
  readonly message: string
}

/** A condition that involves more than one parameter. */
export interface Rule {
  /** The sentence of the contract. */
  readonly sentence: string
  /** The parameters that the rule may find wrong. */
  readonly blames: readonly RowName[]
  /** The rule does not apply to channels with `compatibility: legacy`, whose clients may not know it. */
  readonly strictOnly?: true
  /** Whether the rule applies to the shopper's submit alone; the other rules apply to the whole payment. */
  readonly ofShopper?: true
  /** The rule applies to forms with at least one of these structures; absent: to every form. */
  readonly structures?: readonly string[]
  find(subject: Subject): readonly Wrong[]
}

export const FINE: readonly Wrong[] = []

/** Error message for a missing parameter. */
export const EMPTY = 'may not be empty'

/** Error message for account data in addition to a stored account. */
export const STORED = 'must not be sent: what is stored pays'

/** The parameters of a list that were not sent. */
export const missing = (form: RequestParameters, names: readonly ParameterName[], message = EMPTY): readonly Wrong[] =>
  names.filter((name) => !isSent(form, name)).map((name) => ({ name, message }))

/** Neither of two parameters was sent, and one is required. */
export const neither = (one: ParameterName, other: ParameterName): readonly Wrong[] => [
  { name: one, message: `${EMPTY} unless ${other} is sent` },
  { name: other, message: `${EMPTY} unless ${one} is sent` },
]

/** Whether the request starts something, rather than refer to it or read it. */
export const starts = ({ operation }: Subject): boolean => operation.account !== 'none'
