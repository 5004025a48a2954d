import { Secret } from '@tollgate/contract'
import type { Context } from './context.ts'
import type { Fields } from './field.ts'
import { checkMessage } from './check-message.ts'
import type { MessageType } from './messages/message-type.ts'
import { type MessageOf, messages } from './messages/messages.ts'

/**
 * Validates a message as `readMessage` does, and serialises it.
 *
 * @param message without its type, which is `kind`
 * @param context facts about the transaction of the message, as for reading
 * @returns UTF-8. The bytes of an authentication request hold the card number: the sender wipes them
 * @throws if the message is invalid, which is a defect of the caller; the error names fields, never values
 */
export function writeMessage<Kind extends MessageType>(
  kind: Kind,
  message: NoInfer<MessageOf<Kind>>,
  context: Context = {},
): Uint8Array {
  const fields: Fields = message
  const unknownNames = Object.keys(fields).filter((name) => !Object.hasOwn(messages[kind], name))
  if (unknownNames.length > 0) throw new Error(`unknown fields of a ${kind}: ${unknownNames.join(', ')}`)
  const messageFault = checkMessage(kind, fields, context)
  if (messageFault) throw new Error(`invalid ${kind}: ${messageFault.errorCode} ${messageFault.errorDetail}`)

  const publicFields = Object.entries(fields).filter(([, value]) => !(value instanceof Secret))
  const secrets = Object.entries(fields).filter((entry): entry is [string, Secret] => entry[1] instanceof Secret)
  const text = new TextEncoder().encode(JSON.stringify({ messageType: kind, ...Object.fromEntries(publicFields) }))
  return secrets.reduce(withSecret, text)
}

/** Inserts the digits, which need no escapes, before the closing brace, without converting them to a string. */
function withSecret(json: Uint8Array, [name, secret]: readonly [string, Secret]): Uint8Array {
  const head = new TextEncoder().encode(`,"${name}":"`)
  const tail = new TextEncoder().encode('"}')
  // A separate buffer, so that wiping leaves no copy: small arrays would share a pool or be moved on the heap.
  const extended = new Uint8Array(new ArrayBuffer(json.length - 1 + head.length + secret.length + tail.length))
  extended.set(json.subarray(0, -1))
  extended.set(head, json.length - 1)
  secret.use((digits) => extended.set(digits, json.length - 1 + head.length))
  extended.set(tail, extended.length - tail.length)
  return extended
}
