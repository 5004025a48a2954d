import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { expiryError, expiryOf, ibanError, inputs, longYear, tidyExpiry, tidyIban } from './inputs.ts'

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 22), toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

describe('a typed, pasted or autofilled expiry date', () => {
  test.each([
    ['1', '1', '', '1'],
    ['12', '12', '', '12 / '],
    ['5', '05', '', '05 / '],
    ['1/', '01', '', '01 / '],
    ['1/30', '01', '30', '01 / 30'],
    ['1230', '12', '30', '12 / 30'],
    ['12 / 30', '12', '30', '12 / 30'],
    ['12/2030', '12', '2030', '12 / 30'],
    ['2030-12', '12', '2030', '12 / 30'],
    ['١٢/٣٠', '12', '30', '12 / 30'],
    ['', '', '', ''],
  ])('%j has the month %j, the year %j and the tidy text %j', (text, month, year, tidy) => {
    expect(expiryOf(text)).toEqual({ month, year })
    expect(tidyExpiry(text)).toBe(tidy)
    expect(tidyExpiry(tidy)).toBe(tidy)
  })

  test.each([
    ['12 / 30', ''],
    ['11 / 26', ''],
    ['10 / 26', 'errorExpired'],
    ['13 / 30', 'errorExpiry'],
    ['00 / 30', 'errorExpiry'],
    ['12', 'errorExpiry'],
    ['12 / 3', 'errorExpiry'],
    ['12 / 1930', 'errorExpiry'],
    ['', 'errorExpiry'],
  ])('%j has the error %j', (text, error) => expect(expiryError(text)).toBe(error))

  test('is sent with a year of four digits', () => {
    expect(longYear('30')).toBe('2030')
    expect(longYear('2030')).toBe('2030')
  })
})

describe('an IBAN', () => {
  test.each([
    'DE89370400440532013000',
    'GB82 WEST 1234 5698 7654 32',
    'NO9386011117947',
    'MT84MALT011000012345MTLCAST001S',
  ])('%s is valid', (text) => expect(ibanError(tidyIban(text))).toBe(''))
  test.each(['', 'DE', 'DE89370400440532013001', 'DE8937040044053201300', '8937DE0400440532013000', 'DE00'])(
    '%j is invalid',
    (text) => expect(ibanError(text)).toBe('errorIban'),
  )
  test('is formatted in groups of four', () => expect(tidyIban('de89-3704 0044')).toBe('DE89 3704 0044'))
})

test.each([
  ['cardHolder', 'Jane Jones', ''],
  ['cardHolder', 'Li', 'errorHolder'],
  ['cardHolder', '4111111111111111', 'errorHolder'],
  ['cardHolder', 'x'.repeat(129), 'errorHolder'],
  ['accountHolder', 'Ann', 'errorAccountHolder'],
  ['accountHolder', 'Anna', ''],
  ['city', ' ', 'errorRequired'],
  ['city', 'Köln', ''],
])('the field %s with the value %j has the error %j', (name, value, error) =>
  expect(inputs[name]?.error(value)).toBe(error),
)
