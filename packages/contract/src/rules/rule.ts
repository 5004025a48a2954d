import { isSent, type RequestParameters } from '../form.ts'
import type { ParameterName } from '../names.ts'
import type { Operation, OperationName } from '../operations.ts'
import type { RowName } from '../sections.ts'

/** What a rule looks at: a form whose operation is known. */
export interface Subject {
  readonly form: RequestParameters
  readonly name: OperationName
  readonly operation: Operation
  /** First words of the names that were sent: `card`, `billing`. */
  readonly structures: ReadonlySet<string>
}

/** A parameter that a rule finds wrong, and what would be right. */
export interface Wrong {
  readonly name: ParameterName
  readonly message: string
}

/** A condition that involves more than one parameter. */
export interface Rule {
  readonly name: string
  /** What the contract says. */
  readonly sentence: string
  /** The parameters that the rule may find wrong. */
  readonly blames: readonly RowName[]
  /** Whether channels with `compatibility: legacy`, whose clients never met this rule, are held to it. */
  readonly legacy: boolean
  /** Whether it speaks of what a shopper submits by itself: that is a part, and the other rules hold for the whole. */
  readonly ofShopper?: true
  /** The rule speaks of forms that carry at least one of these; without them, of every form. */
  readonly structures?: readonly string[]
  find(subject: Subject): readonly Wrong[]
}

export const FINE: readonly Wrong[] = []

/** What an error says of a missing parameter. */
export const EMPTY = 'may not be empty'

/** What an error says of account data that are sent beside a stored account. */
export const STORED = 'must not be sent: what is stored pays'

/** The parameters of a list that were not sent. */
export const missing = (form: RequestParameters, names: readonly ParameterName[], message = EMPTY): readonly Wrong[] =>
  names.filter((name) => !isSent(form, name)).map((name) => ({ name, message }))

/** One of two parameters is needed, and neither was sent. */
export const neither = (one: ParameterName, other: ParameterName): readonly Wrong[] => [
  { name: one, message: `${EMPTY} unless ${other} is sent` },
  { name: other, message: `${EMPTY} unless ${one} is sent` },
]

/** Whether the request starts something, rather than refer to it or read it. */
export const starts = ({ operation }: Subject): boolean => operation.account !== 'none'
