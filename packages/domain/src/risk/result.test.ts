import { outcomeOf, type ResultCode } from '@tollgate/contract'
import { expect, it } from 'vitest'
import { resultAfterCheck, riskCheckCodes } from './result.ts'
import type { RiskVerdict } from './rules.ts'

it('the codes of the verdicts accept, review and reject have the outcomes success, review and rejected', () => {
  const outcomes = Object.entries(riskCheckCodes).map(([verdict, code]) => [verdict, outcomeOf(code)])
  expect(Object.fromEntries(outcomes)).toEqual({ accept: 'success', review: 'review', reject: 'rejected' })
})

it.each<[verdict: RiskVerdict, answered: ResultCode, result: ResultCode]>([
  ['accept', '000.100.110', '000.100.110'],
  ['review', '000.100.110', '000.400.000'],
  ['review', '000.000.000', '000.400.000'],
  ['review', '000.400.010', '000.400.010'],
  ['review', '000.200.000', '000.200.000'],
  ['review', '800.100.151', '800.100.151'],
])('the verdict %s after the acquirer’s result %s gives %s', (verdict, answered, result) => {
  expect(resultAfterCheck(verdict, answered)).toBe(result)
})
