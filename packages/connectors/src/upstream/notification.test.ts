import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReceivedNotification } from '../port.ts'
import { readNotification } from './notification.ts'

const keyBytes = Buffer.alloc(32, 7)
const key = createSecretKey(keyBytes)
const id = '8ac7a4a1000000000000000000000001'
const transactionId = '70119a7e5eed00000000000000000001'
const merchantTransactionId = `${transactionId}-9`
const notification = { type: 'PAYMENT', action: 'CREATED', payload: { id, merchantTransactionId } }

/** A notification as an upstream sends it. */
function encrypted(text: string, { vectorBytes = 12, wrapper = 'text' } = {}): ReceivedNotification {
  const vector = randomBytes(vectorBytes)
  const cipher = createCipheriv('aes-256-gcm', keyBytes, vector)
  const hex = Buffer.concat([cipher.update(text), cipher.final()]).toString('hex')
  const body = wrapper === 'json' ? JSON.stringify({ encryptedBody: hex }) : hex
  return { vector: vector.toString('hex'), tag: cipher.getAuthTag().toString('hex'), body }
}

const read = (value: unknown, options?: Parameters<typeof encrypted>[1]) =>
  readNotification(key, encrypted(JSON.stringify(value), options))

test.each([{}, { wrapper: 'json' }, { vectorBytes: 16 }])('a notification names its transaction: %j', (options) => {
  expect(read(notification, options)).toEqual({ kind: 'payment', transactionId })
})

test('a repeated notification is read like the first one: it is a hint only', () => {
  const received = encrypted(JSON.stringify(notification))
  expect(readNotification(key, received)).toEqual(readNotification(key, received))
})

test.each([
  ['a test delivery', { type: 'test', action: 'webhook activation' }],
  ['a registration', { type: 'REGISTRATION', payload: { id } }],
  ['a payment without a reference', { type: 'PAYMENT', payload: { id, merchantTransactionId: 7 } }],
  ['a payment of another client', { type: 'PAYMENT', payload: { id, merchantTransactionId: 'order 1' } }],
])('%s names no transaction of this gateway', (_, value) => {
  expect(read(value)).toEqual({ kind: 'other' })
})

describe('an error names the part', () => {
  const valid = encrypted(JSON.stringify(notification))
  const flipped = (hex = ''): string => (hex.startsWith('0') ? '1' : '0') + hex.slice(1)
  test.each<[part: string, title: string, received: ReceivedNotification]>([
    ['X-Initialization-Vector', 'missing', { ...valid, vector: undefined }],
    ['X-Initialization-Vector', 'short', { ...valid, vector: '00' }],
    ['X-Initialization-Vector', 'no digits', { ...valid, vector: 'x'.repeat(24) }],
    ['X-Authentication-Tag', 'missing', { ...valid, tag: undefined }],
    ['X-Authentication-Tag', 'short', { ...valid, tag: valid.tag?.slice(0, 8) }],
    ['body', 'empty', { ...valid, body: '' }],
    ['body', 'no digits', { ...valid, body: 'zz' }],
    ['body', 'half a byte', { ...valid, body: valid.body.slice(1) }],
    ['body', 'JSON without the text', { ...valid, body: '{"encryptedBody":7}' }],
    ['body', 'too long', { ...valid, body: '00'.repeat(128 * 1024 + 1) }],
    ['key', 'another tag', { ...valid, tag: flipped(valid.tag) }],
    ['key', 'another vector', { ...valid, vector: flipped(valid.vector) }],
    ['key', 'another text', { ...valid, body: flipped(valid.body) }],
    ['payload', 'no JSON', encrypted('payment')],
    ['payload', 'no payload', encrypted('{"type":"PAYMENT"}')],
    ['payload', 'a text', encrypted('{"type":"PAYMENT","payload":"../1"}')],
  ])('%s: %s', (part, _, received) => {
    expect(readNotification(key, received)).toEqual({ kind: 'wrong', part })
  })

  test('another key', () => {
    expect(readNotification(createSecretKey(Buffer.alloc(32)), valid)).toEqual({ kind: 'wrong', part: 'key' })
  })
})

test('no input throws', () => {
  const part = fc.option(
    fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f]{24}$/), fc.stringMatching(/^[0-9a-f]{32}$/)),
    {
      nil: undefined,
    },
  )
  fc.assert(
    fc.property(
      part,
      part,
      fc.oneof(fc.string(), fc.json(), fc.stringMatching(/^([0-9a-f]{2})*$/)),
      (vector, tag, body) => {
        expect(readNotification(key, { vector, tag, body }).kind).toBe('wrong')
      },
    ),
  )
})
