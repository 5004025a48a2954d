import * as fc from 'fast-check'
import { countrySpecs, validateIBAN, ValidationErrorsIBAN } from 'ibantools'
import { expect, test } from 'vitest'
import { readIban } from './iban.ts'

// The oracle is ibantools, another implementation with a country table of its own.

const read = (text: string) => readIban(new TextEncoder().encode(text))

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(0x41 + index))
const codes = letters.flatMap((first) => letters.map((second) => first + second))
const countries = codes.filter((code) => read(`${code}00000000000000`)?.isIbanCountry)

/** Territories that the registry lists as parts of Finland and France: IBANs of the territories begin with FI or FR. */
const territories = ['AX', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT']

test('no country of the registry is missing, apart from territories of other countries', () => {
  const registry = codes.filter((code) => countrySpecs[code]?.IBANRegistry === true)
  expect(registry.length).toBeGreaterThan(80)
  expect(registry.filter((code) => !countries.includes(code))).toEqual(territories)
})

const allCheckDigits = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, '0'))
/** Check digits that are never assigned (ISO 7064), although their remainders are those of 97, 98 and 02. */
const unassigned: ReadonlySet<string> = new Set(['00', '01', '99'])

test.each(countries)('one pair of check digits is valid for an account in %s', (country) => {
  // Only some patterns are anchored.
  const pattern = countrySpecs[country]?.bban_regexp?.replaceAll(/^\^|\$$/g, '') ?? ''
  const account = fc.stringMatching(new RegExp(`^${pattern}$`))
  fc.assert(
    fc.property(account, (bban) => {
      const validCheckDigits = allCheckDigits.filter((digits) => {
        const { errorCodes } = validateIBAN(`${country}${digits}${bban}`)
        return !errorCodes.includes(ValidationErrorsIBAN.WrongIBANChecksum)
      })
      const accepted = allCheckDigits.filter((digits) => read(`${country}${digits}${bban}`)?.isValid)
      expect(accepted).toEqual(validCheckDigits.filter((digits) => !unassigned.has(digits)))
      expect(accepted).toHaveLength(1)
    }),
    { numRuns: process.env['TOLLGATE_TEST_LONG'] === '1' ? 20 : 5 },
  )
})
