import { expect, test } from 'vitest'
import { environmentRefusal } from './live-request.ts'

test.each([
  ['test', 'INTERNAL', undefined],
  ['test', undefined, undefined],
  ['live', undefined, undefined],
  ['live', 'INTERNAL', '600.200.701'],
  ['live', 'EXTERNAL', '600.200.701'],
] as const)('in %s, a request with testMode %s is refused with %s', (environment, testMode, code) => {
  expect(environmentRefusal({ environment, testMode })?.code).toBe(code)
})
