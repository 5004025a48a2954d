import { createDecipheriv, type KeyObject } from 'node:crypto'
import type { NotificationHint, ReceivedNotification } from '../port.ts'
import { parseObject, isObject, textIn } from './json.ts'
import { limits } from './limits.ts'

/** An incomplete or forged notification; the part is named, and never its value. */
type NotificationPart = 'X-Initialization-Vector' | 'X-Authentication-Tag' | 'body' | 'key' | 'payload'

/** 12 bytes are usual; 16 occur. */
const VECTOR = /^(?:[0-9a-fA-F]{24}|[0-9a-fA-F]{32})$/
/** 16 bytes. A shorter tag could be guessed. */
const TAG = /^[0-9a-fA-F]{32}$/
const HEX = /^(?:[0-9a-fA-F]{2})+$/
/** The reference of an attempt: the id of its transaction, and a random id. */
const REFERENCE = /^([0-9a-f]{32})-/
const ALGORITHM = 'aes-256-gcm'

/**
 * Decrypts and reads a notification of an upstream gateway (contract, Events: AES-256-GCM).
 *
 * @param key 32 bytes
 */
export function readNotification(key: KeyObject, { vector, tag, body }: ReceivedNotification): NotificationHint {
  if (vector === undefined || !VECTOR.test(vector)) return wrong('X-Initialization-Vector')
  if (tag === undefined || !TAG.test(tag)) return wrong('X-Authentication-Tag')
  const hex = encryptedHex(body)
  if (hex === undefined) return wrong('body')
  const text = decrypted(key, vector, tag, hex)
  return text === undefined ? wrong('key') : payloadOf(text)
}

const wrong = (part: NotificationPart): NotificationHint => ({ kind: 'wrong', part })

/** The digits of the encrypted text; undefined if they are malformed or too many. */
function encryptedHex(body: string): string | undefined {
  const charsMax = 2 * limits.notificationBytesMax
  if (body.length > charsMax + limits.notificationWrapperCharsMax) return undefined
  const wrapped = body.trimStart().startsWith('{') ? parseObject(body)?.['encryptedBody'] : body.trim()
  return typeof wrapped === 'string' && wrapped.length <= charsMax && HEX.test(wrapped) ? wrapped : undefined
}

function decrypted(key: KeyObject, vector: string, tag: string, hex: string): string | undefined {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, Buffer.from(vector, 'hex'), { authTagLength: 16 })
    decipher.setAuthTag(Buffer.from(tag, 'hex'))
    return Buffer.concat([decipher.update(hex, 'hex'), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function payloadOf(text: string): NotificationHint {
  const notification = parseObject(text)
  if (!notification) return wrong('payload')
  if (notification['type'] !== 'PAYMENT') return { kind: 'other' }
  const payload = notification['payload']
  if (!isObject(payload)) return wrong('payload')
  const transactionId = REFERENCE.exec(textIn(payload, 'merchantTransactionId') ?? '')?.[1]
  return transactionId === undefined ? { kind: 'other' } : { kind: 'payment', transactionId }
}
