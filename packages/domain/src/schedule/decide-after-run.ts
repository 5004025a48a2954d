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
  /** `resultDetails.AcquirerResponse`: data element 39 of ISO 8583, or the reason code of a bank. */
  readonly acquirerResponse?: string | undefined
  /** `resultDetails.MerchantAdviceCode`; unknown codes are ignored. */
  readonly advice?: string | undefined
  /** Time of this attempt. */
  readonly atMs: number
  /** Time of the first attempt at this run. */
  readonly firstAtMs: number
  /** Number of attempts so far, this one included. */
  readonly attempts: number
  /** Retries must be made before this time: that of the next run, else of the end of the plan, else undefined. */
  readonly retriesEndAtMs: number | undefined
}

/**
 * The decision after an attempt: a retry of the run, the next run as planned, or the end of the plan or of all plans of
 * the registration.
 */
export type RunDecision =
  | { readonly kind: 'retry'; readonly atMs: number }
  | { readonly kind: 'next' }
  | { readonly kind: 'stop'; readonly scope: 'plan' | 'registration'; readonly reason: string }

const next: RunDecision = { kind: 'next' }
const stop = (reason: string, scope: 'plan' | 'registration' = 'plan'): RunDecision => ({ kind: 'stop', scope, reason })

/** Only rejections are retried: a pending payment may still be approved, and a retry would charge twice. */
const isFailure: Readonly<Record<ResultOutcome, boolean>> = {
  success: false,
  review: false,
  pending: false,
  chargeback: false,
  rejected: true,
}

/** No answer in time and no confirmed reversal: the attempt may have been approved. */
const UNCERTAIN: ResultCode = '900.100.300'

/** The issuer requires the customer: later attempts without the customer would be declined as well. */
const SOFT_DECLINE: ResultCode = '300.100.100'

/** Responses that end all recurring payments of the merchant (R1) or all authorisations (R3). */
const revocations: ReadonlyMap<string, string> = new Map([
  ['R1', 'the customer revoked all recurring payments'],
  ['R3', 'the customer revoked all authorisations'],
])

/** Reasons of banks that no later attempt changes: account closed, no mandate, debtor deceased. */
const finalReasons: ReadonlySet<string> = new Set(['AC04', 'MD01', 'MD07'])

/** Advice that forbids another attempt although its class is `info`: 42, "Sanctions score exceeded". */
const forbiddingAdvice: ReadonlySet<MerchantAdviceCode> = new Set<MerchantAdviceCode>(['42'])

/** Why advice of a class stops a plan; undefined: it does not. A plan cannot `fix` the data that it sends again. */
const stopReasons: Readonly<Record<AdviceClass, string | undefined>> = {
  fix: 'the issuer requires other account data or the customer: update the registration and create another schedule',
  never: 'the issuer forbids further attempts',
  retry: undefined,
  info: undefined,
}

/** Days after the first attempt on which the run is repeated, unless the issuer advises a time. */
const dunningDays = [1, 3, 7] as const

/**
 * Decides how a plan continues after an attempt. A stop has priority over a retry, and the issuer's time over the
 * dunning days.
 */
export function decideAfterRun(attempt: RunAttempt): RunDecision {
  if (!isFailure[outcomeOf(attempt.code)] || attempt.code === UNCERTAIN) return next
  const stopped = stopOf(attempt)
  if (stopped) return stopped
  if (attempt.code === SOFT_DECLINE) return next
  const retryAtMs = retryAtMsOf(attempt)
  return retryAtMs === undefined || exceedsBounds(retryAtMs, attempt) ? next : { kind: 'retry', atMs: retryAtMs }
}

/** Whether a retry would exceed the number or the period of attempts, or would not precede the end of the retries. */
function exceedsBounds(retryAtMs: number, { firstAtMs, attempts, retriesEndAtMs }: RunAttempt): boolean {
  // Whole days are counted, because each attempt happens shortly after its planned time.
  const days = Math.floor((retryAtMs - firstAtMs) / DAY_MS)
  const isExhausted = attempts >= limits.runAttemptsMax || days > limits.runAttemptsDays
  return isExhausted || retryAtMs >= (retriesEndAtMs ?? Number.POSITIVE_INFINITY)
}

function stopOf({ code, acquirerResponse = '', advice = '' }: RunAttempt): RunDecision | undefined {
  const revocation = revocations.get(acquirerResponse)
  if (revocation !== undefined) return stop(revocation, 'registration')
  const response = Object.hasOwn(responseCodes, acquirerResponse) ? responseCodes[acquirerResponse] : undefined
  if (response?.retry === 'never' || finalReasons.has(acquirerResponse)) {
    return stop(`the acquirer declined permanently, with ${acquirerResponse}`)
  }
  if (!isMerchantAdviceCode(advice)) return undefined
  const kind = forbiddingAdvice.has(advice) ? 'never' : merchantAdviceCodes[advice].class
  // The merchant can have the customer authenticated; then later charges may be approved.
  if (kind === 'fix' && code === SOFT_DECLINE) return undefined
  const reason = stopReasons[kind]
  return reason === undefined ? undefined : stop(`${reason} (merchant advice ${advice})`)
}

/** Time of the next attempt: after the period that the issuer advises, or on the next dunning day. */
function retryAtMsOf({ advice = '', atMs, firstAtMs }: RunAttempt): number | undefined {
  const hours = isMerchantAdviceCode(advice) ? merchantAdviceCodes[advice].blockedHours : undefined
  if (hours !== undefined) return atMs + hours * HOUR_MS
  return dunningDays.map((days) => firstAtMs + days * DAY_MS).find((retryAtMs) => retryAtMs > atMs)
}
