import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isArchive } from '@tollgate/domain'
import { sampleFiles } from './testing/sample-files.ts'

const tar = Buffer.alloc(512)
tar.write('north.csv')
tar.write('ustar', 257)

test.each([
  ['ZIP', Buffer.from('PK\u0003\u0004...', 'latin1')],
  ['an empty ZIP', Buffer.from('PK\u0005\u0006...', 'latin1')],
  ['gzip', gzipSync('one')],
  ['bzip2', Buffer.from('BZh91AY')],
  ['xz', Buffer.from('fd377a585a00', 'hex')],
  ['Zstandard', Buffer.from('28b52ffd', 'hex')],
  ['7z', Buffer.from('377abcaf271c', 'hex')],
  ['RAR', Buffer.from('Rar!')],
  ['tar', tar],
])('%s is an archive', (_, bytes) => {
  expect(isArchive(bytes)).toBe(true)
})

test.each(sampleFiles)('a file of the format %s is none', (_, bytes) => {
  expect(isArchive(bytes)).toBe(false)
})

test('a file without content is none', () => {
  expect(isArchive(Buffer.alloc(0))).toBe(false)
})
