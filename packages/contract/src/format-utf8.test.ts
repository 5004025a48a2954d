import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCharacters } from './format-utf8.ts'
import { codePoint } from './testing/code-point.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function countDecoded(bytes: Uint8Array): number {
  try {
    const text = utf8.decode(bytes)
    // oxlint-disable-next-line no-control-regex
    return /[\0-\x08\v\f\x0e-\x1f\x7f]/.test(text) ? -1 : Array.from(text).length
  } catch {
    return -1
  }
}

test('countCharacters counts the same code points as a decoder, at every boundary of the encoding', () => {
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

test('countCharacters counts the code points of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (value) => {
      const bytes = new TextEncoder().encode(value)
      expect(countCharacters(bytes)).toBe(countDecoded(bytes))
    }),
  )
})
