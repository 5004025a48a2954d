import { type AdviceClass, isMerchantAdviceCode, merchantAdviceCodes, type ResultCode } from '@tollgate/contract'

/** The outcome of an attempt at a connector that did not approve the payment. */
export interface FailedAttempt {
  readonly code: ResultCode
  /** resultDetails.MerchantAdviceCode */
  readonly advice: string | undefined
}

/**
 * Results of attempts that reached no issuer: nothing was sent, or a system on the way to the issuer declined. Another
 * acquirer may reach the issuer, and the networks do not count the next attempt as a repeat. An unknown outcome
 * (900.100.300) and a reversed request (900.100.301) are not among them, because the issuer may have approved.
 */
const undecidedByIssuer: ReadonlySet<ResultCode> = new Set<ResultCode>([
  '900.100.100',
  '900.100.200',
  '900.100.201',
  '900.100.400',
  '900.100.500',
  '900.100.600',
  '900.100.700',
])

/** Whether a result says that the attempt reached no issuer. */
export const isUndecidedByIssuer = (code: ResultCode): boolean => undecidedByIssuer.has(code)

/** Whether the advice of the issuer permits another attempt at once: `retry` advices name a time to wait first. */
const permitsNow: Readonly<Record<AdviceClass, boolean>> = { fix: false, retry: false, never: false, info: true }

/** Whether the payment is tried at the next connector of its route. */
export const mayTryNext = ({ code, advice }: FailedAttempt): boolean =>
  undecidedByIssuer.has(code) &&
  (advice === undefined || !isMerchantAdviceCode(advice) || permitsNow[merchantAdviceCodes[advice].class])
