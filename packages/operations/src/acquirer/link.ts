import type { AcquirerAnswer, AcquirerRequest, NoAnswer, OpenRequest, RemoteConnector } from '@tollgate/connectors'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { type AcquirerResponse, reversedAfterTimeout, timedOut, notSent } from './acquirer-response.ts'

type Waiting = Pick<Context, 'acquirers'>

/**
 * Sends the request. If there is no answer, sends one reversal at once, which the acquirer may acknowledge within a
 * moment.
 *
 * @param approvedLate called if an approval arrives after the timeout
 * @returns `timedOut` if the outcome is unknown
 */
export async function call(
  context: Waiting,
  link: RemoteConnector,
  request: AcquirerRequest,
  approvedLate?: () => void,
): Promise<AcquirerResponse> {
  let isOver = false
  const ask = async () => {
    const response = await link.send(request)
    if (isOver && response.status === 'approved') approvedLate?.()
    return response
  }
  const reply = await within(context, limits.acquirerAnswerMs, ask)
  isOver = true
  if (reply?.status === 'notSent') return notSent(reply.reason)
  if (reply && reply.status !== 'unknown') return reply
  const { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs } = request
  return end(context, link, { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs })
}

/** @returns `timedOut` where it could not be ended yet */
export async function end(context: Waiting, link: RemoteConnector, request: OpenRequest): Promise<AcquirerResponse> {
  const ending = await within(context, limits.acquirerEndMs, () => link.reverse(request))
  switch (ending?.kind) {
    case 'reversed':
      return reversedAfterTimeout
    case 'done':
      return ending.answer
    case 'unknown':
    case undefined:
      return timedOut
  }
}

/**
 * The response to a request that changes nothing; `timedOut` if the acquirer was not reached or did not answer in time.
 */
export async function heardWithin(
  context: Waiting,
  ask: () => Promise<AcquirerAnswer | NoAnswer>,
): Promise<AcquirerResponse> {
  const reply = await within(context, limits.acquirerAnswerMs, ask)
  return !reply || reply.status === 'notSent' || reply.status === 'unknown' ? timedOut : reply
}

/** undefined on a timeout or an error: the outcome is unknown. */
async function within<T>({ acquirers }: Waiting, ms: number, work: () => Promise<T>): Promise<T | undefined> {
  const over = new AbortController()
  try {
    return await Promise.race([work(), acquirers.wait(ms, over.signal).then(() => undefined)])
  } catch {
    return undefined
  } finally {
    over.abort()
  }
}
