import { CONFIDENTIAL_DECLINE, declineReasonOf, describeResult, isConfidentialDecline } from '@tollgate/contract'
import type { Answer } from '../answer.ts'

/**
 * The answer to the submit of a checkout, with a decline reason that its shopper may know. The log and the status of
 * the checkout keep the code of a stolen card; the browser gets the general one, without the texts of the issuer or of
 * a risk check.
 */
export function withDeclineReason(answer: Answer): Answer {
  const declineReason = declineReasonOf(answer.code)
  if (declineReason === undefined) return answer
  if (!isConfidentialDecline(answer.code)) {
    return { ...answer, body: `{"declineReason":"${declineReason}",${answer.body.slice(1)}` }
  }
  const body: object = JSON.parse(answer.body)
  const result = { code: CONFIDENTIAL_DECLINE, description: describeResult(CONFIDENTIAL_DECLINE) }
  // JSON leaves out undefined members.
  return { ...answer, body: JSON.stringify({ declineReason, ...body, result, resultDetails: undefined }) }
}
