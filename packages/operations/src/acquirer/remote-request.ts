import type {
  AcquirerAccount,
  AcquirerAnswer,
  AcquirerRequest,
  NoAnswer,
  OpenRequest,
  RemoteConnector,
  ReversalOutcome,
} from '@tollgate/connectors'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { reversalAttempt } from './attempts.ts'
import type { NamedConnector } from './named-connector.ts'
import { type AcquirerResponse, reversedAfterTimeout, timedOut, notSent } from './acquirer-response.ts'

type AcquirerContext = Pick<Context, 'acquirers'>
type ReversalContext = Pick<Context, 'acquirers' | 'storage' | 'ids' | 'clock'>

/**
 * Sends the request. If its outcome is unknown, for example after a timeout, one reversal is sent at once: if the
 * acquirer acknowledges the reversal, the merchant receives a final result.
 *
 * @param sentAs the references that are stored with the request
 * @param onLateApproval called if an approval arrives after the timeout
 * @returns `timedOut` if the acquirer did not acknowledge the reversal either
 */
export async function sendOrReverse(
  context: ReversalContext,
  named: NamedConnector<RemoteConnector>,
  request: AcquirerRequest,
  sentAs?: string,
  onLateApproval?: () => void,
): Promise<AcquirerResponse> {
  let isTimedOut = false
  const send = async () => {
    const response = await named.connector.send(request, sentAs)
    if (isTimedOut && (response.status === 'approved' || response.status === 'toReverse')) onLateApproval?.()
    return response
  }
  const reply = await withTimeout(context, limits.acquirerTimeoutMs, send)
  isTimedOut = true
  if (reply?.status === 'notSent') return notSent(reply.reason)
  if (reply && reply.status !== 'unknown' && reply.status !== 'toReverse') return reply
  const { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs } = request
  const reversal = await sendReversal(
    context,
    named,
    { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs },
    request.account,
  )
  // The result of a reversed answer is that answer, such as a decline because of a partial approval.
  return reply?.status === 'toReverse' && reversal === reversedAfterTimeout ? reply.answer : reversal
}

/**
 * Sends a reversal once: after a timeout, or when a shopper cancels a redirect.
 *
 * @param account the account of the request, for connectors that send it again
 * @returns `timedOut` if the acquirer did not acknowledge the reversal
 */
export async function sendReversal(
  context: ReversalContext,
  named: NamedConnector<RemoteConnector>,
  request: OpenRequest,
  account?: AcquirerAccount,
): Promise<AcquirerResponse> {
  const reversal = await withTimeout(context, limits.reversalTimeoutMs, async (): Promise<ReversalOutcome> => {
    const attempt = await reversalAttempt(context, named, request)
    return attempt === 'nothingToReverse' ? { kind: 'reversed' } : named.connector.reverse(request, attempt, account)
  })
  switch (reversal?.kind) {
    case 'reversed':
      return reversedAfterTimeout
    case 'done':
      return reversal.answer
    case 'unknown':
    case undefined:
      return timedOut
  }
}

/**
 * The response to a request that changes nothing; `timedOut` if the acquirer was not reached or did not answer in time.
 */
export async function sendInquiry(
  context: AcquirerContext,
  send: () => Promise<AcquirerAnswer | NoAnswer>,
): Promise<AcquirerResponse> {
  const reply = await withTimeout(context, limits.acquirerTimeoutMs, send)
  return !reply || reply.status === 'notSent' || reply.status === 'unknown' ? timedOut : reply
}

/** @returns the result of `work`; undefined after a timeout or an error, when the outcome is unknown */
async function withTimeout<T>(
  { acquirers }: AcquirerContext,
  ms: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const waiting = new AbortController()
  try {
    return await Promise.race([work(), acquirers.wait(ms, waiting.signal).then(() => undefined)])
  } catch {
    return undefined
  } finally {
    waiting.abort()
  }
}
