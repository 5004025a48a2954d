import { InvariantError } from '@tollgate/contract'
import { describe, expect, it, test } from 'vitest'
import { fieldsOf, original } from './testing/requests.ts'

// Columns: the operation, the processing code, field 3.
test.each([
  ['PA', undefined, '000000'],
  ['PA', 'PURCHASE', '000000'],
  ['PA', 'FUNDING', '100000'],
  ['DB', undefined, '000000'],
  ['DB', 'FUNDING', '100000'],
  ['DB', 'PAYMENT', '000000'],
  ['CD', undefined, '200000'],
  ['CD', 'PURCHASE', '200000'],
  ['CD', 'PAYMENT', '260000'],
  ['CP', undefined, '000000'],
  ['CP', 'FUNDING', '100000'],
  ['RV', undefined, '000000'],
  ['RF', undefined, '200000'],
  ['RF', 'PAYMENT', '200000'],
  ['DB', 'toString', '000000'],
] as const)('field 3 of %s for the processing code %s', (operation, purpose, code) => {
  expect(fieldsOf({ operation }, purpose && { transactionProcessingCode: purpose })[3]).toBe(code)
})

describe('a reversal', () => {
  const remaining = '000000006000'
  const nothingElse = '000000000000C00000000C00000000'

  test.each([
    // reversed, amount of the original, fields 4, 39 and 95
    [9_200, undefined, '000000009200', '17', undefined],
    [9_200, 9_200, '000000009200', '17', undefined],
    [3_200, 9_200, '000000009200', '32', `${remaining}${nothingElse}`],
    [12_000, 9_200, '000000009200', '17', undefined],
  ] as const)('of %i from %s', (amountMinor, originalAmountMinor, amount, reason, replacement) => {
    const fields = fieldsOf({ operation: 'RV', amountMinor }, {}, { ...original, originalAmountMinor })
    expect([fields[4], fields[39], fields[95]]).toEqual([amount, reason, replacement])
  })

  it('is the only message with the amount of the original', () => {
    const fields = fieldsOf({ operation: 'CP', amountMinor: 3_200 }, {}, { ...original, originalAmountMinor: 9_200 })
    expect([fields[4], fields[39], fields[95]]).toEqual(['000000003200', '00', undefined])
  })
})

test.each([
  ['EUR', '978'],
  ['JPY', '392'],
  ['KWD', '414'],
  ['ALL', '008'],
] as const)('field 49 for %s', (currency, code) => {
  expect(fieldsOf({ currency })[49]).toBe(code)
})

it('refuses an unknown currency as a defect', () => {
  expect(() => fieldsOf({ currency: 'ZZZ' })).toThrow(InvariantError)
})
