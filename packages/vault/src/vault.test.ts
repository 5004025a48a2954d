import { createHash, randomBytes } from 'node:crypto'
import { Secret } from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateKeyRing, keySetNames, namedKeys, withNewKey, withoutKey } from './key-ring.ts'
import { limits } from './limits.ts'
import type { SealedRecord } from './sealer.ts'
import { openVault } from './vault.ts'
import { VaultError } from './vault-error.ts'

/** Random bytes that differ in every call and are the same in every run. */
function countingRandom(seed: string) {
  let draws = 0
  return (size: number): Uint8Array => {
    const blocks = Array.from({ length: Math.ceil(size / 32) }, (_, block) =>
      createHash('sha256').update(`${seed}|${draws}|${block}`).digest(),
    )
    draws += 1
    return new Uint8Array(Buffer.concat(blocks).subarray(0, size))
  }
}

const ring = generateKeyRing(countingRandom('ring'))
const localVault = openVault(ring)
const renewed = withNewKey(ring, 'encryption', countingRandom('encryption'))
const rotated = withNewKey(renewed, 'fingerprint', countingRandom('fingerprint'))
/** The rotated ring without the previous keys. */
const retired = keySetNames.reduce((remaining, name) => withoutKey(remaining, name, ring[name].current), rotated)
const record = { id: '70119a7e5eed00000000000000000001', merchant: '70119a7e5eed000000000000000000e0' }

const secret = (digits: string) => new Secret(new Uint8Array(Buffer.from(digits, 'ascii')))
const read = (number: Secret) => number.use((bytes) => Buffer.from(bytes).toString('ascii'))
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const numbers = fc
  .uint8Array({ minLength: 1, maxLength: limits.numberBytesMax })
  .map((bytes) => bytes.map((byte) => byte || 1))
const names = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/)

/**
 * The stored form of 4111111111111111 for `record`, sealed with seeded random bytes; verified with the Web Cryptography
 * API.
 */
const knownSealed = '017362897abd7909e72cf8eb74e421814cf4a4a6e16dfb44c0f21aa4d4e41094d694b2824713d4accf3efe8a76'
const knownWrappedKey = '97dc8f863eec1b34c5581f072e991a2754c8cdd5558be84e084c786b6f0a33680c5f02f7fcb3f58d'

async function faultOf(action: () => unknown): Promise<string> {
  try {
    await action()
  } catch (error) {
    if (error instanceof VaultError) return error.fault
    throw error
  }
  return 'none'
}

describe('a vault', () => {
  const vault = openVault(ring)

  describe('a sealed number', () => {
    it('is unsealed for its own record, for any number', async () => {
      await fc.assert(
        fc.asyncProperty(numbers, names, names, async (bytes, id, merchant) => {
          const stored = await vault.seal(new Secret(Uint8Array.from(bytes)), { id, merchant })
          expect(hex(vault.unseal(stored, { id, merchant }).use((unsealed) => Uint8Array.from(unsealed)))).toBe(
            hex(bytes),
          )
        }),
      )
    })

    it('is not unsealed for another record or merchant', async () => {
      await fc.assert(
        fc.asyncProperty(names, names, names, async (id, merchant, other) => {
          fc.pre(other !== id && other !== merchant)
          const stored = await vault.seal(secret('4111111111111111'), { id, merchant })
          expect(await faultOf(() => vault.unseal(stored, { id: other, merchant }))).toBe('not authentic')
          expect(await faultOf(() => vault.unseal(stored, { id, merchant: other }))).toBe('not authentic')
        }),
      )
    })

    it('is not unsealed if a single bit is flipped', async () => {
      const stored = await vault.seal(secret('4111111111111111'), record)
      for (const part of ['sealed', 'wrappedKey'] as const) {
        for (let bit = 0; bit < stored[part].length * 8; bit++) {
          const flipped = Uint8Array.from(stored[part], (byte, index) =>
            index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte,
          )
          const fault = await faultOf(() => vault.unseal({ ...stored, [part]: flipped }, record))
          expect(fault, `${part} bit ${bit}`).toBe('not authentic')
        }
      }
    })

    it('is not unsealed if it is truncated, empty or extended', async () => {
      const stored = await vault.seal(secret('4111111111111111'), record)
      for (const part of ['sealed', 'wrappedKey'] as const) {
        for (let length = 0; length < stored[part].length; length++) {
          const cut = { ...stored, [part]: stored[part].subarray(0, length) }
          const fault = await faultOf(() => vault.unseal(cut, record))
          expect(fault, `${part} of ${length} bytes`).toBe('not authentic')
        }
        const longer = { ...stored, [part]: Buffer.concat([stored[part], Buffer.alloc(8)]) }
        expect(await faultOf(() => vault.unseal(longer, record))).toBe('not authentic')
      }
    })

    it('is not unsealed with the data key of another seal of the same number', async () => {
      const stored = await vault.seal(secret('4111111111111111'), record)
      const otherRecord = await vault.seal(secret('4111111111111111'), record)
      expect(await faultOf(() => vault.unseal({ ...stored, wrappedKey: otherRecord.wrappedKey }, record))).toBe(
        'not authentic',
      )
    })

    it('does not contain the number, and equals an earlier seal of the number only in its fingerprint', async () => {
      const first = await vault.seal(secret('4111111111111111'), record)
      const second = await vault.seal(secret('4111111111111111'), record)
      expect(first.fingerprint).toEqual(second.fingerprint)
      expect(first.sealed.subarray(1)).not.toEqual(second.sealed.subarray(1))
      expect(first.wrappedKey).not.toEqual(second.wrappedKey)
      expect(hex(first.fingerprint)).toBe(hex(vault.fingerprint(secret('4111111111111111'))))
      expect(Buffer.concat([first.sealed, first.wrappedKey, first.fingerprint]).includes('4111111111111111')).toBe(
        false,
      )
    })

    it('cannot be decrypted by any other key after its wrapped key is dropped', async () => {
      const { sealed, keyId } = await vault.seal(secret('4111111111111111'), record)
      const { wrappedKey: otherKey } = await vault.seal(secret('4111111111111111'), record)
      const keys = namedKeys(ring).map(([, key]) => key)
      const candidates = [
        otherKey,
        new Uint8Array(40),
        new Uint8Array(0),
        ...keys,
        ...keys.map((key) => Buffer.concat([key, key])),
      ]
      for (const wrappedKey of candidates) {
        expect(await faultOf(() => vault.unseal({ sealed, wrappedKey, keyId }, record))).toBe('not authentic')
      }
      // `sealed` consists of the format, the nonce, the encrypted number and the tag: it has no room for a data key.
      expect(sealed.length).toBe(16 + 29)
    })

    it('never repeats a data key or nonce across refills of the pool', async () => {
      const noncesAndKeys = new Set<string>()
      const sealings = await Promise.all(
        Array.from({ length: 2000 }, () => vault.seal(secret('4111111111111111'), record)),
      )
      for (const { sealed, wrappedKey } of sealings) {
        noncesAndKeys.add(hex(sealed.subarray(1, 13))).add(hex(wrappedKey))
      }
      expect(noncesAndKeys.size).toBe(4000)
    })
  })

  describe('keys', () => {
    it('unseal records while they are previous keys, and seal records while they are current keys', async () => {
      const oldRecord = await vault.seal(secret('5454545454545454'), record)
      const rotatedVault = openVault(rotated)
      expect(read(rotatedVault.unseal(oldRecord, record))).toBe('5454545454545454')
      const newRecord = await rotatedVault.seal(secret('5454545454545454'), record)
      expect(newRecord.keyId).toBe(rotated.encryption.current)
      expect(newRecord.fingerprintKeyId).toBe(rotated.fingerprint.current)
      expect(hex(newRecord.fingerprint)).toBe(hex(rotatedVault.fingerprint(secret('5454545454545454'))))
      const fingerprints = rotatedVault.fingerprints(secret('5454545454545454'))
      expect(fingerprints.map(({ keyId, code }) => [keyId, hex(code)])).toEqual(
        [newRecord, oldRecord].map(({ fingerprintKeyId, fingerprint }) => [fingerprintKeyId, hex(fingerprint)]),
      )
    })

    it('determine the fingerprints of a number that is in use: new ones after a change of the ring', async () => {
      const changing = openVault(ring)
      const number = secret('5454545454545454')
      const codes = () => changing.fingerprints(number).map(({ code }) => hex(code))
      const before = codes()
      expect(hex((await changing.seal(number, record)).fingerprint)).toBe(before[0])
      changing.changeRing(rotated)
      expect(codes()).toEqual([hex(openVault(rotated).fingerprint(number)), ...before])
      expect(hex((await changing.seal(number, record)).fingerprint)).toBe(codes()[0])
      changing.forgetKey('fingerprint', ring.fingerprint.current)
      expect(codes()).toHaveLength(1)
    })

    it('that the ring lacks cause the fault unknown key', async () => {
      const rotatedVault = openVault(rotated)
      const newRecord = await rotatedVault.seal(secret('5454545454545454'), record)
      expect(await faultOf(() => vault.unseal(newRecord, record))).toBe('unknown key')
      expect(await faultOf(() => vault.rewrap(newRecord))).toBe('unknown key')
      expect(await faultOf(() => vault.unseal({ ...newRecord, keyId: '__proto__' }, record))).toBe('unknown key')
    })

    it('are bound to their id: a record with the id of another key of the ring is not authentic', async () => {
      const rotatedVault = openVault(rotated)
      const newRecord = await rotatedVault.seal(secret('5454545454545454'), record)
      const alteredRecord: SealedRecord = { ...newRecord, keyId: ring.encryption.current }
      expect(await faultOf(() => rotatedVault.unseal(alteredRecord, record))).toBe('not authentic')
      expect(await faultOf(() => rotatedVault.rewrap(alteredRecord))).toBe('not authentic')
    })

    it('can change at any time: earlier seals use the old keys, later seals the new keys', async () => {
      const changing = openVault(ring)
      const seal = (count: number) => Array.from({ length: count }, () => changing.seal(secret('4111'), record))
      const before = seal(300)
      changing.changeRing(rotated)
      const after = seal(300)
      const keyIdsOf = async (pending: ReturnType<typeof seal>) =>
        new Set((await Promise.all(pending)).map(({ keyId, fingerprintKeyId }) => `${keyId} ${fingerprintKeyId}`))
      expect([...(await keyIdsOf(before))]).toEqual([`${ring.encryption.current} ${ring.fingerprint.current}`])
      expect([...(await keyIdsOf(after))]).toEqual([`${rotated.encryption.current} ${rotated.fingerprint.current}`])
      for (const stored of await Promise.all([...before, ...after])) {
        expect(read(changing.unseal(stored, record))).toBe('4111')
      }
    })

    it('stay unchanged if the new ring is invalid', async () => {
      const changing = openVault(ring)
      expect(await faultOf(() => changing.changeRing({ ...ring, token: new Uint8Array(3) }))).toBe('key ring')
      expect((await changing.seal(secret('4111'), record)).keyId).toBe(ring.encryption.current)
    })

    it('are listed by their ids, and can be forgotten unless they are current', async () => {
      const rotatedVault = openVault(rotated)
      const oldRecord = await vault.seal(secret('4111'), record)
      const ids = (previous: (name: 'encryption' | 'fingerprint') => readonly string[]) => ({
        encryption: { current: rotated.encryption.current, previous: previous('encryption') },
        fingerprint: { current: rotated.fingerprint.current, previous: previous('fingerprint') },
      })
      expect(rotatedVault.keyIds()).toEqual(ids((name) => [ring[name].current]))
      expect(await faultOf(() => rotatedVault.forgetKey('encryption', rotated.encryption.current))).toBe('argument')
      for (const name of keySetNames) rotatedVault.forgetKey(name, ring[name].current)
      expect(rotatedVault.keyIds()).toEqual(ids(() => []))
      expect(await faultOf(() => rotatedVault.unseal(oldRecord, record))).toBe('unknown key')
      expect(rotatedVault.fingerprints(secret('4111'))).toHaveLength(1)
    })
  })

  describe('a rewrapped record', () => {
    it('is unsealed only under the new key, with its number unchanged', async () => {
      const stored = await vault.seal(secret('4111111111111111'), record)
      const rotatedVault = openVault(rotated)
      const rewrapped = { ...stored, ...rotatedVault.rewrap(stored) }
      expect(rewrapped.keyId).toBe(rotated.encryption.current)
      expect(read(openVault(retired).unseal(rewrapped, record))).toBe('4111111111111111')
      expect(await faultOf(() => vault.unseal(rewrapped, record))).toBe('unknown key')
      const alteredRecord: SealedRecord = { ...rewrapped, keyId: ring.encryption.current }
      expect(await faultOf(() => vault.unseal(alteredRecord, record))).toBe('not authentic')
    })
  })

  describe('an invalid argument', () => {
    const invalid: [title: string, action: () => unknown][] = [
      ['an empty number', () => vault.seal(secret(''), record)],
      ['a number of 1,021 bytes', () => vault.seal(secret('4'.repeat(1_021)), record)],
      ['credentials of 32 KiB and a byte', () => vault.sealCredentials(secret('c'.repeat(32_769)), record)],
      ['an empty document', () => vault.sealDocument(Buffer.alloc(0), record)],
      ['a document of 10 MiB and a byte', () => vault.sealDocument(Buffer.alloc(10 * 1024 * 1024 + 1), record)],
      ['an id with the separator', () => vault.seal(secret('4111111111111111'), { ...record, id: 'a|b' })],
      ['an empty id', () => vault.seal(secret('4111111111111111'), { ...record, id: '' })],
      [
        'a merchant of 65 characters',
        () => vault.seal(secret('4111111111111111'), { ...record, merchant: 'a'.repeat(65) }),
      ],
      ['a merchant with a line break', () => vault.seal(secret('4111111111111111'), { ...record, merchant: 'a\n' })],
    ]
    it.each(invalid)('is refused: %s', async (_title, action) => expect(await faultOf(action)).toBe('argument'))

    it('is refused: a wiped number, because a record of its zeros would hide that the number is lost', async () => {
      const number = secret('4111111111111111')
      number.wipe()
      expect(await faultOf(() => vault.seal(number, record))).toBe('argument')
    })
  })

  it('seals credentials that are longer than a number', async () => {
    const pem = 'p'.repeat(32_768)
    const { sealed, wrappedKey, keyId } = await vault.sealCredentials(secret(pem), record)
    expect(read(vault.unseal({ sealed, wrappedKey, keyId }, record))).toBe(pem)
  })

  it('seals documents, which may have zero bytes', async () => {
    const scan = Buffer.alloc(10 * 1024 * 1024)
    scan.write('%PDF-')
    const sealed = vault.sealDocument(scan, record)
    expect(Buffer.from(sealed.sealed).includes('%PDF-')).toBe(false)
    vault.unseal(sealed, record).use((bytes) => expect(Buffer.compare(bytes, scan)).toBe(0))
    expect(await faultOf(() => vault.unseal(sealed, { ...record, id: 'other' }))).toBe('not authentic')
    const rewrapped = { ...sealed, ...openVault(rotated).rewrap(sealed) }
    openVault(retired)
      .unseal(rewrapped, record)
      .use((bytes) => expect(Buffer.compare(bytes, scan)).toBe(0))
  })

  it('seals concurrent numbers together, of which an invalid one is refused alone', async () => {
    const texts = ['4111111111111111', '', '5555555555554444']
    const results = await Promise.allSettled(texts.map((text) => vault.seal(secret(text), record)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const sealed = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(sealed.map((stored) => read(vault.unseal(stored, record)))).toEqual([texts[0], texts[2]])
  })

  describe('closing', () => {
    it('completes pending seals, and refuses later seals', async () => {
      const closing = openVault(ring)
      const pending = Array.from({ length: 300 }, (_, count) => closing.seal(secret(`41111111${count}`), record))
      const closed = closing.close()
      expect(await faultOf(() => closing.sealDocument(Buffer.from('x'), record))).toBe('unavailable')
      expect(await faultOf(() => closing.seal(secret('4111111111111111'), record))).toBe('unavailable')
      const sealed = await Promise.all(pending)
      expect(sealed.map((stored) => read(closing.unseal(stored, record)))).toEqual(
        Array.from({ length: 300 }, (_, count) => `41111111${count}`),
      )
      await Promise.all([closed, closing.close()])
    })
  })
})

describe('stored data', () => {
  it('keep their format', async () => {
    // If this test fails, existing data can no longer be decrypted.
    const stored = {
      sealed: Buffer.from(knownSealed, 'hex'),
      wrappedKey: Buffer.from(knownWrappedKey, 'hex'),
      keyId: ring.encryption.current,
    }
    expect(read(localVault.unseal(stored, record))).toBe('4111111111111111')
    const drawn = countingRandom('pool')(44)
    const [dataKey, nonce] = [drawn.subarray(0, 32), drawn.subarray(32)]
    const knownBytes = [dataKey, nonce]
    const random = (size: number) => new Uint8Array(Buffer.concat([knownBytes.shift() ?? Buffer.alloc(0)], size))
    const resealed = await openVault(ring, random).seal(secret('4111111111111111'), record)
    expect(hex(resealed.sealed)).toBe(knownSealed)
    expect(hex(resealed.wrappedKey)).toBe(knownWrappedKey)
  })
})

describe('buffers of the vault', () => {
  it('are wiped: the pool contains no used data key after a seal, and no key after the vault is closed', async () => {
    const pools: Uint8Array[] = []
    const vault = openVault(ring, (size) => {
      const pool = new Uint8Array(randomBytes(size))
      pools.push(pool)
      return pool
    })
    await vault.seal(secret('4111111111111111'), record)
    const [keys] = pools
    expect(keys?.subarray(0, 32)).toEqual(new Uint8Array(32))
    expect(keys?.subarray(32, 64).some((byte) => byte !== 0)).toBe(true)
    await vault.close()
    expect(keys?.every((byte) => byte === 0)).toBe(true)
  })
})

describe('codes', () => {
  it('are HMAC-SHA-256 (RFC 4231, case 4)', () => {
    const ringWith = (bytes: Uint8Array) => ({ ...ring, fingerprint: { current: 'fpk-1', keys: { 'fpk-1': bytes } } })
    // HMAC pads a short key with zeros, so the 25-byte key of the case may be written as 32 bytes.
    const key = Uint8Array.from({ length: 32 }, (_, index) => (index < 25 ? index + 1 : 0))
    const expected = '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b'
    const data = new Uint8Array(50).fill(0xcd)
    expect(hex(openVault(ringWith(key)).fingerprint(new Secret(Uint8Array.from(data))))).toBe(expected)
    expect(hex(openVault({ ...ring, token: key }).mac('token', data))).toBe(expected)
    expect(hex(openVault({ ...ring, idempotency: key }).mac('idempotency', data))).toBe(expected)
  })

  it('differ by purpose and take text as UTF-8', () => {
    const codes = [
      localVault.mac('token', '4111'),
      localVault.mac('idempotency', '4111'),
      localVault.fingerprint(secret('4111')),
    ]
    expect(new Set(codes.map(hex)).size).toBe(3)
    expect(localVault.mac('token', 'naïve')).toEqual(localVault.mac('token', Buffer.from('naïve', 'utf8')))
  })
})
