import { expect, test } from 'vitest'
import { type ChargebackReason, chargebackReasons, liabilityShifted } from './chargeback-reasons.ts'
import { unknownChargebackReason } from './chargeback-reasons.ts'
import { sepaRejectReasons } from './sepa-reject-reasons.ts'

const reasons = (network: keyof typeof chargebackReasons): readonly string[] => Object.keys(chargebackReasons[network])

test.each([
  ['VISA', 24, /^1[0-3]\.[1-9]$/],
  ['MASTER', 17, /^48[0-9]{2}$/],
  ['AMEX', 15, /^[ACFP][0-9]{2}$/],
  ['DISCOVER', 9, /^[A-Z]{2}(2|02)?$/],
  ['SEPA', 33, /^[A-Z]{2}([0-9]{2}|[A-Z]{2})$/],
] as const)('%s has %i reasons, sorted', (network, count, form) => {
  expect(reasons(network)).toHaveLength(count)
  expect(reasons(network)).toEqual(reasons(network).toSorted())
  expect(reasons(network).filter((reason) => !form.test(reason))).toEqual([])
})

test('every reason has a chargeback code (contract: 000.100.2 followed by two digits) and fits ReasonDesc', () => {
  const all: readonly ChargebackReason[] = [
    ...Object.values(chargebackReasons).flatMap((table) => Object.values(table)),
    ...Object.values(unknownChargebackReason),
    liabilityShifted,
  ]
  expect(all.filter(({ resultCode }) => !/^000\.100\.2[0-9]{2}$/.test(resultCode))).toEqual([])
  expect(all.filter(({ text }) => text.length === 0 || text.length > 128)).toEqual([])
})

test('SEPA has every reason of a rejection, with the code of a chargeback', () => {
  expect(reasons('SEPA')).toEqual(expect.arrayContaining(Object.keys(sepaRejectReasons)))
  expect(chargebackReasons.SEPA['AM04']).toEqual({ resultCode: '000.100.203', text: 'Not enough funds' })
  expect(chargebackReasons.SEPA['MD06']?.resultCode).toBe('000.100.206')
})
