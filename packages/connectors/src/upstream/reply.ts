import type { NoAnswer } from '../port.ts'
import type { UpstreamReply } from './exchange.ts'
import { readPayment, type UpstreamPayment } from './payment-json.ts'
import { resultOf } from './result-code.ts'

/**
 * The meaning of a reply: a payment, or no answer. notAuthorised: the upstream refuses the access token. malformed: the
 * reply is no answer of the contract. throttled: the upstream refuses requests now.
 */
export type ReplyMeaning =
  | { readonly kind: 'payment'; readonly payment: UpstreamPayment }
  | { readonly kind: 'notSent'; readonly reason: string }
  | { readonly kind: 'unknown' | 'notAuthorised' | 'malformed' | 'throttled' }

/** "800.120.100: too many requests" (contract, Errors). */
const THROTTLED = '800.120.100'
/** "800.900.300 invalid authentication information" (interop) and its relatives. */
const NOT_AUTHORISED = /^800\.900\.30[0-2]$/

/** Reads a reply by its status and its result code. A status that contradicts the code is no answer. */
export function readReply({ status, body, sent, reason = 'there was no connection' }: UpstreamReply): ReplyMeaning {
  if (status === 0) return sent ? { kind: 'unknown' } : { kind: 'notSent', reason }
  // A failed or redirecting server may have carried the request out.
  if (status >= 500) return { kind: 'unknown' }
  const payment = readPayment(body)
  if (!payment || (status >= 300 && status < 400)) return { kind: 'malformed' }
  const isRejected = resultOf(payment.code).outcome === 'rejected'
  if (status >= 400 && !isRejected) return { kind: 'malformed' }
  if ((status === 401 || status === 403) && NOT_AUTHORISED.test(payment.code)) return { kind: 'notAuthorised' }
  if (payment.code === THROTTLED && payment.paymentType === undefined) return { kind: 'throttled' }
  return { kind: 'payment', payment }
}

/** Requests that the upstream has refused before it processed them were not sent. */
export function noAnswerOf(meaning: Exclude<ReplyMeaning, { kind: 'payment' }>): NoAnswer {
  switch (meaning.kind) {
    case 'notSent':
      return { status: 'notSent', reason: meaning.reason }
    case 'notAuthorised':
      return { status: 'notSent', reason: 'the upstream gateway refuses the access of this gateway' }
    case 'throttled':
      return { status: 'notSent', reason: 'the upstream gateway refuses further requests now' }
    case 'unknown':
    case 'malformed':
      return { status: 'unknown' }
  }
}
