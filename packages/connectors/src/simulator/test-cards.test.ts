import { cardBrands, fitsBrand, isCardBrand, Secret } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { testGiftCards, testTokens } from './test-accounts.ts'
import { findResponseCard, responseCards, testCards } from './test-cards.ts'
import { isEnrolled } from './enrolment.ts'
import { findThreeDSecureCard, threeDSecureCards } from './three-d-secure-cards.ts'
import { findThreeDSecureFaultCard, threeDSecureFaultCards } from './three-d-secure-fault-cards.ts'

const secret = (digits: string) => new Secret(new Uint8Array(Buffer.from(digits, 'ascii')))
const passesLuhn = (number: string) =>
  number
    .split('')
    .toReversed()
    .reduce((sum, digit, index) => {
      const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2
      return sum + (value > 9 ? value - 9 : value)
    }, 0) %
    10 ===
  0

describe('test cards', () => {
  it.each([...testCards, ...responseCards, ...threeDSecureCards, ...threeDSecureFaultCards])(
    '$brand $number is a number of its brand',
    (card) => {
      expect(isCardBrand(card.brand) && fitsBrand(card.brand, card.number.slice(0, 8), card.number.length)).toBe(true)
      if (isCardBrand(card.brand) && cardBrands[card.brand].luhn) expect(passesLuhn(card.number)).toBe(true)
    },
  )

  it('are unique in each table; no response card is a test card, and fault cards are in no other table', () => {
    for (const rows of [testCards, responseCards, threeDSecureCards, threeDSecureFaultCards]) {
      expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length)
    }
    expect(testCards.filter(({ number }) => responseCards.some((row) => row.number === number))).toEqual([])
    const otherNumbers: ReadonlySet<string> = new Set(
      [...testCards, ...responseCards, ...threeDSecureCards].map(({ number }) => number),
    )
    expect(threeDSecureFaultCards.filter(({ number }) => otherNumbers.has(number))).toEqual([])
  })

  it('include at most one card for each fault of an authentication', () => {
    expect(new Set(threeDSecureFaultCards.map(({ fault }) => fault)).size).toBe(threeDSecureFaultCards.length)
  })

  it.each(['VISA', 'MASTER', 'AMEX', 'DINERS', 'DISCOVER', 'JCB', 'MAESTRO', 'UNIONPAY', 'CARTEBANCAIRE'])(
    'of %s include one without 3-D Secure and one with it',
    (brand) => {
      expect(testCards.filter((card) => card.brand === brand).map(({ enrolled }) => enrolled)).toEqual([false, true])
    },
  )

  it('cover every brand that has number ranges', () => {
    const ranged = Object.entries(cardBrands).filter(([, { ranges }]) => ranges !== '')
    const covered: ReadonlySet<string> = new Set(testCards.map(({ brand }) => brand))
    expect(ranged.map(([brand]) => brand).filter((brand) => !covered.has(brand))).toEqual([])
  })
})

describe('test tokens and gift cards', () => {
  it.each([...testTokens, ...testGiftCards])('$number has a check digit', ({ number }) => {
    expect(passesLuhn(number)).toBe(true)
  })
})

describe('isEnrolled', () => {
  it.each(testCards)('of $brand $number is $enrolled', ({ number, enrolled }) => {
    expect(isEnrolled(secret(number))).toBe(enrolled)
  })

  it.each(threeDSecureCards)('of $brand $number follows from its flow $flow', (card) => {
    expect(findThreeDSecureCard(secret(card.number))).toEqual(card)
    expect(isEnrolled(secret(card.number))).toBe(card.flow !== 'none')
  })

  it.each(threeDSecureFaultCards)('of $number, whose fault is $fault, is true', (card) => {
    expect(findThreeDSecureFaultCard(secret(card.number))).toEqual(card)
    expect(isEnrolled(secret(card.number))).toBe(true)
  })

  it.each(['4200000000000000', '42', '', 'abcdefghijklmnop', `4200000000000091${'0'.repeat(16)}`])(
    'of %j, which is in no table, is false',
    (number) => expect(isEnrolled(secret(number))).toBe(false),
  )
})

it('the 3-D Secure cards of six networks cover the statuses Y, A and C with and without method data, U and N', () => {
  for (const brand of ['VISA', 'MASTER', 'AMEX', 'MAESTRO', 'UNIONPAY', 'JCB']) {
    const rows = threeDSecureCards.filter((card) => card.brand === brand)
    const kinds = new Set(rows.map(({ transactionStatus, methodData }) => `${transactionStatus}${methodData}`))
    for (const kind of ['Ytrue', 'Yfalse', 'Atrue', 'Afalse', 'Ctrue', 'Cfalse', 'Ufalse', 'Nfalse']) {
      expect(kinds, brand).toContain(kind)
    }
  }
})

describe('findResponseCard', () => {
  it('compares every digit, not only those that may be shown', () => {
    // The first six and the last four digits are those of the card for insufficient funds.
    expect(findResponseCard(secret('4000000000009995'))?.response).toBe('51')
    expect(findResponseCard(secret('4000001000009995'))).toBeUndefined()
    expect(findResponseCard(secret('40000000000009995'))).toBeUndefined()
  })

  it('does not find a wiped number', () => {
    const number = secret('4000000000009995')
    number.wipe()
    expect(findResponseCard(number)).toBeUndefined()
  })
})
