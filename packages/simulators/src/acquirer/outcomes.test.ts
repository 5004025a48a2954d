import { decodePrivateData, encodeIccData } from '@tollgate/iso8583'
import { describe, expect, test } from 'vitest'
import { amountOutcomes, outcomeAmountMinor, outcomeOfAmount } from './amount-outcomes.ts'
import { cardOutcomes } from './card-outcomes.ts'
import type { HostMessage } from './host-message.ts'
import { mastercard, visa } from './testing/messages.ts'
import { TestHost, type TestStep } from './testing/test-host.ts'

const text = (value: Uint8Array | undefined): string | undefined =>
  value === undefined ? undefined : Buffer.from(value).toString('latin1')

const answer = (step: TestStep): HostMessage['fields'] => new TestHost().step('', step).fields

const adviceOf = ({ 48: data }: HostMessage['fields']): string | undefined =>
  data === undefined ? undefined : text(decodePrivateData(data).get('09'))

describe('the table of cards', () => {
  test('has a card for each response code that a client treats in its own way, and no card twice', () => {
    const codes = new Set(cardOutcomes.map(({ code }) => code))
    for (const code of '04 05 10 14 41 43 51 54 57 59 61 62 65 75 91 96 N7 R0 R1 R3 1A'.split(' '))
      expect(codes).toContain(code)
    expect(new Set(cardOutcomes.map(({ number }) => number)).size).toBe(cardOutcomes.length)
  })

  test.each(cardOutcomes)('$number has code $code', ({ number, code = '00' }) => {
    for (const type of ['0100', '0200']) expect(answer({ type, card: number, amount: 100 })[39]).toBe(code)
    const verified = code === '00' || code === '10' ? '85' : code
    expect(answer({ type: '0100', card: number, amount: 0, fields: { 25: '51' } })[39]).toBe(verified)
    expect(answer({ type: '0200', card: number, processing: '20' })[39]).toBe('00')
  })
})

test.each(Object.entries(amountOutcomes))('an amount from 10,000.00 on that ends in %s has code %s', (digits, code) => {
  const amount = outcomeAmountMinor + Number(digits)
  for (const type of ['0100', '0200']) expect(answer({ type, amount })[39]).toBe(code)
  expect(answer({ type: '0200', processing: '20', amount })[39]).toBe(code)
  expect(answer({ type: '0220', amount })[39]).toBe('00')
})

test.each([
  [999_951, undefined],
  [1_000_000, undefined],
  [1_000_051, '51'],
  [1_000_102, undefined],
  [2_345_671, '1A'],
])('the amount %i selects %s', (amountMinor, code) => {
  expect(outcomeOfAmount(amountMinor)).toBe(code)
})

test.each([
  ['4999990000000056', '02'],
  ['4999990000000411', '03'],
  ['4999990000000544', '01'],
  ['4999990000009271', '21'],
  ['4999990000000635', undefined],
  [visa, undefined],
])('the card %s has merchant advice %s', (card, advice) => {
  expect(adviceOf(answer({ type: '0100', card }))).toBe(advice)
})

test.each([
  ['an expired card', { fields: { 14: '2610' } }, '54'],
  ['the last month of a card', { fields: { 14: '2611' } }, '00'],
  ['a card without expiry', { fields: { 14: undefined } }, '00'],
  ['a wrong check digit', { card: '4200000000000092' }, '14'],
  ['a short number', { card: '42000000000' }, '14'],
  ['a UnionPay card without check digit', { card: '6200000000000000001' }, '00'],
  ['an authentication value of 28 characters', { data: { '03': 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' } }, '00'],
  ['a shorter authentication value', { data: { '03': 'MTIzNDU2Nzg5MDEyMzQ1Njc4OQ==='.slice(0, 27) } }, '30'],
  ['an early check before a later one', { card: '4999990000000056', amount: 0, data: { '03': 'x' } }, '13'],
] as const)('%s', (_name, step, code) => {
  expect(answer({ type: '0100', ...step })[39]).toBe(code)
})

const resultRows: readonly (readonly [cvv: string | undefined, address: string | undefined, results: string])[] = [
  [undefined, undefined, '5U        P'],
  ['000', undefined, '5U        N'],
  ['0000', undefined, '5U        N'],
  ['123', 'MAIN ST 1/80331', '5Y        M'],
  [undefined, '80331', '5Y        P'],
  ['123', 'MAIN ST/00000', '5N        M'],
  ['123', 'MAIN ST/11111', '5A        M'],
  ['123', 'MAIN ST/22222', '5Z        M'],
  ['123', 'MAIN ST/33333', '5U        M'],
]

test.each(resultRows)('cvv %s and address %s have the results "%s"', (cvv, address, results) => {
  const data = { ...(cvv !== undefined && { '01': cvv }), ...(address !== undefined && { '10': address }) }
  for (const card of [visa, '4999990000000056']) expect(answer({ type: '0100', card, data })[44]).toBe(results)
  expect(answer({ type: '0100', amount: 0, data, fields: { 25: '51' } })[44]).toBe(results)
})

test.each([
  [visa, '400000000000001'],
  [mastercard, '500000001112000'],
  ['379999000000006', '300000000000001'],
])('the card %s has the network transaction id %s', (card, networkId) => {
  expect(answer({ type: '0100', card })[62]).toBe(networkId)
})

test('an approval has the fields of the request and of the host', () => {
  const { 2: number, ...fields } = answer({ type: '0100', fields: { 33: '9' } })
  expect(text(number)).toBe(visa)
  expect(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))).toEqual({
    3: '000000',
    4: '000000009200',
    7: '1120093015',
    11: '000001',
    12: '103015',
    13: '1120',
    15: '1120',
    25: '59',
    32: '400123',
    33: '9',
    37: '432410000001',
    38: '000001',
    39: '00',
    41: 'TERM0001',
    42: 'MERCHANT0000001',
    44: '5U        P',
    49: '978',
    62: '400000000000001',
  })
})

test('a decline has neither approval code nor settlement date', () => {
  const fields = answer({ type: '0100', card: '4999990000000056' })
  expect([fields[15], fields[38], fields[62]]).toEqual([undefined, undefined, undefined])
})

test('a missing reference number is created from date and trace number', () => {
  expect(answer({ type: '0100', stan: 123, fields: { 37: undefined } })[37]).toBe('632409000123')
})

test('field 54 has the original amount of a partial approval, and the balance', () => {
  const partial = answer({ type: '0100', card: '4999990000000106', amount: 9200 })
  expect([partial[4], partial[54]]).toEqual(['4600', '0057978C000000009200'])
  const card = '4999990000010006'
  expect(answer({ type: '0200', processing: '30', card, amount: 0 })[54]).toBe('0002978C000000010000')
})

test('an inquiry shows at most twelve digits', () => {
  const host = new TestHost()
  host.step('payout', { type: '0200', processing: '26', amount: 999_999_999_900 })
  expect(host.step('', { type: '0100', processing: '30', amount: 0 }).fields[54]).toBe('0002978C999999999999')
})

test('an inquiry shows an overdrawn balance', () => {
  const host = new TestHost()
  const card = '4999990000010006'
  host.step('offline', { type: '0220', card, amount: 10_001 })
  expect(host.step('', { type: '0100', processing: '30', card, amount: 0 }).fields[54]).toBe('0002978D000000000001')
})

const bytes = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, 'latin1'))
const packed = (tag: string, hex: string): Uint8Array =>
  encodeIccData([{ tag, value: Uint8Array.from(Buffer.from(hex, 'hex')) }])

test.each([
  ['track 2', { 35: bytes('4999990000000056=31122011234') }],
  ['the number of a chip', { 55: packed('5A', '4999990000000056') }],
  ['track 2 of a chip', { 55: packed('57', '4999990000000056D31122011234567F') }],
])('the card number is read from %s', (_name, fields) => {
  expect(answer({ type: '0100', fields: { 2: undefined, ...fields } })[39]).toBe('05')
})
