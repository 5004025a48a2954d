import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { openDataKeyPool } from './data-key-pool.ts'
import { unwrapKey } from './key-wrap.ts'
import { limits } from './limits.ts'

const wrappingKey = createSecretKey(randomBytes(32))
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

it('a pool returns each key and nonce once, with the wrapped form of the key', () => {
  const pool = openDataKeyPool(randomBytes, wrappingKey)
  const drawn = Array.from({ length: 2 * limits.dataKeysInPool + 1 }, () => pool.next())
  expect(new Set(drawn.map(({ bytes }) => hex(bytes))).size).toBe(drawn.length)
  expect(new Set(drawn.map(({ nonce }) => hex(nonce))).size).toBe(drawn.length)
  for (const { bytes, wrapped } of drawn)
    expect(hex(unwrapKey(wrappingKey, wrapped) ?? new Uint8Array())).toBe(hex(bytes))
})

it('a wiped pool has erased the keys that were left, and returns none of them', () => {
  const made: Uint8Array[] = []
  const random = (size: number) => {
    const bytes = randomBytes(size)
    made.push(bytes)
    return bytes
  }
  const pool = openDataKeyPool(random, wrappingKey)
  pool.next()
  const [keys = new Uint8Array()] = made
  pool.wipe()
  expect(keys.every((byte) => byte === 0)).toBe(true)
  expect(pool.next().bytes.every((byte) => byte === 0)).toBe(false)
})

it('a pool whose random bytes fail once erases its keys, and then returns complete ones', () => {
  const made: Uint8Array[] = []
  const random = (size: number) => {
    if (made.length === 1) {
      made.push(new Uint8Array())
      throw new Error('no random bytes')
    }
    const bytes = randomBytes(size)
    made.push(bytes)
    return bytes
  }
  const pool = openDataKeyPool(random, wrappingKey)
  expect(() => pool.next()).toThrow('no random bytes')
  expect(made[0]?.every((byte) => byte === 0)).toBe(true)
  const { bytes, wrapped, nonce } = pool.next()
  expect(hex(unwrapKey(wrappingKey, wrapped) ?? new Uint8Array())).toBe(hex(bytes))
  expect(nonce).toHaveLength(12)
})
