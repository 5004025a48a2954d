import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { writeKeyCheck } from './key-check.ts'
import { generateKeyRing, keySetNames, readKeyRing, withNewKey, withoutKey, writeKeyRing } from './key-ring.ts'
import { openVault } from './vault.ts'
import { VaultError } from './vault-error.ts'

const ring = generateKeyRing(randomBytes)
const { current } = ring.encryption
const text = writeKeyRing(ring)
const secrets = [...text.matchAll(/[0-9a-f]{64}/g)].map(([key]) => key)
const newKey = () => randomBytes(32).toString('hex')
const fromHex = (key: unknown) => Uint8Array.from(Buffer.from(String(key), 'hex'))

function messageOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    if (error instanceof VaultError && error.fault === 'key ring') return error.message
    throw error
  }
  return 'no error'
}

describe('a key ring', () => {
  it('is unchanged after it was written and read', () => {
    expect(secrets).toHaveLength(4)
    expect(writeKeyRing(readKeyRing(text))).toBe(text)
    expect(writeKeyCheck(readKeyRing(text))).toBe(writeKeyCheck(ring))
  })

  it('may have several encryption keys', () => {
    const json = JSON.parse(text)
    json.encryption.keys['kek-2027'] = newKey()
    json.encryption.current = 'kek-2027'
    expect(Object.keys(readKeyRing(JSON.stringify(json)).encryption.keys)).toEqual([current, 'kek-2027'])
  })

  it('may be of version 1, in which the single fingerprint key has no id', () => {
    const { fingerprint, ...rest } = JSON.parse(text)
    const [key] = Object.values(fingerprint.keys)
    const old = JSON.stringify({ ...rest, version: 1, fingerprint: key })
    const read = readKeyRing(old)
    const expected = { ...ring, fingerprint: { current: 'fpk-1', keys: { 'fpk-1': fromHex(key) } } }
    expect(writeKeyRing(read)).toBe(writeKeyRing(expected))
  })

  describe.each(keySetNames)('with keys for %s', (name) => {
    const extended = withNewKey(ring, name, randomBytes)

    it('gets a new current key and keeps the old key', () => {
      expect(Object.keys(extended[name].keys)).toEqual([ring[name].current, extended[name].current])
      expect(extended[name].current).toMatch(/^(?:kek|fpk)-[0-9a-f]{8}$/)
      expect(writeKeyRing(readKeyRing(writeKeyRing(extended)))).toBe(writeKeyRing(extended))
    })

    it('can be reduced to the new key', () => {
      const remaining = withoutKey(extended, name, ring[name].current)
      expect(Object.keys(remaining[name].keys)).toEqual([extended[name].current])
      expect({ ...remaining, [name]: ring[name] }).toEqual(ring)
    })

    it('refuses a new key with the id of an old key', () => {
      const sameId = (size: number) =>
        size === 4 ? Buffer.from(ring[name].current.slice(4), 'hex') : randomBytes(size)
      expect(messageOf(() => withNewKey(ring, name, sameId))).toContain('has a key')
    })

    it('has a maximum number of keys', () => {
      const grow = () => {
        let full = ring
        for (let count = 0; count < 32; count += 1) full = withNewKey(full, name, randomBytes)
      }
      const keysMax = name === 'encryption' ? 32 : 2
      expect(messageOf(grow)).toBe(`key ring: ${name}.keys holds more than ${keysMax} keys; retire one first`)
    })
  })

  /** One row per fault: the change of the parsed text, and the error message. */
  const faults: [change: (json: ReturnType<typeof JSON.parse>) => unknown, message: string][] = [
    [(json) => [json], 'the text must be an object'],
    [() => null, 'the text must be an object'],
    [(json) => ({ ...json, version: 3 }), 'version must be 1 or 2'],
    [(json) => ({ ...json, version: 1 }), 'fingerprint must be 64 lower-case hexadecimal digits'],
    [(json) => ({ ...json, version: undefined }), 'the text has no member version'],
    [(json) => ({ ...json, token: undefined }), 'the text has no member token'],
    [
      (json) => ({ ...json, pepper: newKey() }),
      'the text may hold only version, encryption, fingerprint, token, idempotency',
    ],
    [(json) => ({ ...json, encryption: [] }), 'encryption must be an object'],
    [(json) => ({ ...json, encryption: { current } }), 'encryption has no member keys'],
    [(json) => ({ ...json, encryption: { ...json.encryption, current: 7 } }), 'encryption.current must be a key id'],
    [
      (json) => ({ ...json, encryption: { ...json.encryption, current: 'kek-0' } }),
      'encryption.current names no key of encryption.keys',
    ],
    [(json) => ({ ...json, encryption: { current, keys: [] } }), 'encryption.keys must be an object'],
    [
      (json) => ({ ...json, encryption: { current, keys: { ...json.encryption.keys, [newKey()]: 'kek-2' } } }),
      'a key id in encryption.keys must match ^[a-z0-9-]{1,32}$',
    ],
    [
      (json) => ({ ...json, encryption: { current, keys: { [current]: newKey().slice(2) } } }),
      `encryption.keys.${current} must be 64 lower-case hexadecimal digits`,
    ],
    [(json) => ({ ...json, fingerprint: newKey() }), 'fingerprint must be an object'],
    [
      (json) => ({ ...json, fingerprint: { current: 'fpk-1', keys: { 'fpk-1': newKey().toUpperCase() } } }),
      'fingerprint.keys.fpk-1 must be 64 lower-case hexadecimal digits',
    ],
    [(json) => ({ ...json, fingerprint: { current, keys: { [current]: newKey() } } }), 'two keys have the same id'],
    [(json) => ({ ...json, token: 12 }), 'token must be 64 lower-case hexadecimal digits'],
    [(json) => ({ ...json, idempotency: '00'.repeat(32) }), 'idempotency is a placeholder, not a random key'],
    [
      (json) => ({ ...json, token: json.idempotency }),
      'token and idempotency are the same key; every key has one purpose',
    ],
    [
      (json) => ({
        ...json,
        encryption: {
          current,
          keys: {
            ...json.encryption.keys,
            ...Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`kek-${index}`, newKey()])),
          },
        },
      }),
      'encryption.keys holds more than 32 keys; retire one first',
    ],
  ]
  it.each(faults)('has error messages without keys, %#: $1', (change, message) => {
    const changed = JSON.stringify(change(JSON.parse(text)))
    expect(messageOf(() => readKeyRing(changed))).toBe(`key ring: ${message}`)
    for (const [key] of changed.matchAll(/[0-9a-f]{62,64}/gi)) expect(message).not.toContain(key)
  })

  it('has error messages without any part of an invalid or too long text', () => {
    for (const broken of [secrets[0] ?? '', `${text}!`, text.slice(0, -3), '']) {
      expect(messageOf(() => readKeyRing(broken))).toBe('key ring: the text is not valid JSON')
    }
    expect(messageOf(() => readKeyRing(' '.repeat(16_385)))).toBe('key ring: more than 16384 characters')
  })

  it('is validated when it is generated and when a vault is opened', () => {
    expect(messageOf(() => openVault({ ...ring, token: new Uint8Array(31) }))).toBe('key ring: token must be 32 bytes')
    expect(messageOf(() => generateKeyRing((size) => new Uint8Array(size)))).toContain('is a placeholder')
  })
})
