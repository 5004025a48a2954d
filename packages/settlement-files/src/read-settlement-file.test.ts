import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'
import type { FileFormat } from './file-entry.ts'
import { limits } from './limits.ts'
import { readSettlementFile } from './read-settlement-file.ts'
import { readBytes, readText } from './testing/read-text.ts'
import { sampleFile, sampleFiles } from './testing/sample-files.ts'

async function lastOf(format: FileFormat, chunks: Iterable<Uint8Array>) {
  let last
  for await (const entry of readSettlementFile(format, chunks)) last = entry
  return last
}

describe.each(sampleFiles)('%s', (format, sample) => {
  it('can be one chunk, or a chunk for each byte, with empty chunks between', async () => {
    const whole = await readBytes(format, sample, sample.length)
    expect(whole.at(-1)).toMatchObject({ kind: 'summary', rowCount: 3 })
    const bytes = Array.from(sample, (byte) => [new Uint8Array(), Uint8Array.of(byte)]).flat()
    expect(await lastOf(format, bytes)).toStrictEqual(whole.at(-1))
  })

  it('is truncated wherever it ends', async () => {
    const { length } = sample.toString().trimEnd()
    for (let end = 0; end < length; end += 97) {
      expect((await readBytes(format, sample.subarray(0, end))).at(-1)?.kind).toBe('fault')
    }
  })

  it('has many rows in one chunk', async () => {
    const bytes = sampleFile(format, 2_000)
    expect(await lastOf(format, [bytes])).toMatchObject({ kind: 'summary', rowCount: 2_001 })
  })

  it('does not begin with another format', async () => {
    for (const [other, bytes] of sampleFiles) {
      if (other !== format) expect((await readBytes(format, bytes)).at(-1)?.kind).toBe('fault')
    }
  })

  it('passes on the errors of its chunks', async () => {
    const chunks = async function* () {
      yield sample.subarray(0, 50)
      throw new Error('connection reset')
    }
    const read = async () => {
      for await (const entry of readSettlementFile(format, chunks())) expect(entry.kind).not.toBe('summary')
    }
    await expect(read()).rejects.toThrow('connection reset')
  })
})

it('an empty file is a fault in every format', async () => {
  for (const [format] of sampleFiles)
    expect((await readText(format, '')).map(({ kind }) => kind)).toStrictEqual(['fault'])
})

it('a file larger than the bound is a fault after its last whole line', async () => {
  const line = Buffer.from(`${'x'.repeat(8_000)}\n`)
  const decoded = decodeText(Array.from({ length: Math.ceil(limits.fileBytesMax / 8_000) }, () => line))
  let last
  for await (const part of decoded) last = part
  expect(last).toStrictEqual({ reason: 'FILE_SIZE' })
})
