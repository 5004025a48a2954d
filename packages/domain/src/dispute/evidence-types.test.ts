import { chargebackReasons, resultCodes } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { evidenceFor, evidenceKinds } from './evidence-kinds.ts'
import { evidenceTypeOf } from './evidence-types.ts'

const bytes = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(' ', ''), 'hex')

test.each<[name: string, content: Uint8Array, type: string | undefined]>([
  ['PDF', Buffer.from('%PDF-1.7\n\u0000'), 'application/pdf'],
  ['PNG', bytes('89504e47 0d0a1a0a 0000'), 'image/png'],
  ['PNG without its line ends', bytes('89504e47 0a1a0a00'), undefined],
  ['JPEG', bytes('ffd8ffe0 0010'), 'image/jpeg'],
  ['TIFF', bytes('49492a00 08000000'), undefined],
  ['text', Buffer.from('Lieferung an Jürgen\r\n\tam 1. Mai\f'), 'text/plain'],
  ['a page, which is text', Buffer.from('<html><script>'), 'text/plain'],
  ['text with a null character', Buffer.from('a\u0000b'), undefined],
  ['text with an escape character', Buffer.from('a\u001b[2Jb'), undefined],
  ['text in Latin-1', bytes('4afc72'), undefined],
  ['ZIP', bytes('504b0304 1400'), 'archive'],
  ['an empty ZIP', bytes('504b0506 0000'), 'archive'],
  ['gzip', bytes('1f8b0800'), 'archive'],
  ['RAR', bytes('526172211a070100'), 'archive'],
  ['7z', bytes('377abcaf271c0004'), 'archive'],
  ['bzip2', bytes('425a68393141'), 'archive'],
  ['xz', bytes('fd377a585a000004'), 'archive'],
  ['Zstandard', bytes('28b52ffd0458'), 'archive'],
  ['a program', bytes('7f454c46 0201'), undefined],
  ['GIF', Buffer.from('GIF89a\u0001\u0000'), undefined],
  ['nothing', bytes(''), undefined],
])('%s', (_name, content, type) => {
  expect(evidenceTypeOf(content)).toBe(type)
})

test('evidence is named for the reasons of all networks', () => {
  const codes = Object.values(chargebackReasons).flatMap((reasons) => Object.values(reasons))
  for (const { resultCode } of codes) {
    expect(resultCodes).toHaveProperty([resultCode])
    expect(evidenceKinds).toEqual(expect.arrayContaining([...evidenceFor(resultCode)]))
  }
  expect(evidenceFor('000.100.221')[0]).toBe('proofOfDelivery')
  expect(evidenceFor(undefined)).toEqual(['receipt', 'correspondence'])
})
