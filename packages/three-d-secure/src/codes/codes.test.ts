import { describe, expect, it } from 'vitest'
import {
  authenticationIndicatorFor,
  isAuthenticationIndicator,
  isThreeRiIndicator,
  threeRiIndicatorFor,
} from './authentication-indicators.ts'
import { challengeIndicatorFor } from './challenge-indicators.ts'
import { challengeWindows, isChallengeWindow } from './challenge-windows.ts'
import { colorDepthFor } from './color-depths.ts'
import { eciOf } from './eci.ts'
import { errorCodes, errorDescriptions } from './error-codes.ts'
import { isTransactionStatus } from './transaction-status.ts'

describe('electronic commerce indicators', () => {
  it.each([
    ['VISA', '05', '06', '07', '07'],
    ['AMEX', '05', '06', '07', '07'],
    ['JCB', '05', '06', '07', '07'],
    ['DINERS', '05', '06', '07', '07'],
    ['DISCOVER', '05', '06', '07', '07'],
    ['UNIONPAY', '05', '06', '07', '07'],
    ['MASTER', '02', '01', '00', '04'],
    ['MAESTRO', '02', '01', '00', '04'],
    ['VISAELECTRON', '05', '06', '07', '07'],
  ] as const)('of %s are %s (Y), %s (A), %s (N, U, R), %s (I)', (brand, Y, A, none, I) => {
    expect([eciOf(brand, 'Y'), eciOf(brand, 'A'), eciOf(brand, 'N'), eciOf(brand, 'U'), eciOf(brand, 'R')]).toEqual([
      Y,
      A,
      none,
      none,
      none,
    ])
    expect(eciOf(brand, 'I')).toBe(I)
  })

  it('of a Cartes Bancaires card are those of the network that processes it, by default Visa', () => {
    expect(eciOf('CARTEBANCAIRE', 'Y', 'MASTER')).toBe('02')
    expect(eciOf('CARTEBANCAIRE', 'Y', 'VISA')).toBe('05')
    expect(eciOf('CARTEBANCAIRE', 'Y', 'JCB')).toBe('05')
    expect(eciOf('CARTEBANCAIRE', 'A', 'MAESTRO')).toBe('01')
  })

  it('are undefined for brands without a network in the table', () => {
    expect(eciOf('NARANJA', 'Y')).toBeUndefined()
  })
})

describe('codes by version', () => {
  it.each([
    ['04', '2.1.0', '04'],
    ['05', '2.1.0', '02'],
    ['08', '2.1.0', '02'],
    ['09', '2.1.0', '03'],
    ['09', '2.2.0', '09'],
  ] as const)('challenge indicator %s in %s is %s', (indicator, version, code) => {
    expect(challengeIndicatorFor(indicator, version)).toBe(code)
  })

  it.each([
    ['PAYMENT', '2.1.0', '01'],
    ['EMV_ID', '2.1.0', '06'],
    ['BILLING_AGREEMENT', '2.1.0', '01'],
    ['BILLING_AGREEMENT', '2.2.0', '07'],
    ['SPLIT_SHIPMENT', '2.1.0', '01'],
    ['SPLIT_SHIPMENT', '2.2.0', '08'],
    ['_DELAYED_SHIPMENT', '2.2.0', '09'],
    ['DELAYED_SHIPMENT', '2.2.0', '09'],
    ['SPLIT_PAYMENT', '2.1.0', '01'],
    ['SPLIT_PAYMENT', '2.2.0', '10'],
  ] as const)('authentication indicator %s in %s is %s', (name, version, code) => {
    expect(authenticationIndicatorFor(name, version)).toBe(code)
  })

  it.each([
    ['RECURRING', '01'],
    ['SPLIT_SHIPMENT', '06'],
    ['DELAYED_SHIPMENT', '06'],
  ] as const)('3RI indicator %s is %s', (name, code) => expect(threeRiIndicatorFor(name)).toBe(code))

  it('exist only for the names of their table', () => {
    expect([isAuthenticationIndicator('ADD_CARD'), isAuthenticationIndicator('toString')]).toEqual([true, false])
    expect([isThreeRiIndicator('RECURRING'), isThreeRiIndicator('PAYMENT')]).toEqual([true, false])
  })
})

describe('challenge windows', () => {
  it('05 is the whole page, and 06 does not exist', () => {
    expect(challengeWindows['05']).toBeUndefined()
    expect([isChallengeWindow('05'), isChallengeWindow('06'), isChallengeWindow(5)]).toEqual([true, false, false])
  })
})

describe('colour depths', () => {
  it.each([
    [24, '24'],
    [30, '24'],
    [64, '48'],
    [1, '1'],
    [0, '1'],
    [Number.NaN, '1'],
  ])('%d bits have the code %s', (bits, depth) => expect(colorDepthFor(bits)).toBe(depth))
})

describe('statuses and errors', () => {
  it('a transaction status is distinguished from other values', () => {
    expect([isTransactionStatus('Y'), isTransactionStatus('X'), isTransactionStatus(undefined)]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('every error code is described', () => {
    expect(errorCodes).toContain('402')
    for (const code of errorCodes) expect(errorDescriptions[code]).toMatch(/^[A-Z]/)
  })
})
