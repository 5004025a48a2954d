import { describe, expect, it, test } from 'vitest'
import { elementsOf, fieldsOf } from './testing/requests.ts'

describe('field 43', () => {
  test.each([
    ['the descriptor and the profile', 'Shop 4711', {}, 'Shop 4711                MUENCHEN     DE'],
    ['the profile only', '', {}, 'PROFILE NAME             MUENCHEN     DE'],
    ['the name of the merchant', 'Shop', { 'merchant.name': 'ACME*Shoes' }, 'ACME*Shoes               MUENCHEN     DE'],
    ['a city', 'Shop', { 'merchant.city': 'help@acme.com' }, 'Shop                     help@acme.comDE'],
    ['a country', 'Shop', { 'merchant.country': 'ch' }, 'Shop                     MUENCHEN     CH'],
    ['a long name', 'A name of more than 25 characters', {}, 'A name of more than 25 chMUENCHEN     DE'],
    ['a long city', 'Shop', { 'merchant.city': 'Llanfairpwllgwyngyll' }, 'Shop                     LlanfairpwllgDE'],
    ['accents', 'Café Zürich', { 'merchant.city': 'Genève' }, 'Cafe Zurich              Geneve       DE'],
    ['another script', '東京 shop', {}, '?? shop                  MUENCHEN     DE'],
  ] as const)('has %s', (_, descriptor, parameters, value) => {
    expect(fieldsOf({ descriptor }, parameters)[43]).toBe(value)
  })
})

describe('a descriptor', () => {
  const long = 'A name of more than 25 characters'
  const placesOf = (descriptor: string, parameters = {}, operation: 'DB' | 'CP' = 'DB') => {
    const fields = fieldsOf({ descriptor, operation }, parameters)
    return [elementsOf(fields[48])['15'], fields[104]]
  }

  it('that field 43 contains is in no other place', () => {
    expect(placesOf('Shop 4711')).toEqual([undefined, undefined])
    expect(placesOf('')).toEqual([undefined, undefined])
  })

  it('that is longer is in element 15 and field 104 in full', () => {
    expect(placesOf(long)).toEqual([long, long])
    expect(placesOf('x'.repeat(127))).toEqual(['x'.repeat(100), 'x'.repeat(100)])
  })

  it('that merchant.name replaces is in field 104', () => {
    expect(placesOf('Shop 4711', { 'merchant.name': 'ACME' })).toEqual([undefined, 'Shop 4711'])
    expect(placesOf('Shop 4711', { 'merchant.name': long })).toEqual([long, 'Shop 4711'])
  })

  it('of a capture is in no field 104, which its type does not use', () => {
    expect(placesOf(long, {}, 'CP')).toEqual([long, undefined])
  })
})

test.each([
  ['5999', '5999'],
  ['599', '5734'],
  ['599A', '5734'],
] as const)('field 18 for the category %s', (sent, category) => {
  expect(fieldsOf({}, { 'merchant.mcc': sent })[18]).toBe(category)
})
