import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCharacters } from './format-utf8.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function counted(bytes: Uint8Array): number {
  try {
    const text = utf8.decode(bytes)
    // oxlint-disable-next-line no-control-regex
    return /[\0-\x08\v\f\x0e-\x1f\x7f]/.test(text) ? -1 : Array.from(text).length
  } catch {
    return -1
  }
}

test('counts what a decoder counts', () => {
  // Lead and continuation bytes at the edges of the encoding, where random bytes seldom come.
  const edge = fc.constantFrom(
    0x00,
    0x41,
    0x7f,
    0x80,
    0x8f,
    0x90,
    0x9f,
    0xa0,
    0xbf,
    0xc1,
    0xc2,
    0xe0,
    0xed,
    0xef,
    0xf0,
    0xf4,
    0xf5,
  )
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 8 }), fc.array(edge, { maxLength: 8 })), (bytes) => {
      const given = Uint8Array.from(bytes)
      expect(countCharacters(given)).toBe(counted(given))
    }),
    { numRuns: 5_000 },
  )
})

test('counts text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const bytes = new TextEncoder().encode(value)
      expect(countCharacters(bytes)).toBe(counted(bytes))
    }),
  )
})
