import { decodeForm, type OperationName, operations as rules } from '@tollgate/contract'
import type { Answer } from '../answer.ts'
import type { Gateway } from '../gateway.ts'
import { routes } from '../http/public/routes.ts'
import { serve } from '../http/public/serve.ts'

/** A request of a merchant, as it is once it has been read. */
export interface SentForm {
  readonly operation: OperationName
  /** Path parameter, '' where the path has none. */
  readonly id: string
  readonly token: string
  /** Body or query, percent-encoded. */
  readonly form: string
  readonly idempotencyKey: string | undefined
}

/**
 * Answers a request as the public listener does, without its sockets, its framework and the line before it: all of them
 * have a time of their own. What would be answered as a fault of the storage, or of ours, is thrown.
 */
export async function answerWithoutListener(gateway: Gateway, sent: SentForm): Promise<Answer> {
  const { operation, id, token, form: text, idempotencyKey } = sent
  const { ids, clock, directory } = gateway
  const atMs = clock.now()
  const caller = directory.authenticate(`Bearer ${token}`, atMs)
  const route = routes.find((each) => each.operation === operation)
  if (typeof caller === 'string' || !route) throw new Error(`${operation}: no such route, or a caller who is ${caller}`)
  const form = decodeForm(Buffer.from(text), rules[operation].surface)
  try {
    const incoming = { requestId: ids.ordered(), atMs, caller, form, startedMs: performance.now(), id, idempotencyKey }
    return await serve(gateway, route, incoming)
  } finally {
    form.wipe()
  }
}
