import { outcomeOf } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { resultOfAuthentication } from './standalone-result.ts'
import { authenticationOutcomes } from './authentication-effect.ts'

const flows = ['frictionless', 'challenge'] as const

test.each(authenticationOutcomes)('the outcome %s is a success if it is Y, A or I, else a rejection', (outcome) => {
  const isSuccess = outcome === 'Y' || outcome === 'A' || outcome === 'I'
  for (const flow of flows) {
    const { code, reason } = resultOfAuthentication(outcome, flow, { unauthenticated: 'continue' })
    expect([flow, outcomeOf(code)]).toEqual([flow, isSuccess ? 'success' : 'rejected'])
    expect(reason).not.toBe('')
  }
})

test('the result code of the outcome U depends on the setting `unauthenticated` of the channel', () => {
  const codes = (['continue', 'fail'] as const).map(
    (unauthenticated) => resultOfAuthentication('U', 'frictionless', { unauthenticated }).code,
  )
  expect(codes).toEqual(['000.400.101', '100.390.112'])
})
