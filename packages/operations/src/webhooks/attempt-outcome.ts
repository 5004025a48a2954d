import { type DeliveryVerdict, deliveryVerdictOf } from '@tollgate/domain'
import { limits } from '../limits.ts'
import type { OutgoingReply } from '../ports/outgoing-client.ts'

/** The outcome of one request to a webhook, or of one call of an address that a merchant sent. */
export interface AttemptOutcome {
  readonly verdict: DeliveryVerdict
  readonly httpStatus: number | null
  /** The reason of a failure; null for a success. */
  readonly error: string | null
  /** The endpoint's answer, truncated. */
  readonly answer: string
  readonly durationMs: number
  readonly retryAfterMs: number | undefined
}

export function attemptOutcome(reply: OutgoingReply): AttemptOutcome {
  const { durationMs } = reply
  if (reply.kind !== 'answered') {
    const error = `${reply.kind}: ${reply.reason}`
    return { verdict: 'failed', httpStatus: null, error, answer: '', durationMs, retryAfterMs: undefined }
  }
  const { status, body, retryAfterMs } = reply
  const verdict = deliveryVerdictOf(status)
  return {
    verdict,
    httpStatus: status,
    error: verdict === 'delivered' ? null : `HTTP ${status}`,
    answer: storableText(body.slice(0, limits.webhookResponseChars)),
    durationMs,
    retryAfterMs: status === 429 || status === 503 ? retryAfterMs : undefined,
  }
}

/**
 * Replaces NUL, which not every database can store in a text, and removes an unpaired surrogate at the end of a
 * truncated text.
 */
const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD').replace(/[\uD800-\uDBFF]$/, '')
