import { expect, test } from 'vitest'
import { bytesOf } from './content.ts'

test('bytes are zeros of their own, also as parts of a shared buffer', () => {
  const lengths = Array.from({ length: 200 }, (_, index) => (index * 37) % 1_100)
  const parts = lengths.map((length, index) => {
    const bytes = bytesOf(length)
    expect([bytes.length, bytes.every((byte) => byte === 0)]).toEqual([length, true])
    return bytes.fill(index + 1)
  })
  for (const [index, bytes] of parts.entries()) expect(bytes.every((byte) => byte === index + 1)).toBe(true)
})

test('long values have a buffer of their own', () => {
  expect(bytesOf(1_025).buffer.byteLength).toBe(1_025)
})
