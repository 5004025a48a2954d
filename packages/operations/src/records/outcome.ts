import type { AcquirerAnswer, Precondition, Redirect, TerminalAnswer } from '@tollgate/connectors'
import { describeResult, type ParameterError, type ResultCode } from '@tollgate/contract'
import type { Facts } from '@tollgate/domain'
import { formatTime } from '../answer.ts'
import type { AccountView } from './masked-account.ts'
import { isText, oneOf, optional, readEcho, type Shape, shaped } from './stored-json.ts'

/** What answers say of a plan. Like everything in them these are texts, true and false too. */
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
 * What answers say of a transaction beyond the columns of its row. Worded once, when it is decided, and kept as the
 * JSON that every later answer carries: what was said does not change when a text of ours does.
 */
export interface Outcome extends AccountView {
  /** Set where the brand was detected, not sent. */
  readonly brandResult?: string | undefined
  readonly descriptor?: string | undefined
  readonly result: ResultView
  readonly resultDetails: Readonly<Record<string, string>>
  /** Set of what plans charges, or calls them off. */
  readonly plan?: PlanView | undefined
  /** Set as long as the shopper has to go elsewhere for it. */
  readonly redirect?: Redirect | undefined
  /** Set as long as the SDK of an app has to challenge the shopper. */
  readonly challenge?: Readonly<Record<string, string | undefined>> | undefined
  /** Set where a terminal asked. */
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
 * resultDetails: what the acquirer said, and of an amount that it holds the moment from which it can no longer be
 * captured.
 */
export function detailsWithExpiry(
  { details, amountMinor }: Pick<AcquirerAnswer, 'details' | 'amountMinor'>,
  { expiresAtMs }: Facts,
): Outcome['resultDetails'] {
  if (expiresAtMs === undefined || amountMinor === 0) return details
  return { AuthorizationExpiresAt: formatTime(expiresAtMs), ...details }
}

/** The outcome that is stored of a transaction, once more has been said of it: nobody has to go anywhere for it now. */
export function outcomeWith(stored: string, { code, details, avs, cvv }: Omit<AcquirerAnswer, 'status'>): string {
  const { redirect: _before, challenge: _shown, ...outcome } = readEcho(stored)
  const resultDetails = Object.assign({}, outcome['resultDetails'], details)
  return JSON.stringify({ ...outcome, result: resultView(code, avs, cvv), resultDetails })
}

const parameter: Shape<Redirect['parameters'][number]> = { name: isText, value: isText }
const isParameter = shaped(parameter)
const areParameters = (value: unknown): value is Redirect['parameters'] =>
  Array.isArray(value) && value.every(isParameter)

const precondition: Shape<Precondition> = {
  origin: isText,
  waitUntil: isText,
  description: isText,
  method: oneOf(['GET', 'POST']),
  url: isText,
  parameters: areParameters,
}
const isPrecondition = shaped(precondition)

const redirect: Shape<Redirect> = {
  url: isText,
  method: oneOf(['GET', 'POST']),
  parameters: areParameters,
  preconditions: optional(
    (value): value is readonly Precondition[] => Array.isArray(value) && value.every(isPrecondition),
  ),
}
const isRedirect = shaped(redirect)

/** Where the shopper goes on, by a stored outcome; undefined: nowhere. */
export function redirectOf(stored: string): Redirect | undefined {
  const { redirect: found } = readEcho(stored)
  return isRedirect(found) ? found : undefined
}

/** A result as answers show it: its code, the text of the code, and what checks of address and CVV gave. */
export const resultView = (code: ResultCode, avsResponse?: string, cvvResponse?: string): ResultView => ({
  code,
  description: describeResult(code),
  avsResponse,
  cvvResponse,
})
