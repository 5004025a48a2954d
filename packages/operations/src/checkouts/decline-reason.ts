import { CONFIDENTIAL_DECLINE, declineReasonOf, describeResult, isConfidentialDecline } from '@tollgate/contract'
import type { Answer } from '../answer.ts'

/**
 * The answer to the submit of a checkout with as much of the reason for a decline as its shopper may know. The log and
 * the status of the checkout keep the code of a stolen card; the browser gets the general one, with nothing of what the
 * issuer or a risk check said.
 */
export function withDeclineReason(answer: Answer): Answer {
  const declineReason = declineReasonOf(answer.code)
  if (declineReason === undefined) return answer
  if (!isConfidentialDecline(answer.code)) {
    return { ...answer, body: `{"declineReason":"${declineReason}",${answer.body.slice(1)}` }
  }
  const body: object = JSON.parse(answer.body)
  const result = { code: CONFIDENTIAL_DECLINE, description: describeResult(CONFIDENTIAL_DECLINE) }
  // JSON leaves out what is undefined.
  return { ...answer, body: JSON.stringify({ declineReason, ...body, result, resultDetails: undefined }) }
}
