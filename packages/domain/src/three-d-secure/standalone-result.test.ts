import { outcomeOf } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { resultOfAuthentication } from './standalone-result.ts'
import { authenticationOutcomes } from './authentication-effect.ts'

const flows = ['frictionless', 'challenge'] as const

test.each(authenticationOutcomes)('%s succeeds only if a payment may follow', (outcome) => {
  const isGood = outcome === 'Y' || outcome === 'A' || outcome === 'I'
  for (const flow of flows) {
    const { code, reason } = resultOfAuthentication(outcome, flow, { unauthenticated: 'continue' })
    expect([flow, outcomeOf(code)]).toEqual([flow, isGood ? 'success' : 'rejected'])
    expect(reason).not.toBe('')
  }
})

test('the code of U follows the policy of the channel', () => {
  const codes = (['continue', 'fail'] as const).map(
    (unauthenticated) => resultOfAuthentication('U', 'frictionless', { unauthenticated }).code,
  )
  expect(codes).toEqual(['000.400.101', '100.390.112'])
})
