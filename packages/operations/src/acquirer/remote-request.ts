import type {
  AcquirerAccount,
  AcquirerAnswer,
  AcquirerRequest,
  NoAnswer,
  OpenRequest,
  RejectedMessage,
  RemoteConnector,
  ReversalOutcome,
  ReversalReason,
} from '@tollgate/connectors'
import type { Context } from '../context.ts'
import { errorFields } from '../error-fields.ts'
import { limits } from '../limits.ts'
import { reversalAttempt, storeReversalOutcome } from './attempts.ts'
import type { NamedConnector } from './named-connector.ts'
import { type AcquirerResponse, reversedAfterTimeout, timedOut, notSent } from './acquirer-response.ts'

type AcquirerContext = Pick<Context, 'acquirers' | 'log'>
type ReversalContext = Pick<Context, 'acquirers' | 'log' | 'storage' | 'ids' | 'clock'>

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
  if (reply?.status === 'notSent') return notSent(reply.reason, true)
  // The job repeats the message, and keeps it for an operator if the acquirer rejects the repeats, too.
  if (reply?.status === 'rejected') return timedOut
  if (reply && reply.status !== 'unknown' && reply.status !== 'toReverse') return reply
  const { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs } = request
  const reversal = await sendReversal(
    context,
    named,
    { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs },
    { account: request.account, reason: reply ? reasons[reply.status] : 'noAnswer' },
  )
  if (reversal.status === 'rejected') return timedOut
  // The result of a reversed answer is that answer, such as a decline because of a partial approval.
  return reply?.status === 'toReverse' && reversal === reversedAfterTimeout ? reply.answer : reversal
}

const reasons: Readonly<Record<'unknown' | 'toReverse', ReversalReason>> = {
  unknown: 'noAnswer',
  toReverse: 'partialApproval',
}

interface ReversalDetails {
  /** The account of the request, for connectors that send it again. */
  readonly account?: AcquirerAccount | undefined
  readonly reason?: ReversalReason
}

/**
 * Sends a reversal once: after a timeout, or when a shopper cancels a redirect. If the connection is lost, it waits for
 * another one, as long as for the answer.
 *
 * @returns `timedOut` if the acquirer did not acknowledge the reversal; rejected if it does not process the message
 */
export async function sendReversal(
  context: ReversalContext,
  named: NamedConnector<RemoteConnector>,
  request: OpenRequest,
  { account, reason = 'noAnswer' }: ReversalDetails = {},
): Promise<AcquirerResponse | RejectedMessage> {
  const reverse = async (signal: AbortSignal): Promise<ReversalOutcome> => {
    const attempt = await reversalAttempt(context, named, request, reason)
    if (attempt === 'nothingToReverse') return { kind: 'reversed' }
    // The account is erased as soon as the wait is over.
    if (signal.aborted) return { kind: 'unknown' }
    const outcome = await named.connector.reverse(request, attempt, account, signal)
    // The result of the payment does not depend on the stored outcome.
    await storeReversalOutcome(context, request, outcome).catch((error: unknown) => logError(context, error))
    return outcome
  }
  const waiting = new AbortController()
  const reversal = await withTimeout(context, limits.reversalTimeoutMs, () => reverse(waiting.signal))
  // Without a reason, an error with a stack would be created.
  waiting.abort(WAITED)
  switch (reversal?.kind) {
    case 'reversed':
      return reversedAfterTimeout
    case 'done':
      return reversal.answer
    case 'rejected':
      return { status: 'rejected', reason: reversal.reason }
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

/**
 * @returns the result of `work`; undefined after a timeout or an error, when the outcome is unknown. An error is
 *   logged, also if it occurs after the timeout
 */
function withTimeout<T>(
  { acquirers, log }: AcquirerContext,
  ms: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const endTimer = acquirers.startTimer(ms, () => resolve(undefined))
    const end = (result: T | undefined): void => {
      endTimer()
      resolve(result)
    }
    work().then(end, (error: unknown) => end(logError({ log }, error)))
  })
}

const WAITED = 'the wait has ended'

function logError({ log }: Pick<Context, 'log'>, error: unknown): undefined {
  log.error({ operation: 'send a message to an acquirer', ...errorFields(error) })
}
