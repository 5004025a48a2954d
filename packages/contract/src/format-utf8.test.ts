import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCharacters } from './format-utf8.ts'
import { codePoint } from './testing/code-point.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The expected result: the number of code points, or -1 for invalid UTF-8 and forbidden control characters. */
function countDecoded(bytes: Uint8Array): number {
  try {
    const text = utf8.decode(bytes)
    // oxlint-disable-next-line no-control-regex
    return /[\0-\x08\v\f\x0e-\x1f\x7f]/.test(text) ? -1 : Array.from(text).length
  } catch {
    return -1
  }
}

test('countCharacters agrees with a decoder on valid and invalid bytes at the boundaries of UTF-8', () => {
  const edges = [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0]
  const wrong: number[][] = []
  for (let lead = 0; lead < 256; lead++) {
    for (const second of edges) {
      for (const third of edges) {
        for (const bytes of [
          [lead, second],
          [lead, second, third],
          [lead, second, third, 0xbf],
          [0x41, lead, second, third],
        ]) {
          if (countCharacters(Uint8Array.from(bytes)) !== countDecoded(Uint8Array.from(bytes))) wrong.push(bytes)
        }
      }
    }
  }
  expect(wrong).toEqual([])
})

test('countCharacters agrees with a decoder on any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (value) => {
      const bytes = new TextEncoder().encode(value)
      expect(countCharacters(bytes)).toBe(countDecoded(bytes))
    }),
  )
})
