import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileFormat, FileSummary } from './file-entry.ts'
import { FaultError, type FileFault } from './file-fault.ts'
import { formats } from './formats.ts'
import { readBytes } from './testing/read-text.ts'
import { sampleFiles } from './testing/sample-files.ts'

/** A mutation of a file: bytes at a place, given as a share of its length, are replaced by others. */
interface Mutation {
  readonly place: number
  readonly removed: number
  readonly inserted: Uint8Array
}

/** Parts of the four formats, so that mutations reach the rules behind the syntax. */
const fragments = [
  '\0',
  '\n',
  '\r\n',
  ';',
  '"',
  '""',
  '9'.repeat(30),
  '-1',
  '1e9',
  '2026-02-30',
  'XXX',
  'JPY',
  'END;3',
  'TOTAL;EUR;POS;1;1.00',
  'FT',
  'BH00000002',
  '<',
  '>',
  '&',
  '&lol;',
  '&#xD800;',
  '<!DOCTYPE a [<!ENTITY b "b">]>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '<?xml version="1.1"?>',
  '</Ntry>',
  '<Ntry>',
  '<TxDtls/>',
  '<Amt Ccy="EUR">1</Amt>',
  'xmlns="urn:x"',
  '\u{1F600}',
].map((text) => new Uint8Array(Buffer.from(text)))

const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(300)),
  inserted: fc.oneof(fc.constantFrom(...fragments), fc.uint8Array({ maxLength: 4 })),
})

const mutate = (bytes: Uint8Array, { place, removed, inserted }: Mutation): Uint8Array => {
  const start = Math.floor(place * bytes.length)
  return Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(start + removed)])
}

describe.each(sampleFiles)('%s', (format, sample) => {
  it('that is mutated at random has rows and then a summary or a fault, in chunks of any length', async () => {
    let faultCount = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(1, 7, 5_000),
        async (mutations, chunkBytes) => {
          const bytes = mutations.reduce(mutate, sample)
          const entries = await readBytes(format, bytes, chunkBytes)
          const kinds = new Set(entries.slice(0, -1).map(({ kind }) => kind))
          expect([...kinds].filter((kind) => kind !== 'row' && kind !== 'bank entry')).toStrictEqual([])
          const last = entries.at(-1)
          expect(['summary', 'fault']).toContain(last?.kind)
          if (last?.kind === 'fault') faultCount++
        },
      ),
      { numRuns: 500 },
    )
    expect(faultCount).toBeGreaterThan(100)
  })

  it('never contains a value in its fault', async () => {
    await fc.assert(
      fc.asyncProperty(mutation, async (change) => {
        const secret = '4111111111111111'
        const inserted = new Uint8Array(Buffer.from(secret))
        const entries = await readBytes(format, mutate(sample, { ...change, inserted }))
        const faults = entries.filter(({ kind }) => kind === 'fault')
        expect(JSON.stringify(faults)).not.toContain(secret)
      }),
    )
  })

  it('has the same fault or summary in chunks of any length', async () => {
    await fc.assert(
      fc.asyncProperty(mutation, fc.integer({ min: 1, max: 50 }), async (change, length) => {
        const bytes = mutate(sample, change)
        expect(await readBytes(format, bytes, length)).toStrictEqual(await readBytes(format, bytes, 100_000))
      }),
    )
  })

  it('has the same fault or summary in pieces of any length', () => {
    fc.assert(
      fc.property(mutation, fc.integer({ min: 1, max: 50 }), (change, length) => {
        const text = Buffer.from(mutate(sample, change)).toString()
        const whole = readPieces(format, [text])
        const pieces = text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []
        const last = readPieces(format, pieces)
        // The parser of XML does not know the start of a text that is no part of an element.
        expect(last).toMatchObject(format.startsWith('camt') ? { kind: whole.kind } : whole)
      }),
    )
  })
})

/** The summary or fault of a text in pieces. */
function readPieces(format: FileFormat, pieces: readonly string[]): FileSummary | FileFault {
  const reader = formats[format].createReader()
  try {
    for (const piece of pieces) reader.read(piece)
    return reader.end()
  } catch (error) {
    if (error instanceof FaultError) return error.fault
    throw error
  }
}
