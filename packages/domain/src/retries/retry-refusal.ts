import {
  type AdviceClass,
  type BrandCode,
  HOUR_MS,
  isMerchantAdviceCode,
  type MerchantAdviceCode,
  merchantAdviceCodes,
  type ResultCode,
} from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'
import { limits } from '../limits.ts'
import { type BlockingAdvice, type CardDeclines, endOf, type PresentedData } from './card-declines.ts'

/** An attempt with a card, before it is sent. */
export interface CardAttempt extends PresentedData {
  readonly atMs: number
  readonly brand: BrandCode
  /** Whether the merchant charges a stored card without the cardholder. */
  readonly isMerchantInitiated: boolean
  /** Whether the cardholder has sent the cvv. */
  readonly hasCvv: boolean
}

type RetryRule = (declines: CardDeclines, attempt: CardAttempt) => Refused | undefined

/** The cancelled agreement: it binds charges by the merchant, not payments of the cardholder. */
const AGREEMENT_CANCELLED: MerchantAdviceCode = '21'

/** The rules in the order of decision: the first that forbids the attempt determines its result code. */
const rules = {
  agreementCancelled: ({ advices }, attempt) =>
    attempt.isMerchantInitiated ? refusalBy(advices, attempt, ({ code }) => code === AGREEMENT_CANCELLED) : undefined,
  never: ({ advices }, attempt) =>
    refusalBy(advices, attempt, ({ code }) => code !== AGREEMENT_CANCELLED && isOfClass(code, 'never')),
  dataUnchanged: ({ advices }, attempt) =>
    refusalBy(advices, attempt, (advice) => isOfClass(advice.code, 'fix') && !hasChanged(advice, attempt)),
  tooEarly: ({ advices }, attempt) => refusalBy(advices, attempt, ({ code }) => isOfClass(code, 'retry')),
  tooMany: tooManyRetries,
} as const satisfies Readonly<Record<string, RetryRule>>

/**
 * The refusal of an attempt that the networks' rules on retries forbid; undefined: it may be sent.
 *
 * @param declines those of the card at the merchant
 */
export function retryRefusal(declines: CardDeclines, attempt: CardAttempt): Refused | undefined {
  for (const rule of Object.values(rules)) {
    const refusal = rule(declines, attempt)
    if (refusal) return refusal
  }
  return undefined
}

const isOfClass = (code: MerchantAdviceCode, kind: AdviceClass): boolean => merchantAdviceCodes[code].class === kind

function refusalBy(
  advices: readonly BlockingAdvice[],
  { atMs }: CardAttempt,
  forbids: (advice: BlockingAdvice) => boolean,
): Refused | undefined {
  const advice = advices.find((each) => forbids(each) && atMs < endOf(each))
  const { blockCode, text } = advice ? merchantAdviceCodes[advice.code] : {}
  return blockCode && refused(blockCode, `the issuer of the card advised: ${text}`)
}

/**
 * Whether the attempt differs from the declined one in the data that the issuer may have meant: another expiry, an
 * authentication of the cardholder, or a cvv after one that was wrong. Cvvs are not compared, because none is stored.
 */
const hasChanged = (declined: BlockingAdvice, attempt: CardAttempt): boolean =>
  attempt.expiry !== declined.expiry ||
  (attempt.isAuthenticated && !declined.isAuthenticated) ||
  (attempt.hasCvv && declined.isCvvWrong)

/** "up to 15, newer 20, retries in 30 days" (domain notes, DE39 mapping): the networks that permit fewer than 20. */
const retriesMax: Readonly<Partial<Record<BrandCode, number>>> = {
  VISA: 15,
  VISADEBIT: 15,
  VISAELECTRON: 15,
  VPAY: 15,
}

/** The first decline is no retry, so that one decline more than the permitted retries is possible. */
function tooManyRetries({ declinedAtMs }: CardDeclines, { brand, atMs }: CardAttempt): Refused | undefined {
  const max = retriesMax[brand] ?? limits.retriesMax
  const recent = declinedAtMs.filter((declinedMs) => declinedMs > atMs - limits.retryWindowMs)
  // The next attempt is permitted when so many declines have left the window that `max` remain.
  const leavingMs = recent.at(-1 - max)
  if (leavingMs === undefined) return undefined
  const waitMs = leavingMs + limits.retryWindowMs - atMs
  const days = limits.retryWindowDays
  return refused(
    codeOfWait(waitMs),
    `the card was declined ${recent.length} times within ${days} days, and its network permits ${max} retries`,
  )
}

/** The codes that name a time to wait, the shortest first. */
const waits: readonly (readonly [hours: number, code: ResultCode])[] = Object.keys(merchantAdviceCodes)
  .filter(isMerchantAdviceCode)
  .map((advice) => merchantAdviceCodes[advice])
  .flatMap(({ class: kind, blockCode, blockedHours }) =>
    kind === 'retry' && blockCode && blockedHours !== undefined ? [[blockedHours, blockCode] as const] : [],
  )
  .toSorted(([one], [other]) => one - other)

const LONGEST_WAIT: ResultCode = '700.600.030'

/** The code with the shortest time that is not shorter than the wait, or with the longest one. */
const codeOfWait = (waitMs: number): ResultCode =>
  waits.find(([hours]) => hours * HOUR_MS >= waitMs)?.[1] ?? LONGEST_WAIT
