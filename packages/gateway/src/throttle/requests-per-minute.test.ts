import { operations } from '@tollgate/contract'
import { limits } from '@tollgate/operations'
import { expect, test } from 'vitest'
import { requestsPerMinute } from './requests-per-minute.ts'

test.each(Object.entries(requestsPerMinute))('%s has permitted limits, lower in live', (name, values) => {
  expect(Object.keys(operations)).toContain(name)
  for (const value of Object.values(values)) {
    expect(Number.isInteger(value) && value >= 1 && value <= limits.requestsPerMinuteMax).toBe(true)
  }
  expect(values.live).toBeLessThan(values.test)
})
