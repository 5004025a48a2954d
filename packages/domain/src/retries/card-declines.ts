import {
  DAY_MS,
  HOUR_MS,
  type MerchantAdviceCode,
  merchantAdviceCodes,
  responseCodes,
  type ResultCode,
  type RetryClass,
  unknownResponse,
} from '@tollgate/contract'
import { addMonths } from '../add-months.ts'
import { cardExpiresAtMs } from '../card.ts'
import { limits } from '../limits.ts'
import { isUndecidedByIssuer } from '../routing/next-connector.ts'

/** The data of an attempt that an advice of the class `fix` asks to change. Nothing of it identifies the card. */
export interface PresentedData {
  /** The expiry of the card, `yyyy-MM`; undefined: it was not sent. */
  readonly expiry: string | undefined
  /** Whether the cardholder was authenticated, by 3-D Secure or PIN. */
  readonly isAuthenticated: boolean
}

/** Advice of an issuer against further attempts. */
export interface BlockingAdvice extends PresentedData {
  readonly code: MerchantAdviceCode
  readonly atMs: number
  /** Whether the issuer found the cvv wrong. The cvv itself is never stored, so that it cannot be compared. */
  readonly isCvvWrong: boolean
}

/** The declines of a card by its issuer that limit further attempts. */
export interface CardDeclines {
  /** The times of declines, epoch milliseconds, the oldest first. */
  readonly declinedAtMs: readonly number[]
  /** The latest advice of each code. */
  readonly advices: readonly BlockingAdvice[]
}

/** A decline of an attempt with a card. */
export interface IssuerDecline extends PresentedData {
  readonly atMs: number
  readonly code: ResultCode
  /** Data element 39; an unknown one is of the class `generic`. */
  readonly response: string
  /** The advice that the issuer sent; undefined: none. */
  readonly advice: MerchantAdviceCode | undefined
  readonly isCvvWrong: boolean
}

/** Whether the networks count another attempt after a decline of the class as a retry. */
const isCounted: Readonly<Record<RetryClass, boolean>> = {
  none: false,
  never: true,
  later: true,
  fix: true,
  generic: true,
  authenticate: false,
  reconcile: false,
}

/** Responses about the merchant or the message: unknown merchant, and format error. The networks count no retry. */
const notAboutCard: ReadonlySet<string> = new Set(['03', '30'])

/**
 * The declines of a card with another one.
 *
 * @returns undefined: the decline limits no further attempt
 */
export function withDecline(earlier: CardDeclines | undefined, decline: IssuerDecline): CardDeclines | undefined {
  const row = Object.hasOwn(responseCodes, decline.response) ? responseCodes[decline.response] : undefined
  const { retry, advice: usual } = row ?? unknownResponse
  // An advice that the issuer did not send binds only if the response itself forbids further attempts.
  const advice = decline.advice ?? (retry === 'never' ? usual : undefined)
  const isBlocking = advice !== undefined && merchantAdviceCodes[advice].blockCode !== undefined
  const isRetried = isCounted[retry] && !notAboutCard.has(decline.response) && !isUndecidedByIssuer(decline.code)
  if (!isBlocking && !isRetried) return undefined
  const { atMs, expiry, isAuthenticated, isCvvWrong } = decline
  const kept = (earlier?.advices ?? []).filter((other) => other.code !== advice && endOf(other) > atMs)
  const recent = (earlier?.declinedAtMs ?? []).filter((earlierMs) => earlierMs > atMs - limits.retryWindowMs)
  return {
    declinedAtMs: isRetried ? [...recent, atMs].slice(-limits.declinesKept) : recent,
    advices: isBlocking ? [...kept, { code: advice, atMs, expiry, isAuthenticated, isCvvWrong }] : kept,
  }
}

/** The time from which the declines limit no attempt, epoch milliseconds. */
export function declinesExpireAtMs({ declinedAtMs, advices }: CardDeclines): number {
  return Math.max((declinedAtMs.at(-1) ?? 0) + limits.retryWindowMs, ...advices.map(endOf))
}

/**
 * The end of an advice, epoch milliseconds: after the time that it names. One without a time ends with the card, or,
 * without an expiry, with the retention of account data.
 */
export function endOf({ code, atMs, expiry }: BlockingAdvice): number {
  const hours = merchantAdviceCodes[code].blockedHours ?? openEndedHours[code]
  if (hours !== undefined) return atMs + hours * HOUR_MS
  const [expiryYear, expiryMonth] = expiry?.split('-') ?? []
  if (expiryYear !== undefined && expiryMonth !== undefined) return cardExpiresAtMs({ expiryYear, expiryMonth })
  return addMonths(atMs, limits.retentionMonths)
}

/** Nothing in a later attempt shows that the merchant has become eligible: it is tried again after the window. */
const openEndedHours: Readonly<Partial<Record<MerchantAdviceCode, number>>> = {
  22: (limits.retryWindowDays * DAY_MS) / HOUR_MS,
}
