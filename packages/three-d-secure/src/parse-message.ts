import { type Fields, isFields } from './field.ts'
import { type Fault, fault } from './fault.ts'
import { limits } from './limits.ts'
import { isMessageType, type MessageType } from './messages/message-type.ts'
import { parseJson, scanJson } from './strict-json.ts'

/** A message that was parsed, but not validated. */
export interface ParsedMessage {
  readonly messageType: MessageType
  /** The fields are not validated: only an id may be used, to look up the transaction. */
  readonly fields: Fields
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const longestBytesMax = Math.max(...Object.values(limits.messageBytesMax))

/**
 * Parses a message of any type. The caller looks up the transaction by the ids of the message, and passes its context
 * to `readMessage`.
 *
 * @param message unparsed
 * @param bytesMax maximum length of the expected type
 * @returns fault 101 for a text that is no message (too long, not UTF-8, not a JSON object, of an unknown type), fault
 * 204 for a duplicate field
 */
export function parseMessage(
  message: string | Uint8Array,
  bytesMax: number = longestBytesMax,
): ParsedMessage | { readonly fault: Fault } {
  const bytes = typeof message === 'string' ? Buffer.byteLength(message) : message.length
  if (bytes > bytesMax) return { fault: fault('101', 'the message is too long') }
  const text = typeof message === 'string' ? message : decode(message)
  if (text === undefined) return { fault: fault('101', 'the message is not UTF-8') }
  const { isTooDeep, duplicate } = scanJson(text, limits.jsonDepthMax)
  if (isTooDeep) return { fault: fault('101', 'the message is nested too deeply') }
  if (duplicate !== undefined) return { fault: fault('204', isFieldName(duplicate) ? duplicate : 'a field') }
  const fields = parseJson(text)
  if (!isFields(fields)) return { fault: fault('101', 'the message is not a JSON object') }
  const messageType = Object.hasOwn(fields, 'messageType') ? fields['messageType'] : undefined
  if (!isMessageType(messageType)) return { fault: fault('101', 'messageType') }
  if (bytes > limits.messageBytesMax[messageType]) return { fault: fault('101', 'the message is too long') }
  return { messageType, fields }
}

/** Error messages repeat names of fields, and no other text of the refused message. */
const isFieldName = (name: string): boolean => /^[A-Za-z0-9]{1,64}$/.test(name)

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
