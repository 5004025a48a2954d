import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'
import type { FileFormat } from './file-entry.ts'
import { readSettlementFile } from './read-settlement-file.ts'
import { readBytes, readText } from './testing/read-text.ts'
import { sampleFile, sampleFiles } from './testing/sample-files.ts'

async function lastOf(format: FileFormat, chunks: Iterable<Uint8Array>) {
  let last
  for await (const entries of readSettlementFile(format, chunks)) last = entries.at(-1) ?? last
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

  it('has no card number in the texts of its rows', async () => {
    const text = sample
      .toString()
      .replaceAll(/"?Muster.*?hne"?/g, (found) => 'Card 4111111111111111'.padEnd(found.length))
    const rows = (await readText(format, text)).flatMap((entry) => (entry.kind === 'row' ? [entry.row] : []))
    expect(rows.map(({ descriptor }) => descriptor?.trim())).toStrictEqual(rows.map(() => 'Card ****************'))
    expect(rows).toHaveLength(3)
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
      for await (const entries of readSettlementFile(format, chunks()))
        expect(entries.map(({ kind }) => kind)).not.toContain('summary')
    }
    await expect(read()).rejects.toThrow('connection reset')
  })
})

it('an empty file is a fault in every format', async () => {
  for (const [format] of sampleFiles)
    expect((await readText(format, '')).map(({ kind }) => kind)).toStrictEqual(['fault'])
})

it('a file larger than the bound is a fault, before its surplus is read', async () => {
  let chunkCount = 0
  const endless = function* () {
    for (;;) {
      chunkCount++
      yield new Uint8Array(1_000).fill(0x20)
    }
  }
  const read = []
  for await (const part of decodeText(endless(), 200_000)) read.push(part)
  expect(read.slice(0, -1).every((part) => 'piece' in part)).toBe(true)
  expect(read.at(-1)).toStrictEqual({ reason: 'FILE_SIZE' })
  expect(chunkCount).toBeLessThan(300)
})
