import { expect, test } from 'vitest'
import { merchantAdviceCodes } from './merchant-advice-codes.ts'
import { resultCodes } from './result-codes.ts'

const rows = Object.entries(merchantAdviceCodes)

test('the table has 17 advice codes of two digits', () => {
  expect(rows).toHaveLength(17)
  for (const [code] of rows) expect(code).toMatch(/^\d\d$/)
})

test('a block code ends in the advice code, and every advice except class info has one', () => {
  const expected = rows.map(([code, row]) => (row.class === 'info' ? undefined : code))
  expect(rows.map(([, { blockCode }]) => blockCode?.replace(/^700\.60[01]\.0/, ''))).toEqual(expected)
})

test('exactly the block codes of class retry can be retried, each after a number of hours', () => {
  const retried = rows.filter(([, row]) => row.class === 'retry')
  const blocks = rows.filter(([, { blockCode }]) => blockCode !== undefined && resultCodes[blockCode].retriable)
  expect(blocks).toEqual(retried)
  expect(retried.filter(([, { blockedHours = 0 }]) => blockedHours <= 0)).toEqual([])
})
