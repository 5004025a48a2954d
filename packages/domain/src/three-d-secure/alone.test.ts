import { outcomeOf } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { resultOfAuthentication } from './alone.ts'
import { authenticationOutcomes } from './consequence.ts'

const flows = ['frictionless', 'challenge'] as const

test.each(authenticationOutcomes)(
  '%s succeeds only where something may be paid on the word of the issuer',
  (outcome) => {
    const isGood = outcome === 'Y' || outcome === 'A' || outcome === 'I'
    for (const flow of flows) {
      const { code, reason } = resultOfAuthentication(outcome, flow, { unauthenticated: 'continue' })
      expect([flow, outcomeOf(code)]).toEqual([flow, isGood ? 'success' : 'rejected'])
      expect(reason).not.toBe('')
    }
  },
)

test('a channel that lets nobody pay unauthenticated is told so in another way', () => {
  const codes = (['continue', 'fail'] as const).map(
    (unauthenticated) => resultOfAuthentication('U', 'frictionless', { unauthenticated }).code,
  )
  expect(codes).toEqual(['000.400.101', '100.390.112'])
})
