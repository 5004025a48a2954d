import { CONFIDENTIAL_DECLINE, declineReasonOf, describeResult, isConfidentialDecline } from '@tollgate/contract'
import type { Answer } from '../answer.ts'

/**
 * The answer to the submit of a checkout, with a decline reason for the shopper. For confidential declines, such as of
 * a stolen card, the browser gets the general code without the texts of the issuer or of a risk check; the log, and for
 * a stored payment the status of the checkout, have the actual code.
 */
export function withDeclineReason(answer: Answer): Answer {
  const declineReason = declineReasonOf(answer.code)
  if (declineReason === undefined) return answer
  if (!isConfidentialDecline(answer.code)) {
    return { ...answer, body: `{"declineReason":"${declineReason}",${answer.body.slice(1)}` }
  }
  const body: object = JSON.parse(answer.body)
  const result = { code: CONFIDENTIAL_DECLINE, description: describeResult(CONFIDENTIAL_DECLINE) }
  // JSON.stringify omits undefined members.
  return { ...answer, body: JSON.stringify({ declineReason, ...body, result, resultDetails: undefined }) }
}
