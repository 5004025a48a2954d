import { Secret } from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPaymentToken, isBase64, type PaymentToken, type TokenRequirements } from './payment-token.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const secret = (text: string) => new Secret(bytes(text))
const JUNE_2026 = Date.UTC(2026, 5, 15)

const cryptogram = secret('AgAAAAAABk4DWZ4C28yUQAAAAAA=')

/** Checks a network token of a Visa card with these changes. */
const check = (change: Partial<PaymentToken> = {}, requirements?: TokenRequirements) =>
  checkPaymentToken(
    { number: secret('4895370000000007'), brand: 'VISA', source: 'network', cryptogram, ...change },
    JUNE_2026,
    requirements,
  )

describe('checkPaymentToken', () => {
  it('returns the brand and the last four digits of a valid token', () => {
    expect(check()).toEqual({ kind: 'token', brand: 'VISA', last4: '0007' })
  })

  it.each<[name: string, change: Partial<PaymentToken>, requirements?: TokenRequirements]>([
    ['leading digits of another brand', { brand: 'MASTER' }],
    ['leading digits of no brand', { number: secret('0000000000000000') }],
    ['a token without an expiry date', { expiryMonth: undefined, expiryYear: undefined }],
    ['a year of expiry without a month', { expiryYear: '2001' }],
    ['an expiry in the current month', { expiryMonth: '06', expiryYear: '2026' }],
    ['a wrong check digit, of a brand without check digits', { number: secret('4895370000000008'), brand: 'UNIONPAY' }],
    ['a wrong check digit, from another provider', { number: secret('4895370000000008'), source: 'provider' }],
    ['the shortest token', { number: secret('123456789012'), source: 'provider' }],
    ['the longest token', { number: secret('1234567890123456789'), source: 'provider' }],
    ['no cryptogram', { cryptogram: undefined }],
    ['a cryptogram of 32 characters', { cryptogram: secret('A'.repeat(32)) }, { isProofRequired: true }],
    ['a dtvc in place of a cryptogram', { cryptogram: undefined, dtvc: secret('123') }, { isProofRequired: true }],
    ['the brand of its wallet', { brand: 'APPLEPAY' }, { wallet: ['APPLEPAY'] }],
  ])('accepts %s', (_name, change, requirements) => {
    expect(check(change, requirements).kind).toBe('token')
  })

  it.each<[name: string, change: Partial<PaymentToken>, code: string, requirements?: TokenRequirements]>([
    ['no brand', { brand: undefined }, '100.100.500'],
    ['a brand other than a card brand', { brand: 'PAYPAL' }, '100.100.501'],
    ['an unknown brand', { brand: 'NONE' }, '100.100.501'],
    ['the brand of another wallet', { brand: 'GOOGLEPAY' }, '100.100.501', { wallet: ['APPLEPAY'] }],
    ['too few digits', { number: secret('12345678901'), source: 'provider' }, '100.100.101'],
    ['too many digits', { number: secret('12345678901234567890'), source: 'provider' }, '100.100.101'],
    ['a wrong check digit', { number: secret('4895370000000008') }, '100.100.101'],
    [
      'a wrong check digit, from a wallet',
      { number: secret('4895370000000008'), brand: 'APPLEPAY' },
      '100.100.101',
      {
        wallet: ['APPLEPAY'],
      },
    ],
    ['an expiry in the previous month', { expiryMonth: '05', expiryYear: '2026' }, '100.100.303'],
    ['a cryptogram that is not base64', { cryptogram: secret('AgAAAAAABk4DWZ4C28yUQAAAAAAA=') }, '100.370.125'],
    ['neither cryptogram nor dtvc', { cryptogram: undefined }, '200.100.401', { isProofRequired: true }],
  ])('refuses %s', (_name, change, code, requirements) => {
    expect(check(change, requirements)).toMatchObject({ kind: 'refused', code })
  })
})

describe('isBase64', () => {
  it.each(['AAAA', 'AAA=', 'AA==', 'Az09+/-_'])('accepts %s', (text) => expect(isBase64(bytes(text))).toBe(true))

  it.each(['', 'A', 'AA', 'AAA', 'A===', '====', 'AA=A', '=AAA', 'AAAAA', 'AAA ', 'AAA!', 'AAAä'])(
    'refuses %j',
    (text) => expect(isBase64(bytes(text))).toBe(false),
  )

  it('accepts every encoded value', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (data) => {
        expect(isBase64(bytes(btoa(String.fromCharCode(...data))))).toBe(true)
      }),
    )
  })
})
