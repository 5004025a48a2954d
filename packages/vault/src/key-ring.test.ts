import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { generateKeyRing, readKeyRing, writeKeyRing } from './key-ring.ts'
import { openVault } from './vault.ts'
import { VaultError } from './vault-error.ts'

const ring = generateKeyRing(randomBytes)
const { current } = ring.encryption
const text = writeKeyRing(ring)
const secrets = [...text.matchAll(/[0-9a-f]{64}/g)].map(([key]) => key)
const fresh = () => randomBytes(32).toString('hex')

function messageOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof VaultError && error.fault === 'key ring') return error.message
    throw error
  }
  return 'no error'
}

describe('a key ring', () => {
  it('survives being written and read', () => {
    expect(secrets).toHaveLength(4)
    expect(writeKeyRing(readKeyRing(text))).toBe(text)
    expect(openVault(readKeyRing(text)).keyCheckValue()).toBe(openVault(ring).keyCheckValue())
  })

  it('reads several encryption keys', () => {
    const json = JSON.parse(text)
    json.encryption.keys['kek-2027'] = fresh()
    json.encryption.current = 'kek-2027'
    expect(Object.keys(readKeyRing(JSON.stringify(json)).encryption.keys)).toEqual([current, 'kek-2027'])
  })

  /** One row a fault: what is done to the parsed text, and what the message says. */
  const faults: [change: (json: ReturnType<typeof JSON.parse>) => unknown, message: string][] = [
    [(json) => [json], 'the text must be an object'],
    [() => null, 'the text must be an object'],
    [(json) => ({ ...json, version: 2 }), 'version must be 1'],
    [(json) => ({ ...json, version: undefined }), 'the text lacks version'],
    [(json) => ({ ...json, token: undefined }), 'the text lacks token'],
    [
      (json) => ({ ...json, pepper: fresh() }),
      'the text may hold only version, encryption, fingerprint, token, idempotency',
    ],
    [(json) => ({ ...json, encryption: [] }), 'encryption must be an object'],
    [(json) => ({ ...json, encryption: { current } }), 'encryption lacks keys'],
    [(json) => ({ ...json, encryption: { ...json.encryption, current: 7 } }), 'encryption.current must be a key id'],
    [
      (json) => ({ ...json, encryption: { ...json.encryption, current: 'kek-0' } }),
      'encryption.current names no key of encryption.keys',
    ],
    [(json) => ({ ...json, encryption: { current, keys: [] } }), 'encryption.keys must be an object'],
    [
      (json) => ({ ...json, encryption: { current, keys: { ...json.encryption.keys, [fresh()]: 'kek-2' } } }),
      'a key id in encryption.keys must match ^[a-z0-9-]{1,32}$',
    ],
    [
      (json) => ({ ...json, encryption: { current, keys: { [current]: fresh().slice(2) } } }),
      `encryption.keys.${current} must be 64 lower-case hexadecimal digits`,
    ],
    [
      (json) => ({ ...json, fingerprint: fresh().toUpperCase() }),
      'fingerprint must be 64 lower-case hexadecimal digits',
    ],
    [(json) => ({ ...json, token: 12 }), 'token must be 64 lower-case hexadecimal digits'],
    [(json) => ({ ...json, idempotency: '00'.repeat(32) }), 'idempotency is a placeholder, not a random key'],
    [
      (json) => ({ ...json, token: json.fingerprint }),
      'fingerprint and token are the same key; every key has one purpose',
    ],
    [
      (json) => ({
        ...json,
        encryption: {
          current,
          keys: {
            ...json.encryption.keys,
            ...Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`kek-${n}`, fresh()])),
          },
        },
      }),
      'encryption.keys holds more than 32 keys',
    ],
  ]
  it.each(faults)('%# says what is wrong and nothing of the keys: %s', (change, message) => {
    const changed = JSON.stringify(change(JSON.parse(text)))
    expect(messageOf(() => readKeyRing(changed))).toBe(`key ring: ${message}`)
    for (const [key] of changed.matchAll(/[0-9a-f]{62,64}/gi)) expect(message).not.toContain(key)
  })

  it('repeats nothing of a text that is not JSON, nor of one that is too long', () => {
    for (const broken of [secrets[0] ?? '', `${text}!`, text.slice(0, -3), '']) {
      expect(messageOf(() => readKeyRing(broken))).toBe('key ring: the text is not valid JSON')
    }
    expect(messageOf(() => readKeyRing(' '.repeat(16_385)))).toBe('key ring: more than 16384 characters')
  })

  it('is checked however it came to be', () => {
    expect(messageOf(() => openVault({ ...ring, token: new Uint8Array(31) }))).toBe('key ring: token must be 32 bytes')
    expect(messageOf(() => generateKeyRing((size) => new Uint8Array(size)))).toContain('is a placeholder')
  })
})
