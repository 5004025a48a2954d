import type { DisputeNetwork } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { isLiabilityShifted } from './liability-shift.ts'

test.each<[DisputeNetwork | undefined, eci: string | undefined, reason: string | undefined, code: string, boolean]>([
  ['VISA', '05', '10.4', '000.100.220', true],
  ['VISA', '06', '10.4', '000.100.220', true],
  ['VISA', '07', '10.4', '000.100.220', false],
  ['VISA', undefined, '10.4', '000.100.220', false],
  ['VISA', '05', '10.5', '000.100.220', false],
  ['VISA', '05', '13.1', '000.100.221', false],
  ['VISA', '02', '10.4', '000.100.220', false],
  ['VISA', '05', undefined, '000.100.220', true],
  ['VISA', '05', undefined, '000.100.221', false],
  ['MASTER', '02', '4837', '000.100.220', true],
  ['MASTER', '01', '4863', '000.100.222', true],
  ['MASTER', '06', '4837', '000.100.220', false],
  ['MASTER', '02', '4853', '000.100.223', false],
  ['AMEX', '05', 'F29', '000.100.220', true],
  ['AMEX', '05', 'C08', '000.100.221', false],
  ['DISCOVER', '06', 'ua02', '000.100.220', true],
  ['DISCOVER', '05', 'AA', '000.100.222', true],
  ['SEPA', '05', 'FRAD', '000.100.220', false],
  [undefined, '05', undefined, '000.100.220', false],
])('%s, ECI %s, reason %s, code %s: %s', (network, eci, reason, resultCode, isShifted) => {
  expect(isLiabilityShifted(network, eci, { reason, resultCode })).toBe(isShifted)
})
