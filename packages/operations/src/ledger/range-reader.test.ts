import { transactionRow } from '@tollgate/gateway/testing'
import type { TransactionRow } from '@tollgate/storage'
import { expect, test } from 'vitest'
import { createRangeReader } from './range-reader.ts'

const idsOf = (rows: readonly TransactionRow[]) => rows.map(({ id }) => id)

function readerOf() {
  const reads: string[] = []
  let failures = 0
  const read = (name: string, id: string) => async (start: string, end: string, max: number) => {
    reads.push(`${name} ${start} ${end} ${max}`)
    if (failures-- > 0) throw new Error('no connection')
    return [transactionRow({ id: `${start}${id}` })]
  }
  const reader = createRangeReader({ rootsFrom: read('roots', '2'), childrenFrom: read('children', '1') })
  return { reader, reads, failOnce: () => (failures = 1) }
}

const range = { start: 'a', end: 'z', max: 2 }

test('roots and children are read in the order of their ids, at most the maximum', async () => {
  const { reader } = readerOf()
  expect(idsOf(await reader.read(range))).toEqual(['a1', 'a2'])
  expect(idsOf(await reader.read({ ...range, max: 1 }))).toEqual(['a1'])
})

test('a range that was read ahead is not read again', async () => {
  const { reader, reads } = readerOf()
  reader.readAhead(range)
  expect(idsOf(await reader.read(range))).toEqual(['a1', 'a2'])
  expect(reads.length).toBe(2)
  await reader.read(range)
  expect(reads.length).toBe(4)
})

test.each([{ start: 'b' }, { end: 'y' }, { max: 3 }])(
  'a range other than the expected one is read: %j',
  async (other) => {
    const { reader } = readerOf()
    reader.readAhead(range)
    const rows = await reader.read({ ...range, ...other })
    expect(rows[0]?.id).toBe(`${other.start ?? 'a'}1`)
  },
)

test('a failure to read ahead is that of the next read', async () => {
  const { reader, failOnce } = readerOf()
  failOnce()
  reader.readAhead(range)
  await expect(reader.read(range)).rejects.toThrow('no connection')
  expect(idsOf(await reader.read(range))).toEqual(['a1', 'a2'])
})
