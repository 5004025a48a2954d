import { expect, test } from 'vitest'
import { declineReasonOf, declineReasons, isConfidentialDecline } from './decline-reasons.ts'
import { isResultCode, outcomeOf, resultCodes } from './result-codes.ts'

const codes = Object.keys(resultCodes).filter(isResultCode)

test.each([
  ['800.100.153', 'cvv'],
  ['100.100.601', 'cvv'],
  ['800.100.157', 'expiry'],
  ['100.100.303', 'expiry'],
  ['800.100.151', 'number'],
  ['100.100.101', 'number'],
  ['800.100.155', 'funds'],
  ['100.380.401', 'authentication'],
  ['100.390.112', 'authentication'],
  ['100.396.101', 'cancelled'],
  ['900.100.301', 'later'],
] as const)('%s has the decline reason %s', (code, reason) => expect(declineReasonOf(code)).toBe(reason))

test.each([
  ...([
    '800.100.152',
    '800.100.158',
    '800.100.159',
    '800.100.160',
    '800.100.161',
    '800.100.165',
    '800.100.171',
  ] as const),
  ...([
    '800.200.159',
    '800.200.165',
    '800.300.101',
    '800.300.401',
    '800.300.500',
    '100.390.118',
    '100.380.100',
  ] as const),
])('%s is generic: its reason is unknown or would help a thief', (code) =>
  expect(declineReasonOf(code)).toBe('generic'),
)

test('every decline has a reason, and no other code has one', () => {
  for (const code of codes) {
    expect([code, declineReasonOf(code) !== undefined]).toEqual([code, outcomeOf(code) === 'rejected'])
  }
})

test('every reason is the reason of a code', () => {
  const used = new Set<string | undefined>(codes.map(declineReasonOf))
  expect(Object.keys(declineReasons).filter((reason) => !used.has(reason))).toEqual([])
})

test.each([
  ['800.100.159', true],
  ['800.100.158', true],
  ['800.100.152', true],
  ['800.200.159', true],
  ['100.380.100', true],
  ['100.390.118', true],
  ['800.100.153', false],
  ['800.100.155', false],
  ['800.130.100', false],
  ['200.300.404', false],
  ['000.100.110', false],
] as const)('isConfidentialDecline(%s) is %s', (code, confidential) =>
  expect(isConfidentialDecline(code)).toBe(confidential),
)
