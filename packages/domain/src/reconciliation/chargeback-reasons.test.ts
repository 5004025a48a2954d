import { chargebackReasons } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { chargebackReasonOf, disputeNetworksOf } from './chargeback-reasons.ts'

test.each([
  ['VISA', ['VISA']],
  ['VISADEBIT', ['VISA']],
  ['AXP', ['AMEX']],
  ['MAESTRO', ['MASTER']],
  ['DINERS', ['DISCOVER']],
  ['CARTEBANCAIRE', ['VISA', 'MASTER']],
  ['DIRECTDEBIT_SEPA', ['SEPA']],
  ['APPLEPAY', ['VISA', 'MASTER', 'AMEX', 'DISCOVER']],
  ['JCB', ['VISA', 'MASTER', 'AMEX', 'DISCOVER']],
  [undefined, ['VISA', 'MASTER', 'AMEX', 'DISCOVER']],
])('payments of %s are disputed by the rules of %j', (brand, networks) => {
  expect(disputeNetworksOf(brand)).toEqual(networks)
})

test.each([
  ['VISA', '10.4', '000.100.220'],
  ['VISA', ' 13.1 ', '000.100.221'],
  ['MASTER', '4853', '000.100.223'],
  ['MAESTRO', '4837', '000.100.220'],
  ['AMEX', 'c08', '000.100.221'],
  ['DISCOVER', 'RN2', '000.100.225'],
  ['CARTEBANCAIRE', '4834', '000.100.224'],
  ['DIRECTDEBIT_SEPA', 'MD06', '000.100.206'],
  ['DIRECTDEBIT_SEPA', 'AC04', '000.100.202'],
  // A reason of another network is unknown.
  ['VISA', '4853', '000.100.200'],
  ['VISA', 'AC04', '000.100.200'],
  ['VISA', 'constructor', '000.100.200'],
  ['VISA', undefined, '000.100.200'],
  ['DIRECTDEBIT_SEPA', '10.4', '000.100.299'],
  ['DIRECTDEBIT_SEPA', undefined, '000.100.299'],
  [undefined, 'UA02', '000.100.220'],
])('a chargeback of %s with reason %j is %s', (brand, reason, resultCode) => {
  expect(chargebackReasonOf(brand, reason).resultCode).toBe(resultCode)
})

test.each([
  ['VISA', '10.4', '05', '000.100.232'],
  ['MASTER', '4837', '02', '000.100.232'],
  ['CARTEBANCAIRE', '4837', '01', '000.100.232'],
  ['VISA', '10.4', '07', '000.100.220'],
  ['VISA', '13.1', '05', '000.100.221'],
  ['VISA', undefined, '05', '000.100.200'],
])('a chargeback of %s with reason %j after an authentication with %s is %s', (brand, reason, eci, resultCode) => {
  expect(chargebackReasonOf(brand, reason, eci).resultCode).toBe(resultCode)
})

test('no two networks of cards have a reason in common', () => {
  const { VISA, MASTER, AMEX, DISCOVER } = chargebackReasons
  const reasons = [VISA, MASTER, AMEX, DISCOVER].flatMap((table) => Object.keys(table))
  expect(new Set(reasons).size).toBe(reasons.length)
})
