import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readIban } from './iban.ts'

/** Published examples, checked with another implementation. */
const examples = [
  'DE89370400440532013000',
  'DE23100000001234567890',
  'DE02701500000000594937',
  'AT611904300234573201',
  'AT152011128161647502',
  'NL91ABNA0417164300',
  'FR1420041010050500013M02606',
  'BE68539007547034',
  'ES9121000418450200051332',
  'IT60X0542811101000000123456',
  'GB29NWBK60161331926819',
  'CH9300762011623852957',
  'LU280019400644750000',
  'PT50000201231234567890154',
  'IE29AIBK93115212345678',
  'FI2112345600000785',
  'PL61109010140000071219812874',
]

const read = (text: string) => readIban(new TextEncoder().encode(text))
const isIban = (text: string) => read(text)?.isValid ?? false
const replaceAt = (text: string, position: number, character: string) =>
  text.slice(0, position) + character + text.slice(position + 1)

describe.each(examples)('%s', (iban) => {
  it('is a valid IBAN in upper and lower case', () => {
    expect(read(iban)).toEqual({ country: iban.slice(0, 2), isIbanCountry: true, isValid: true })
    expect(isIban(iban.toLowerCase())).toBe(true)
  })

  it('is invalid with any one digit changed', () => {
    const changed = Array.from(iban).flatMap((character, position) =>
      /\d/.test(character)
        ? Array.from('0123456789', (digit) => replaceAt(iban, position, digit)).filter((variant) => variant !== iban)
        : [],
    )
    expect(changed.length).toBeGreaterThan(100)
    expect(changed.filter(isIban)).toEqual([])
  })

  it('is invalid with two adjacent characters transposed', () => {
    const transposed = Array.from(iban.slice(0, -1), (character, position) =>
      replaceAt(replaceAt(iban, position, iban.charAt(position + 1)), position + 1, character),
    ).filter((variant) => variant !== iban)
    expect(transposed.filter(isIban)).toEqual([])
  })

  it('is invalid when it is longer or shorter', () => {
    expect([`${iban}0`, iban.slice(0, -1), iban.slice(0, -2), `${iban}${iban.slice(4)}`].filter(isIban)).toEqual([])
  })
})

test.each([
  // 00, 01 and 99 have the same remainders as the assigned check digits 97, 98 and 02, but are never assigned.
  { name: 'check digits 00', text: 'DE00500105170000000001' },
  { name: 'check digits 01', text: 'DE01500105170000000080' },
  { name: 'check digits 99', text: 'DE99500105170000000062' },
  { name: 'a country without IBANs', text: 'US89370400440532013000' },
  { name: 'a letter outside ASCII', text: 'DE8937040044053201300Ä' },
  { name: 'spaces', text: 'DE89 3704 0044 0532 0130 00' },
  { name: 'no characters', text: '' },
])('an IBAN with $name is invalid', ({ text }) => expect(isIban(text)).toBe(false))

test.each(['1234567890', 'DE8', 'DE893704004405', 'D189370400440532013000', '', 'DEXX370400440532013000'])(
  '%j is read as a national number',
  (number) => expect(read(number)).toBeUndefined(),
)

test('any bytes are read without an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(readIban(bytes)?.isValid ?? false).toBe(isIban(String.fromCharCode(...bytes)))
    }),
  )
})
