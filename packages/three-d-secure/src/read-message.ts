import { Secret } from '@tollgate/contract'
import type { Context } from './context.ts'
import { type Fault, fault } from './fault.ts'
import type { Fields, Scope } from './field.ts'
import { isAvailable, isMissing, valueOf } from './find-faults.ts'
import { checkMessage, scopeOf } from './check-message.ts'
import { limits } from './limits.ts'
import type { MessageType } from './messages/message-type.ts'
import { type MessageOf, messages } from './messages/messages.ts'
import { type ParsedMessage, parseMessage } from './parse-message.ts'
import { isProtocolVersion, protocolVersions } from './versions.ts'

/**
 * Result of reading: the message (`ok`); a fault, to be answered with `erroOf` (`fault`); or a received error message,
 * which is not answered (`erro`).
 */
export type ReadResult<Kind extends MessageType> =
  | { readonly ok: MessageOf<Kind> }
  | { readonly fault: Fault }
  | { readonly erro: MessageOf<'Erro'> }

/**
 * Reads a message of the expected kind. The size, the JSON, the type and version, critical extensions, every field of
 * the table of the kind, and the ids of the transaction are validated. Unknown fields are left out.
 *
 * The card number of an authentication request becomes a `Secret`, which the caller wipes. Parsing JSON also leaves the
 * number in memory as a string, which cannot be wiped. This is acceptable because only simulators read such requests.
 *
 * @param message unparsed, or the result of `parseMessage`
 * @param context known facts about the transaction. Without a channel, fields of only some channels are optional
 */
export function readMessage<Kind extends MessageType>(
  kind: Kind,
  message: string | Uint8Array | ParsedMessage,
  context: Context = {},
): ReadResult<Kind> {
  const isRaw = typeof message === 'string' || message instanceof Uint8Array
  const parsed = isRaw ? parseMessage(message, limits.messageBytesMax[kind]) : message
  if ('fault' in parsed) return parsed
  const { messageType, fields } = parsed
  if (messageType === kind) return readFields(kind, fields, context)
  if (messageType !== 'Erro') return { fault: fault('101', 'messageType') }
  // Without the context, because an error message has no channel, and its sender may not know the transaction.
  const read = readFields('Erro', fields, {})
  return 'ok' in read ? { erro: read.ok } : read
}

function readFields<Kind extends MessageType>(
  kind: Kind,
  fields: Fields,
  context: Context,
): { readonly ok: MessageOf<Kind> } | { readonly fault: Fault } {
  const messageFault = checkMessage(kind, fields, context)
  if (messageFault) return { fault: messageFault }
  const picked = pick(kind, fields, context)
  assertMessage<Kind>(picked)
  return { ok: picked }
}

/** Fields without a fault have the type of the message: the check and the type use the same table. */
function assertMessage<Kind extends MessageType>(_fields: Fields): asserts _fields is MessageOf<Kind> {}

function pick(kind: MessageType, fields: Fields, context: Context): Fields {
  const version = valueOf(fields, 'messageVersion')
  const scope: Scope = scopeOf(isProtocolVersion(version) ? version : protocolVersions[0], fields, context)
  const entries = Object.entries(messages[kind]).filter(
    ([name, field]) => isAvailable(field, scope) && !isMissing(valueOf(fields, name)),
  )
  return Object.fromEntries(
    entries.map(([name, { format }]) => {
      const value = valueOf(fields, name)
      return [name, format.kind === 'cardNumber' && typeof value === 'string' ? secretOf(value) : value]
    }),
  )
}

const secretOf = (digits: string): Secret => new Secret(new TextEncoder().encode(digits))
