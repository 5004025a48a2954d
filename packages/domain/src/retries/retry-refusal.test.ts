import { DAY_MS, HOUR_MS, isMerchantAdviceCode, type MerchantAdviceCode, merchantAdviceCodes } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import { type CardDeclines, declinesExpireAtMs, type IssuerDecline, withDecline } from './card-declines.ts'
import { type CardAttempt, retryRefusal } from './retry-refusal.ts'

const startMs = Date.UTC(2026, 0, 1)

/** A decline without advice, for lack of funds: later attempts are counted. */
const decline = (changes: Partial<IssuerDecline> = {}): IssuerDecline => ({
  atMs: startMs,
  code: '800.100.155',
  response: '51',
  advice: undefined,
  expiry: '2028-05',
  isAuthenticated: false,
  isCvvWrong: false,
  ...changes,
})

const attempt = (changes: Partial<CardAttempt> = {}): CardAttempt => ({
  atMs: startMs + HOUR_MS / 2,
  brand: 'MASTER',
  expiry: '2028-05',
  isAuthenticated: false,
  isMerchantInitiated: false,
  hasCvv: true,
  ...changes,
})

const declinesAfter = (...declined: readonly IssuerDecline[]): CardDeclines => {
  let declines: CardDeclines | undefined
  for (const one of declined) declines = withDecline(declines, one) ?? declines
  if (!declines) throw new Error('the declines limit nothing')
  return declines
}
const codeOf = (declines: CardDeclines, changes?: Partial<CardAttempt>) =>
  retryRefusal(declines, attempt(changes))?.code

describe('advice of the issuer', () => {
  const advised = (advice: MerchantAdviceCode, changes: Partial<IssuerDecline> = {}) =>
    declinesAfter(decline({ advice, ...changes }))

  test.each(Object.keys(merchantAdviceCodes).filter(isMerchantAdviceCode))(
    '%s forbids attempts by its code',
    (code) => {
      const { blockCode, blockedHours } = merchantAdviceCodes[code]
      const isMerchantInitiated = code === '21'
      const declines = advised(code)
      expect(codeOf(declines, { isMerchantInitiated })).toBe(blockCode)
      if (blockedHours === undefined) return
      const endMs = startMs + blockedHours * HOUR_MS
      expect([codeOf(declines, { atMs: endMs - 1 }), codeOf(declines, { atMs: endMs })]).toEqual([blockCode, undefined])
    },
  )

  test('for new data ends with another expiry, an authentication, or another cvv after a wrong one', () => {
    const declines = advised('01')
    expect(codeOf(declines)).toBe('700.601.001')
    expect(codeOf(declines, { expiry: '2031-05' })).toBeUndefined()
    expect(codeOf(declines, { expiry: undefined })).toBeUndefined()
    expect(codeOf(declines, { isAuthenticated: true })).toBeUndefined()
    expect(codeOf(advised('01', { isAuthenticated: true }), { isAuthenticated: true })).toBe('700.601.001')
    const wrongCvv = advised('01', { isCvvWrong: true })
    expect([codeOf(wrongCvv), codeOf(wrongCvv, { hasCvv: false })]).toEqual([undefined, '700.601.001'])
  })

  test('about a cancelled agreement binds the merchant, and not the cardholder', () => {
    const declines = advised('21')
    expect(codeOf(declines)).toBeUndefined()
    const atMs = startMs + 400 * DAY_MS
    expect(codeOf(declines, { isMerchantInitiated: true, atMs })).toBe('700.601.021')
  })

  test('without a time ends with the card, or else with the retention of account data', () => {
    const ends = (code: MerchantAdviceCode, expiry: string | undefined) =>
      new Date(declinesExpireAtMs(advised(code, { expiry }))).toISOString()
    expect(ends('01', '2028-05')).toBe('2028-06-01T12:00:00.000Z')
    expect(ends('21', undefined)).toBe('2027-03-01T00:00:00.000Z')
    expect(ends('22', '2028-05')).toBe('2026-01-31T00:00:00.000Z')
  })

  test('of a code replaces the earlier one, and other advice stays until its end', () => {
    const later = decline({ atMs: startMs + DAY_MS, advice: '24' })
    const declines = declinesAfter(decline({ advice: '21' }), decline({ advice: '24' }), later)
    expect(declines.advices.map(({ code, atMs }) => [code, atMs])).toEqual([
      ['21', startMs],
      ['24', startMs + DAY_MS],
    ])
    const muchLater = decline({ atMs: startMs + 2 * DAY_MS, advice: '02' })
    expect(withDecline(declines, muchLater)?.advices.map(({ code }) => code)).toEqual(['21', '02'])
  })

  test('decides in the order of the rules', () => {
    const later = decline({ atMs: startMs + 1, advice: '24' })
    const all = declinesAfter(decline({ advice: '21' }), decline({ advice: '03' }), decline({ advice: '01' }), later)
    expect(codeOf(all, { isMerchantInitiated: true })).toBe('700.601.021')
    expect(codeOf(all)).toBe('700.601.003')
    const thirtyDays = declinesAfter(decline({ advice: '01' }), later)
    expect([codeOf(thirtyDays), codeOf(thirtyDays, { isAuthenticated: true })]).toEqual(['700.601.001', '700.600.024'])
  })
})

describe('a decline without advice', () => {
  test('that is permanent by its response forbids attempts like its usual advice', () => {
    const declines = declinesAfter(decline({ code: '800.100.159', response: '43' }))
    expect(codeOf(declines)).toBe('700.601.003')
    expect(codeOf(declines, { atMs: startMs + 30 * DAY_MS })).toBeUndefined()
  })

  test.each([
    ['is temporary', '51'],
    ['has no reason', '05'],
    ['is about the data', '54'],
    ['is unknown', 'ZZ'],
  ])('that %s is counted, and forbids nothing alone', (_, response) => {
    const declines = declinesAfter(decline({ response }))
    expect([declines.declinedAtMs, declines.advices, codeOf(declines)]).toEqual([[startMs], [], undefined])
  })

  test.each<readonly [string, Partial<IssuerDecline>]>([
    ['needs an authentication', { response: '1A', code: '300.100.100' }],
    ['has no issuer who could be asked again', { response: '94', code: '800.110.100' }],
    ['did not reach the issuer', { response: '91', code: '900.100.400' }],
    ['is about the merchant', { response: '03', code: '800.100.190' }],
    ['is about the format of the message', { response: '30', code: '800.100.156' }],
  ])('that %s is not counted', (_, changes) => {
    expect(withDecline(undefined, decline(changes))).toBeUndefined()
  })
})

describe('retries within 30 days', () => {
  const declinedDaily = (count: number) =>
    declinesAfter(...Array.from({ length: count }, (_, day) => decline({ atMs: startMs + day * DAY_MS })))

  test.each([
    ['VISA', 15],
    ['VISAELECTRON', 15],
    ['MASTER', 20],
    ['AMEX', 20],
  ] as const)('of %s are at most %d', (brand, max) => {
    const atMs = startMs + max * DAY_MS + HOUR_MS
    expect(codeOf(declinedDaily(max), { brand, atMs })).toBeUndefined()
    expect(codeOf(declinedDaily(max + 1), { brand, atMs })).toMatch(/^700\.600\./)
  })

  test('are refused with the shortest time that covers the wait, and permitted after it', () => {
    const declines = declinedDaily(16)
    const at = (days: number, ms = 0) => codeOf(declines, { brand: 'VISA', atMs: startMs + days * DAY_MS + ms })
    expect([at(16), at(20), at(29), at(30, -1), at(30)]).toEqual([
      '700.600.030',
      '700.600.030',
      '700.600.025',
      '700.600.024',
      undefined,
    ])
  })

  test('are kept for the largest number alone, and expire 30 days after the last', () => {
    const declines = declinedDaily(40)
    expect([declines.declinedAtMs.length, declines.declinedAtMs.at(-1)]).toEqual([21, startMs + 39 * DAY_MS])
    expect(declinesExpireAtMs(declines)).toBe(startMs + 69 * DAY_MS)
  })
})
