import { expect, test } from 'vitest'
import { merchantAdviceCodes } from './merchant-advice-codes.ts'
import { resultCodes } from './result-codes.ts'

const rows = Object.entries(merchantAdviceCodes)

test('17 advices of two digits', () => {
  expect(rows).toHaveLength(17)
  for (const [code] of rows) expect(code).toMatch(/^\d\d$/)
})

test('a block code ends in the advice code, and can be retried exactly when the advice is to retry', () => {
  for (const [code, { class: advice, blockCode }] of rows) {
    expect(blockCode === undefined, code).toBe(advice === 'info')
    if (blockCode === undefined) continue
    expect(blockCode).toMatch(new RegExp(`^700\\.60[01]\\.0${code}$`))
    expect(resultCodes[blockCode].group).toBe('retryBlock')
    expect(resultCodes[blockCode].retriable, code).toBe(advice === 'retry')
  }
})

test('every advice to retry says after how long', () => {
  for (const [code, row] of rows) if (row.class === 'retry') expect(row.blockedHours, code).toBeGreaterThan(0)
})
