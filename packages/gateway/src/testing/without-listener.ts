import { decodeForm, type OperationName, operations as rules } from '@tollgate/contract'
import { StorageError } from '@tollgate/storage'
import type { Answer } from '@tollgate/operations'
import type { Gateway } from '../gateway.ts'
import { faultOf } from '../http/faults.ts'
import { routes } from '../http/public/routes.ts'
import { answerTo, recordAnswer, withLoginEntity } from '../http/public/pipeline.ts'

/** A complete request of a merchant. */
export interface SentForm {
  readonly operation: OperationName
  /** The path parameter; '' if the path has none. */
  readonly id: string
  readonly token: string
  /** Body or query, percent-encoded. */
  readonly form: string
  readonly idempotencyKey: string | undefined
}

/**
 * Answers a request as the public listener does, but without sockets, HTTP framework, rate limits and fair queue, whose
 * timing is not simulated. The answer to a fault of the storage has no body. Any other error is a defect.
 */
export async function answerWithoutListener(gateway: Gateway, sent: SentForm): Promise<Answer> {
  const { operation, id, token, form: text, idempotencyKey } = sent
  const { ids, clock, directory } = gateway
  const atMs = clock.now()
  const caller = directory.authenticate(`Bearer ${token}`, atMs)
  const route = routes.find((candidate) => candidate.operation === operation)
  if (typeof caller === 'string') throw new Error(`the caller is ${caller}`)
  if (!route) throw new Error(`${operation} has no route`)
  const form = decodeForm(Buffer.from(text), rules[operation].surface)
  try {
    const received = { requestId: ids.ordered(), atMs, caller, form, startedMs: performance.now(), id, idempotencyKey }
    const incoming = withLoginEntity(gateway, received)
    const answer = await answerTo(gateway, route, incoming)
    recordAnswer(gateway, route, incoming, answer)
    return answer
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    const { status, code } = faultOf(error)
    return { status, code, body: '' }
  } finally {
    form.wipe()
  }
}
