import type { AcquirerOperation, AcquirerRequest } from '../../port.ts'
import type { AcquirerProfile } from '../profile.ts'
import { localTime, type Trace } from '../trace.ts'
import { fieldRows } from './fields.ts'
import { listIndexes } from './list-indexes.ts'
import type { OriginalMessage, RequestMessage } from './message-source.ts'

/** The message type of each operation. A capture is an advice, because its issuer has approved it before. */
export const messageTypes: Readonly<Record<AcquirerOperation, string>> = {
  PA: '0100',
  DB: '0200',
  CD: '0200',
  CP: '0220',
  RV: '0400',
  RF: '0200',
}

/**
 * Composes the message of a request.
 *
 * @param original the message that a follow-up refers to. A PA with an original increases its authorisation
 * @returns a message with secrets: the caller erases it by `wipeMessage` after it is encoded
 * @throws FieldError if a value, which the error does not contain, fits in no message: the request cannot be sent
 */
export function requestMessage(
  request: AcquirerRequest,
  trace: Trace,
  profile: AcquirerProfile,
  original?: OriginalMessage,
): RequestMessage {
  const { operation, parameters } = request
  const local = localTime(trace, profile.timeZone)
  const source = { request, trace, profile, original, local, lists: listIndexes(parameters.keys()) }
  const fields: RequestMessage['fields'] = {}
  const message = { type: messageTypes[operation], fields }
  try {
    for (const { sentBy, addTo } of fieldRows) if (sentBy.has(operation)) addTo(fields, source)
  } catch (error) {
    wipeMessage(message)
    throw error
  }
  return message
}

/** Erases the secret values of a message. */
export function wipeMessage({ fields }: RequestMessage): void {
  for (const value of Object.values(fields)) if (value instanceof Uint8Array) value.fill(0)
}
