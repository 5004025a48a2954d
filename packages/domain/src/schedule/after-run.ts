import {
  type AdviceClass,
  DAY_MS,
  HOUR_MS,
  isMerchantAdviceCode,
  type MerchantAdviceCode,
  merchantAdviceCodes,
  outcomeOf,
  responseCodes,
  type ResultCode,
  type ResultOutcome,
} from '@tollgate/contract'
import { limits } from '../limits.ts'

/** An attempt at one run of a plan. */
export interface RunAttempt {
  readonly code: ResultCode
  /** `resultDetails.AcquirerResponse`: data element 39, or a bank's reason. */
  readonly acquirerResponse?: string | undefined
  /** `resultDetails.MerchantAdviceCode`; one that is not known advises nothing. */
  readonly advice?: string | undefined
  readonly atMs: number
  /** When the first attempt at this run was made. */
  readonly firstAtMs: number
  /** How many were made, this one included. */
  readonly attempts: number
  /** When the plan runs next; undefined if it does not. */
  readonly nextRunAtMs: number | undefined
}

/**
 * What follows an attempt: another one at the same run, the plan's next run as it is planned, or nothing ever again,
 * for this plan or for all plans of the registration.
 */
export type AfterRun =
  | { readonly kind: 'retry'; readonly atMs: number }
  | { readonly kind: 'next' }
  | { readonly kind: 'stop'; readonly scope: 'plan' | 'registration'; readonly reason: string }

const next: AfterRun = { kind: 'next' }
const stop = (reason: string, scope: 'plan' | 'registration' = 'plan'): AfterRun => ({ kind: 'stop', scope, reason })

/** Only a rejection is followed up: what is pending may still be approved, and would be charged twice. */
const isFailure: Readonly<Record<ResultOutcome, boolean>> = {
  success: false,
  review: false,
  pending: false,
  chargeback: false,
  rejected: true,
}

/** No answer in time, and no confirmed reversal: nobody knows yet whether it was approved. */
const UNCERTAIN: ResultCode = '900.100.300'

/** The issuer asks for the customer, who is not there: a later attempt of ours would be answered in the same way. */
const SOFT_DECLINE: ResultCode = '300.100.100'

/** What the customer revoked, or the issuer closed, for every charge of the merchant (R1, R3). */
const revokesAll: ReadonlySet<string> = new Set(['R1', 'R3'])

/** Reasons of banks that no later attempt changes: account closed, no mandate, debtor deceased. */
const finalReasons: ReadonlySet<string> = new Set(['AC04', 'MD01', 'MD07'])

/** "Sanctions score exceeded": a fact about the card by its class, but one that forbids another attempt. */
const forbidding: ReadonlySet<MerchantAdviceCode> = new Set<MerchantAdviceCode>(['42'])

/** What each class of advice means for a plan, whose data nobody mends between two attempts. */
const stopsWith: Readonly<Record<AdviceClass, string | undefined>> = {
  fix: 'the issuer asks for other account data or for the customer: update the registration and schedule anew',
  never: 'the issuer forbids further attempts',
  retry: undefined,
  info: undefined,
}

/** On which days after the first attempt it is repeated, where the issuer gives no time of its own. */
const dunningDays = [1, 3, 7] as const

/** What follows an attempt at a run. A stop goes before a retry, and the issuer's own time before the usual days. */
export function afterRun(attempt: RunAttempt): AfterRun {
  if (!isFailure[outcomeOf(attempt.code)] || attempt.code === UNCERTAIN) return next
  const stopped = stopOf(attempt)
  if (stopped) return stopped
  if (attempt.code === SOFT_DECLINE) return next
  const retryAtMs = retryAtMsOf(attempt)
  return retryAtMs === undefined || isTooLate(retryAtMs, attempt) ? next : { kind: 'retry', atMs: retryAtMs }
}

function isTooLate(retryAtMs: number, { firstAtMs, attempts, nextRunAtMs }: RunAttempt): boolean {
  // Whole days: each attempt is made a moment after its time, from which the issuer's next one is counted.
  const days = Math.floor((retryAtMs - firstAtMs) / DAY_MS)
  const isUsedUp = attempts >= limits.runAttemptsMax || days > limits.runAttemptsDays
  return isUsedUp || retryAtMs >= (nextRunAtMs ?? Number.POSITIVE_INFINITY)
}

function stopOf({ code, acquirerResponse = '', advice = '' }: RunAttempt): AfterRun | undefined {
  if (revokesAll.has(acquirerResponse)) return stop('the customer revoked all recurring payments', 'registration')
  const response = Object.hasOwn(responseCodes, acquirerResponse) ? responseCodes[acquirerResponse] : undefined
  if (response?.retry === 'never' || finalReasons.has(acquirerResponse)) {
    return stop(`the acquirer declined for good, with ${acquirerResponse}`)
  }
  if (!isMerchantAdviceCode(advice)) return undefined
  const kind = forbidding.has(advice) ? 'never' : merchantAdviceCodes[advice].class
  // Authenticating once is all there is to mend, and that is for the merchant to arrange: later charges may pass.
  if (kind === 'fix' && code === SOFT_DECLINE) return undefined
  const reason = stopsWith[kind]
  return reason === undefined ? undefined : stop(`${reason} (merchant advice ${advice})`)
}

/** When to try again: after the time that the issuer advises, or on the next of the days after the first attempt. */
function retryAtMsOf({ advice = '', atMs, firstAtMs }: RunAttempt): number | undefined {
  const hours = isMerchantAdviceCode(advice) ? merchantAdviceCodes[advice].blockedHours : undefined
  if (hours !== undefined) return atMs + hours * HOUR_MS
  return dunningDays.map((days) => firstAtMs + days * DAY_MS).find((each) => each > atMs)
}
