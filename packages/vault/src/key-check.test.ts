import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { compareKeyCheck, dropFromKeyCheck, writeKeyCheck } from './key-check.ts'
import {
  checkKeyRing,
  generateKeyRing,
  type KeyRing,
  keySetNames,
  namedKeys,
  withNewKey,
  withoutKey,
} from './key-ring.ts'

const ring = generateKeyRing(randomBytes)
const otherRing = generateKeyRing(randomBytes)
const stored = writeKeyCheck(ring)
const namesIn = (value: string) => value.split(' ').map((entry) => entry.slice(0, entry.indexOf('=')))

describe('a key-check value', () => {
  it('accepts the ring from which it was made', () => {
    expect(compareKeyCheck(stored, ring)).toEqual([])
    expect(writeKeyCheck(ring, stored)).toBe(stored)
  })

  describe.each(keySetNames)('in a rotation of %s', (name) => {
    const rotated = withNewKey(ring, name, randomBytes)
    const bothKeysValue = writeKeyCheck(rotated, stored)
    const retired = checkKeyRing(withoutKey(rotated, name, ring[name].current))
    const missing = ({ [name]: { current } }: KeyRing) => [`${name}.keys.${current} is missing: stored data needs it`]

    it('accepts the ring with both keys and, once the new key is in use, no ring with only one of them', () => {
      expect(compareKeyCheck(stored, rotated)).toEqual([])
      expect(compareKeyCheck(bothKeysValue, rotated)).toEqual([])
      expect(compareKeyCheck(bothKeysValue, ring)).toEqual(missing(rotated))
      expect(compareKeyCheck(bothKeysValue, retired)).toEqual(missing(ring))
    })

    it('accepts the ring without the old key after the old key is dropped', () => {
      const dropped = dropFromKeyCheck(bothKeysValue, name, ring[name].current)
      expect(compareKeyCheck(dropped, retired)).toEqual([])
      expect(compareKeyCheck(dropped, rotated)).toEqual([])
      expect(writeKeyCheck(retired)).toHaveLength(dropped.length)
    })

    it('does not contain a key of the ring that no record needs', () => {
      const restored = { ...rotated, [name]: { ...rotated[name], current: ring[name].current } }
      expect(writeKeyCheck(restored, stored)).toBe(stored)
      expect(namesIn(writeKeyCheck(rotated))).not.toContain(`${name}.keys.${ring[name].current}`)
    })
  })

  const changedRings: readonly (readonly [name: string, ring: KeyRing])[] = [
    ['token', { ...ring, token: otherRing.token }],
    ['idempotency', { ...ring, idempotency: otherRing.idempotency }],
    ...keySetNames.map((name) => {
      const { current } = ring[name]
      const key = otherRing[name].keys[otherRing[name].current] ?? ring.token
      return [`${name}.keys.${current}`, { ...ring, [name]: { current, keys: { [current]: key } } }] as const
    }),
  ]
  it.each(changedRings)('reports a changed %s', (name, changedRing) => {
    expect(compareKeyCheck(stored, changedRing)).toEqual([`${name} is not the key that stored data was written with`])
  })

  it.each(['', 'x', ' ', 'token=', 'token=zz', 'token=0000000000000000 '])(
    'is unreadable if its text is %j',
    (value) => {
      expect(compareKeyCheck(value, ring)).toEqual(['the stored key-check value is unreadable'])
    },
  )

  it('is unreadable if its text is too long', () => {
    const value = Array.from({ length: 200 }, () => 'token=0000000000000000').join(' ')
    expect(compareKeyCheck(value, ring)).toEqual(['the stored key-check value is unreadable'])
  })

  it('contains no key', () => {
    for (const [, key] of namedKeys(ring)) expect(stored).not.toContain(Buffer.from(key).toString('hex').slice(0, 16))
  })
})
