import { type AdviceClass, isMerchantAdviceCode, merchantAdviceCodes, type ResultCode } from '@tollgate/contract'

/** The outcome of an attempt at a connector that did not approve the payment. */
export interface FailedAttempt {
  /** notSent: no byte reached the acquirer. declined: the acquirer has answered. unknown: there is no final answer. */
  readonly kind: 'notSent' | 'declined' | 'unknown'
  readonly code: ResultCode
  /** resultDetails.MerchantAdviceCode */
  readonly advice: string | undefined
}

/**
 * Declines by a system on the way to the issuer. The issuer has not decided, so another acquirer may reach it, and the
 * networks do not count the next attempt as a repeat.
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

/** Whether the advice of the issuer permits another attempt at once: `retry` advices name a time to wait first. */
const permitsNow: Readonly<Record<AdviceClass, boolean>> = { fix: false, retry: false, never: false, info: true }

/**
 * Whether the payment is tried at the next connector of its route. An attempt with an unknown outcome is reversed and
 * never tried elsewhere, because the acquirer may have carried it out.
 */
export function mayTryNext({ kind, code, advice }: FailedAttempt): boolean {
  switch (kind) {
    case 'notSent':
      return true
    case 'declined':
      return undecidedByIssuer.has(code) && permitsByAdvice(advice)
    case 'unknown':
      return false
  }
}

const permitsByAdvice = (advice: string | undefined): boolean =>
  advice === undefined || !isMerchantAdviceCode(advice) || permitsNow[merchantAdviceCodes[advice].class]
