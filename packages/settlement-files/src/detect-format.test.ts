import { expect, it } from 'vitest'
import { detectFormat } from './detect-format.ts'
import { sampleFiles } from './testing/sample-files.ts'

it.each(sampleFiles)('%s is detected by its first bytes', (format, bytes) => {
  expect(detectFormat(bytes)).toBe(format)
  expect(detectFormat(Buffer.concat([Buffer.from('\uFEFF'), bytes]))).toBe(format)
  expect(detectFormat(bytes.subarray(0, 200))).toBe(format)
})

it.each([
  ['nothing', ''],
  ['another CSV', 'TOLLGATE,1'],
  ['another XML', '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"/>'],
  ['binary data', '\u0000\u0001'],
  ['a name far behind the start', ' '.repeat(5_000) + 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'],
])('%s is none of the formats', (_, text) => expect(detectFormat(Buffer.from(text))).toBeUndefined())
