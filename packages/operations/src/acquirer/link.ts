import type { AcquirerAnswer, AcquirerRequest, OpenQuestion, RemoteConnector, Silence } from '@tollgate/connectors'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { type Said, undone, unsaid, unsent } from './acquirer-response.ts'

type World = Pick<Context, 'world'>

/**
 * Asks, and where there is no answer has the question ended at once, which the acquirer may do within a moment.
 *
 * @param approvedLate called where an approval comes when it is not waited for any more
 * @returns `unsaid` where nobody knows yet
 */
export async function call(
  gateway: World,
  link: RemoteConnector,
  request: AcquirerRequest,
  approvedLate?: () => void,
): Promise<Said> {
  let isOver = false
  const ask = async () => {
    const said = await link.ask(request)
    if (isOver && said.status === 'approved') approvedLate?.()
    return said
  }
  const reply = await within(gateway, limits.acquirerAnswerMs, ask)
  isOver = true
  if (reply?.status === 'unsent') return unsent(reply.why)
  if (reply && reply.status !== 'unknown') return reply
  const { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs } = request
  return end(gateway, link, { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs })
}

/** @returns `unsaid` where it could not be ended yet */
export async function end(gateway: World, link: RemoteConnector, question: OpenQuestion): Promise<Said> {
  const ending = await within(gateway, limits.acquirerEndMs, () => link.end(question))
  switch (ending?.kind) {
    case 'undone':
      return undone
    case 'done':
      return ending.answer
    case 'unknown':
    case undefined:
      return unsaid
  }
}

/** What is said to a question that changes nothing; `unsaid` where nobody heard it, or answered in time. */
export async function heardWithin(gateway: World, ask: () => Promise<AcquirerAnswer | Silence>): Promise<Said> {
  const reply = await within(gateway, limits.acquirerAnswerMs, ask)
  return !reply || reply.status === 'unsent' || reply.status === 'unknown' ? unsaid : reply
}

/** undefined where it took too long or threw: then nobody knows. */
async function within<T>({ world }: World, ms: number, work: () => Promise<T>): Promise<T | undefined> {
  const over = new AbortController()
  try {
    return await Promise.race([work(), world.wait(ms, over.signal).then(() => undefined)])
  } catch {
    return undefined
  } finally {
    over.abort()
  }
}
