import { createSecretKey } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { openKeyWrapper, unwrapKey, wrapKey } from './key-wrap.ts'

it('wrapKey and unwrapKey match the published vector of RFC 3394, 4.6', () => {
  const wrappingKey = createSecretKey('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex')
  const key = Buffer.from('00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f', 'hex')
  const wrapped = wrapKey(wrappingKey, key)
  expect(Buffer.from(wrapped).toString('hex')).toBe(
    '28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21',
  )
  expect(unwrapKey(wrappingKey, wrapped)).toEqual(key)
})

it('a key is not unwrapped with another wrapping key', () => {
  const [wrappingKey, otherWrappingKey] = [createSecretKey(Buffer.alloc(32, 1)), createSecretKey(Buffer.alloc(32, 2))]
  expect(unwrapKey(otherWrappingKey, wrapKey(wrappingKey, Buffer.alloc(32, 3)))).toBeUndefined()
})

it('keys that are wrapped together have the wrapped form of single keys', () => {
  const wrappingKey = createSecretKey(Buffer.alloc(32, 1))
  const wrapKeys = openKeyWrapper(wrappingKey)
  const keysOf = fc.uint8Array({ minLength: 0, maxLength: 5 * 32 }).map((bytes) => bytes.slice(bytes.length % 32))
  fc.assert(
    fc.property(keysOf, (keys) => {
      const single = Array.from({ length: keys.length / 32 }, (_, index) =>
        wrapKey(wrappingKey, keys.subarray(index * 32, (index + 1) * 32)),
      )
      expect(Buffer.from(wrapKeys(keys))).toEqual(Buffer.concat(single))
    }),
  )
})
