import { isResultCode, resultCodes } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { type FailedAttempt, mayTryNext } from './next-connector.ts'

const attempts: readonly [title: string, attempt: FailedAttempt, next: boolean][] = [
  ['nothing was sent', { code: '900.100.600', advice: undefined }, true],
  ['the outcome is unknown', { code: '900.100.300', advice: undefined }, false],
  ['a timeout was reversed', { code: '900.100.301', advice: undefined }, false],
  ['the issuer is not reached', { code: '900.100.400', advice: undefined }, true],
  ['the issuer is not reached, and advises to wait', { code: '900.100.400', advice: '02' }, false],
  ['the issuer is not reached, with a fact about the card', { code: '900.100.400', advice: '40' }, true],
  ['the issuer forbids another attempt', { code: '900.100.200', advice: '03' }, false],
  ['the issuer needs other data', { code: '900.100.200', advice: '01' }, false],
  ['an unknown advice', { code: '900.100.200', advice: '99' }, true],
  ['the issuer declines', { code: '800.100.155', advice: undefined }, false],
  ['the issuer demands authentication', { code: '300.100.100', advice: undefined }, false],
]

test.each(attempts)('%s', (_, attempt, next) => {
  expect(mayTryNext(attempt)).toBe(next)
})

test('a decline is tried elsewhere only if its code is of the communication with the acquirer', () => {
  const codes = Object.keys(resultCodes).filter(isResultCode)
  const tried = codes.filter((code) => mayTryNext({ code, advice: undefined }))
  expect(tried.map((code) => resultCodes[code].group)).toEqual(tried.map(() => 'communication'))
  expect(tried.every((code) => resultCodes[code].retriable)).toBe(true)
})
