import { declineReasonOf } from '@tollgate/contract'
import type { Answer } from '../../answer.ts'

/** The answer to the submit of a checkout with as much of the reason for a decline as its shopper may know. */
export function withDeclineReason(answer: Answer): Answer {
  const declineReason = declineReasonOf(answer.code)
  if (declineReason === undefined) return answer
  return { ...answer, body: `{"declineReason":"${declineReason}",${answer.body.slice(1)}` }
}
