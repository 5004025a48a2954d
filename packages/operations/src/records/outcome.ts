import type { AcquirerAnswer, Precondition, Redirect, TerminalAnswer } from '@tollgate/connectors'
import { describeResult, type ParameterError, type ResultCode } from '@tollgate/contract'
import type { Facts } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import { type TSchema, Type } from 'typebox'
import { formatTime } from '../answer.ts'
import { type AccountView, accountViewWith } from './masked-account.ts'
import { oneOf, readEcho, storedReader } from './stored-json.ts'

/** The fields of a plan in answers. As in all answers the values are texts, including `true` and `false`. */
export interface PlanView {
  readonly active: 'true' | 'false'
  readonly paymentType: string | undefined
  readonly timeZone: string
  readonly chain: string
  readonly nextRun: string | undefined
  readonly retry: string | undefined
  readonly lastRun: string | undefined
  readonly effectiveEnd: string | undefined
  readonly ended: string | undefined
}

/**
 * The texts of answers about a transaction, beyond the columns of its row. They are worded once, at the decision, and
 * stored as the JSON of every later answer: an answer stays the same if the wording changes.
 */
export interface Outcome extends AccountView {
  /** Set if the gateway detected the brand, because the request did not contain one. */
  readonly brandResult?: string | undefined
  readonly descriptor?: string | undefined
  readonly result: ResultView
  readonly resultDetails: Readonly<Record<string, string>>
  /** Set for transactions that create, replace or end a plan of charges. */
  readonly plan?: PlanView | undefined
  /** Set while the shopper has to visit another page. */
  readonly redirect?: Redirect | undefined
  /** Set while the SDK of an app has to challenge the shopper. */
  readonly challenge?: Readonly<Record<string, string | undefined>> | undefined
  /** Set for requests of terminals. */
  readonly pos?: TerminalAnswer | undefined
}

interface ResultView {
  readonly code: ResultCode
  readonly description: string
  readonly avsResponse: string | undefined
  readonly cvvResponse: string | undefined
  readonly parameterErrors?: readonly ParameterError[] | undefined
}

/**
 * The resultDetails of an answer: those of the acquirer and, for an authorised amount, the end of its capture period.
 */
export function detailsWithExpiry(
  { details, amountMinor }: Pick<AcquirerAnswer, 'details' | 'amountMinor'>,
  { expiresAtMs }: Facts,
): Outcome['resultDetails'] {
  if (expiresAtMs === undefined || amountMinor === 0) return details
  return { AuthorizationExpiresAt: formatTime(expiresAtMs), ...details }
}

/** The parts of an acquirer's answer that a later result changes in an outcome. */
export type LaterResult = Pick<AcquirerAnswer, 'code' | 'details' | 'avs' | 'cvv' | 'accountFacts'>

/** The stored outcome with a later result, without the redirect and the challenge of the shopper. */
export function outcomeWith(stored: string, { code, details, avs, cvv, accountFacts }: LaterResult): string {
  const { redirect: _redirect, challenge: _challenge, ...outcome } = readEcho(stored)
  const resultDetails = Object.assign({}, outcome['resultDetails'], details)
  const account = accountFacts && accountViewWith(outcome, accountFacts)
  return JSON.stringify({ ...outcome, ...account, result: resultView(code, avs, cvv), resultDetails })
}

const parameters = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))
const method = oneOf(['GET', 'POST'])

const precondition = Type.Object({
  origin: Type.String(),
  waitUntil: Type.String(),
  description: Type.String(),
  method,
  url: Type.String(),
  parameters,
} satisfies Record<keyof Precondition, TSchema>)

const redirect = Type.Object({
  url: Type.String(),
  method,
  parameters,
  preconditions: Type.Optional(Type.Array(precondition)),
} satisfies Record<keyof Redirect, TSchema>)

const readRedirect = storedReader(Type.Object({ redirect: Type.Optional(redirect) }))

/** The redirect to the shopper's next page in a stored outcome; undefined if there is none. */
export const redirectOf = (stored: string): Redirect | undefined => readRedirect(stored).redirect

/** A result as answers show it: its code, the text of the code, and the results of the address and CVV checks. */
export const resultView = (code: ResultCode, avsResponse?: string, cvvResponse?: string): ResultView => ({
  code,
  description: describeResult(code),
  avsResponse,
  cvvResponse,
})

/** The masked account in a stored answer, under the name of its structure, such as `card`; empty without an account. */
export const shownAccount = ({ outcome }: Pick<TransactionRow, 'outcome'>): Readonly<Record<string, object>> =>
  accountViewWith(readEcho(outcome), {})
