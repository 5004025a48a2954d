import { Secret } from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Card, type CardRequirements, checkCard, isLuhn } from './card.ts'

const bytes = (digits: string) => new TextEncoder().encode(digits)
const secret = (digits: string) => new Secret(bytes(digits))
const JUNE_2026 = Date.UTC(2026, 5, 15)

/** The digits with each valid check digit appended. */
const withCheckDigit = (digits: string) =>
  Array.from({ length: 10 }, (_, last) => `${digits}${last}`).filter((number) => isLuhn(bytes(number)))

/** Checks a Visa test card with these changes. */
const check = (change: Partial<Card>, requirements?: CardRequirements, nowMs = JUNE_2026) =>
  checkCard(
    { number: secret('4200000000000000'), expiryMonth: '05', expiryYear: '2034', ...change },
    nowMs,
    requirements,
  )

describe('checkCard', () => {
  it('returns the brand and the first six and last four digits of a valid card', () => {
    expect(check({})).toEqual({ kind: 'card', bin: '420000', last4: '0000', brand: 'VISA', brandResult: 'VISA' })
  })

  it.each<[number: string, brand: string | undefined, chosen: string, detected: string]>([
    ['4200000000000000', undefined, 'VISA', 'VISA'],
    ['4200000000000000', 'VISA', 'VISA', 'VISA'],
    ['4200000000000000', 'CARTEBANCAIRE', 'CARTEBANCAIRE', 'VISA'],
    ['5454545454545454', undefined, 'MASTER', 'MASTER'],
    ['2223000048400011', undefined, 'MASTER', 'MASTER'],
    ['377777777777770', undefined, 'AMEX', 'AMEX'],
    ['36961903000009', undefined, 'DINERS', 'DINERS'],
    ['6011587918359498', undefined, 'DISCOVER', 'DISCOVER'],
    ['3530111333300000', undefined, 'JCB', 'JCB'],
    ['6799851000000032', undefined, 'MAESTRO', 'MAESTRO'],
    ['6200000000000001', undefined, 'UNIONPAY', 'UNIONPAY'],
  ])('accepts %s, sent as %s, as %s (detected %s)', (number, brand, chosen, brandResult) => {
    expect(check({ number: secret(number), brand })).toMatchObject({ kind: 'card', brand: chosen, brandResult })
  })

  it.each<[name: string, change: Partial<Card>, code: string, requirements?: CardRequirements]>([
    ['a wrong check digit', { number: secret('4200000000000001') }, '100.100.101'],
    ['a wrong check digit, with another brand', { number: secret('4200000000000001'), brand: 'MASTER' }, '100.100.101'],
    [
      'a wrong check digit, with a brand other than a card brand',
      { number: secret('4200000000000001'), brand: 'PAYPAL' },
      '100.100.101',
    ],
    ['too many digits', { number: secret('42000000000000000000') }, '100.100.101'],
    ['too few digits', { number: secret('0000000') }, '100.100.101'],
    ['a letter', { number: secret('420000000000000A') }, '100.100.101'],
    ['a range of no brand', { number: secret('0000000000000000') }, '100.100.500'],
    ['a brand other than a card brand', { brand: 'PAYPAL' }, '100.100.501'],
    ['an unknown brand', { brand: 'NONE' }, '100.100.501'],
    ['a number that does not belong to the sent brand', { brand: 'MASTER' }, '100.100.700'],
    ['a length that the brand does not have', { number: secret('42000000000000002'), brand: 'VISA' }, '100.100.700'],
    ['an expiry in the previous month', { expiryMonth: '05', expiryYear: '2026' }, '100.100.303'],
    ['an expiry in the previous year', { expiryMonth: '12', expiryYear: '2025' }, '100.100.303'],
    ['an expiry in the last century', { expiryMonth: '12', expiryYear: '1999' }, '100.100.303'],
    ['a missing cvv that is required', {}, '100.100.600', { isCvvRequired: true }],
    ['a cvv of four digits', { cvv: secret('1234') }, '100.100.601'],
    ['a cvv of three digits on AMEX', { number: secret('377777777777770'), cvv: secret('123') }, '100.100.601'],
  ])('refuses %s', (_name, change, code, requirements) => {
    expect(check(change, requirements)).toMatchObject({ kind: 'refused', code })
  })

  it.each<[name: string, change: Partial<Card>, requirements?: CardRequirements]>([
    ['a cvv of three digits', { cvv: secret('123') }, { isCvvRequired: true }],
    [
      'a cvv of four digits on AMEX',
      { number: secret('377777777777770'), cvv: secret('1234') },
      { isCvvRequired: true },
    ],
    ['an expiry in the current month', { expiryMonth: '06', expiryYear: '2026' }],
    ['the shortest number', { number: secret(withCheckDigit('0000000')[0] ?? ''), brand: 'ALIA' }],
    ['the longest number', { number: secret(withCheckDigit('420000000000000000')[0] ?? ''), brand: 'VISA' }],
    ['an expiry at the end of the century', { expiryMonth: '12', expiryYear: '2099' }],
  ])('accepts %s', (_name, change, requirements) => {
    expect(check(change, requirements).kind).toBe('card')
  })

  it('detects a brand that the channel accepts, else the first brand of the number range', () => {
    const [digits = ''] = withCheckDigit('440647000000000')
    const detect = (accepted: CardRequirements['accepted']) =>
      check({ number: secret(digits) }, accepted && { accepted })
    expect(detect(undefined)).toMatchObject({ brandResult: 'MADA' })
    expect(detect((brand) => brand === 'VISA')).toMatchObject({ brandResult: 'VISA' })
    expect(detect((brand) => brand === 'MASTER')).toMatchObject({ brandResult: 'MADA' })
  })

  it('accepts a card until its month has ended in every time zone', () => {
    const card = { expiryMonth: '05', expiryYear: '2026' }
    const noonOfJune = Date.UTC(2026, 5, 1, 12)
    expect(check(card, {}, noonOfJune - 1).kind).toBe('card')
    expect(check(card, {}, noonOfJune)).toMatchObject({ code: '100.100.303' })
  })

  it('returns refusals without four successive digits of the card', () => {
    const refusals = [check({ number: secret('4200000000000001') }), check({ brand: 'MASTER' })]
    expect(JSON.stringify(refusals)).not.toMatch(/\d{4}/)
  })
})

describe('isLuhn', () => {
  it('accepts exactly one check digit for each number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{7,18}$/), (digits) => {
        expect(withCheckDigit(digits)).toHaveLength(1)
      }),
    )
  })

  it('rejects a number with any wrong digit', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^\d{7,18}$/),
        fc.nat(17),
        fc.integer({ min: 1, max: 9 }),
        (digits, index, shift) => {
          const [number = ''] = withCheckDigit(digits)
          const position = index % number.length
          const digit = (Number(number[position]) + shift) % 10
          const wrong = `${number.slice(0, position)}${digit}${number.slice(position + 1)}`
          expect(isLuhn(bytes(wrong))).toBe(false)
        },
      ),
    )
  })

  it.each([
    ['79927398713', true],
    ['79927398710', false],
    ['0', true],
    ['', false],
    ['7992739871X', false],
    ['9:', false],
    ['5/', false],
  ])('returns for %j: %s', (digits, isValid) => {
    expect(isLuhn(bytes(digits))).toBe(isValid)
  })
})
