import { isResultCode, outcomeOf, resultCodes } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { isOfTestMode, resultOf } from './result-code.ts'

test('a known code is kept', () => {
  for (const code of Object.keys(resultCodes).filter(isResultCode)) {
    expect(resultOf(code)).toEqual({ code, outcome: outcomeOf(code) })
  }
})

test.each([
  ['000.000.777', '000.000.000', 'success'],
  ['000.100.199', '000.100.110', 'success'],
  ['000.300.999', '000.000.000', 'success'],
  ['000.600.999', '000.000.000', 'success'],
  ['000.400.999', '999.999.999', 'rejected'],
  ['000.400.011', '000.400.000', 'review'],
  ['000.400.031', '999.999.999', 'rejected'],
  ['000.200.999', '000.200.000', 'pending'],
  ['800.400.599', '800.400.500', 'pending'],
  ['800.100.999', '999.999.999', 'rejected'],
  ['000', '999.999.999', 'rejected'],
])('the unknown code %s is %s, %s', (text, code, outcome) => {
  expect(resultOf(text)).toEqual({ code, outcome })
})

test('only successes of a test mode count as such', () => {
  expect(['000.100.110', '000.100.112', '000.000.000', '000.200.000'].map(isOfTestMode)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
