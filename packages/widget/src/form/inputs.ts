import { digitsOf, latinDigits } from '../shared/digits.ts'

/** A field in the page's own document. */
interface Input {
  /** The parameter that contains the value unchanged. */
  readonly parameter?: string
  readonly autocomplete: AutoFill
  readonly inputmode?: string
  /** Whether the value runs from left to right in every language: it has only Latin letters and digits. */
  readonly isLtr?: true
  readonly tidy?: (value: string) => string
  /** Key of the error text; empty if the value is valid. */
  readonly error: (value: string) => string
}

const errorUnless = (pattern: RegExp, error: string) => (value: string) => (pattern.test(value) ? '' : error)

const address = (parameter: string, autocomplete: AutoFill): Input => ({
  parameter: `billing.${parameter}`,
  autocomplete,
  error: errorUnless(/\S/, 'errorRequired'),
})

/**
 * The fields, by the keys of their labels. A cardholder's name with eight digits in a row is refused, because it is
 * probably a card number.
 */
export const inputs: Readonly<Record<string, Input>> = {
  expiry: { autocomplete: 'cc-exp', inputmode: 'numeric', isLtr: true, tidy: tidyExpiry, error: expiryError },
  cardHolder: {
    parameter: 'card.holder',
    autocomplete: 'cc-name',
    error: errorUnless(/^(?!.*\d{8}).{3,128}$/, 'errorHolder'),
  },
  accountHolder: {
    parameter: 'bankAccount.holder',
    autocomplete: 'name',
    error: errorUnless(/^.{4,128}$/, 'errorAccountHolder'),
  },
  iban: { autocomplete: 'off', isLtr: true, tidy: tidyIban, error: ibanError },
  street: address('street1', 'address-line1'),
  houseNumber: address('houseNumber1', 'address-line2'),
  postcode: address('postcode', 'postal-code'),
  city: address('city', 'address-level2'),
  state: address('state', 'address-level1'),
  country: address('country', 'country'),
}

/** Month and year of a typed, pasted or autofilled date: `1230`, `12 / 30`, `12/2030`, `2030-12`. */
export function expiryOf(text: string): { readonly month: string; readonly year: string } {
  const digits = digitsOf(text)
  const [, isoYear = '', isoMonth = ''] = /^(\d{4})\D(\d\d?)$/.exec(latinDigits(text).trim()) ?? []
  if (isoYear !== '') return { month: isoMonth.padStart(2, '0'), year: isoYear }
  const isOneDigitMonth = /^[2-9]/.test(digits) || /^\s*1\D/.test(text)
  const month = isOneDigitMonth ? `0${digits[0] ?? ''}` : digits.slice(0, 2)
  return { month, year: digits.slice(isOneDigitMonth ? 1 : 2).slice(0, 4) }
}

/** The year with four digits. */
export const longYear = (year: string): string => (year.length === 2 ? `20${year}` : year)

export function tidyExpiry(text: string): string {
  const { month, year } = expiryOf(text)
  return month.length < 2 ? month : `${month} / ${year.length === 4 ? year.replace(/^20/, '') : year}`
}

/**
 * @returns the key of the error text; empty if the date is valid. A card expires when its month has ended in every
 * time zone
 */
export function expiryError(text: string): string {
  const { month, year } = expiryOf(text)
  if (!/^(?:0[1-9]|1[0-2])(?:\d\d|20\d\d)$/.test(month + year)) return 'errorExpiry'
  const expiresAtMs = Date.UTC(Number(longYear(year)), Number(month), 2)
  return expiresAtMs < Date.now() ? 'errorExpired' : ''
}

export function tidyIban(text: string): string {
  const iban = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return iban.slice(0, 34).replaceAll(/.{4}(?=.)/g, '$& ')
}

/**
 * ISO 13616: with the first four characters moved to the end and letters converted to numbers, the remainder of the
 * number by 97 is 1.
 */
export function ibanError(text: string): string {
  const iban = text.replaceAll(' ', '')
  const moved = iban.slice(4) + iban.slice(0, 4)
  const remainder = Array.from(moved).reduce(
    (sum, character) => Number(`${sum}${Number.parseInt(character, 36)}`) % 97,
    0,
  )
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,27}$/.test(iban) && remainder === 1 ? '' : 'errorIban'
}
