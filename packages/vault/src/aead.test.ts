import { describe, expect, it } from 'vitest'
import { decrypt, encrypt, overheadBytes } from './aead.ts'

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))

/**
 * Test cases 13, 14 and 16 of "The Galois/Counter Mode of Operation" (McGrew, Viega), with 256-bit keys and 96-bit
 * nonces.
 */
const vectors = [
  {
    key: '0000000000000000000000000000000000000000000000000000000000000000',
    nonce: '000000000000000000000000',
    associatedData: '',
    plaintext: '',
    ciphertext: '',
    tag: '530f8afbc74536b9a963b4f1c4cb738b',
  },
  {
    key: '0000000000000000000000000000000000000000000000000000000000000000',
    nonce: '000000000000000000000000',
    associatedData: '',
    plaintext: '00000000000000000000000000000000',
    ciphertext: 'cea7403d4d606b6e074ec5d3baf39d18',
    tag: 'd0d1c8a799996bf0265b98b5d48ab919',
  },
  {
    key: 'feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308',
    nonce: 'cafebabefacedbaddecaf888',
    associatedData: 'feedfacedeadbeeffeedfacedeadbeefabaddad2',
    plaintext:
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72' +
      '1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
    ciphertext:
      '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa' +
      '8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662',
    tag: '76fc6ece0f4e1768cddf8853bb2d551b',
  },
] as const

describe('AES-256-GCM', () => {
  it.each(vectors)(
    'matches the published vector $tag',
    ({ key, nonce, associatedData, plaintext, ciphertext, tag }) => {
      const out = new Uint8Array(3 + plaintext.length / 2 + overheadBytes)
      encrypt(bytes(key), bytes(nonce), bytes(associatedData), bytes(plaintext), out, 3)
      expect(Buffer.from(out).toString('hex')).toBe(`000000${nonce}${ciphertext}${tag}`)
      expect(decrypt(bytes(key), bytes(associatedData), out.subarray(3))).toEqual(Buffer.from(plaintext, 'hex'))
    },
  )

  it('refuses input shorter than a nonce and a tag', () => {
    expect(decrypt(bytes('00'.repeat(32)), bytes(''), new Uint8Array(overheadBytes - 1))).toBeUndefined()
  })
})
