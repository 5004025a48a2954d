import { FieldError } from '@tollgate/iso8583'
import { describe, expect, it, test } from 'vitest'
import type { AcquirerAccount, AcquirerOperation } from '../../port.ts'
import { asciiText, card, elementsOf, fieldsOf, secretOf, secrets } from './testing/requests.ts'

const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && asciiText(bytes)

/** The places of an account number: fields 2, 102 and 103, and elements 24 and 25. */
function placesOf(
  account: AcquirerAccount | undefined,
  operation: AcquirerOperation = 'DB',
  parties: Readonly<Partial<Record<'sender' | 'recipient', string>>> = {},
) {
  const { sender, recipient } = parties
  const fields = fieldsOf({
    account,
    operation,
    secrets: secrets(
      ...(sender === undefined ? [] : [['sender.accountNumber', sender] as const]),
      ...(recipient === undefined ? [] : [['recipient.accountNumber', recipient] as const]),
    ),
  })
  const elements = elementsOf(fields[48])
  const places = {
    2: textOf(fields[2]),
    102: textOf(fields[102]),
    103: textOf(fields[103]),
    24: elements['24'],
    25: elements['25'],
  }
  return Object.fromEntries(Object.entries(places).filter(([, value]) => value !== undefined))
}

const iban = 'DE89370400440532013000'
const account = (kind: AcquirerAccount['kind'], number: string): AcquirerAccount =>
  card({ kind, number: secretOf(number) })

describe('the number of an account', () => {
  test.each([
    ['a card', card(), 'DB', { 2: '4200000000000091' }],
    ['a card of a credit', card(), 'CD', { 2: '4200000000000091' }],
    ['a token', account('tokenAccount', '4895370012003478'), 'DB', { 2: '4895370012003478' }],
    ['a gift card', account('giftCard', '6006490000000001'), 'DB', { 2: '6006490000000001' }],
    ['a gift card with letters', account('giftCard', 'GIFT-1'), 'DB', { 102: 'GIFT-1' }],
    ['a long gift card', account('giftCard', '1'.repeat(20)), 'DB', { 102: '1'.repeat(20) }],
    ['a bank account', account('bankAccount', iban), 'DB', { 102: iban }],
    ['a bank account of a credit', account('bankAccount', iban), 'CD', { 103: iban }],
    ['a bank account of a refund', account('bankAccount', iban), 'RF', { 103: iban }],
    ['a bank account of a reversal', account('bankAccount', iban), 'RV', { 102: iban }],
    ['a long bank account', account('bankAccount', `MT${'1'.repeat(29)}`), 'DB', { 24: `MT${'1'.repeat(29)}` }],
    ['a long account of a credit', account('bankAccount', `MT${'1'.repeat(29)}`), 'CD', { 25: `MT${'1'.repeat(29)}` }],
    ['a virtual account', account('virtualAccount', 'user@example.com'), 'DB', { 102: 'user@example.com' }],
    ['a card that a terminal encrypted', card({ number: undefined }), 'DB', {}],
    ['no account', undefined, 'CP', {}],
  ] as const)('of %s', (_, sent, operation, places) => {
    expect(placesOf(sent, operation)).toEqual(places)
  })

  test.each([
    ['a card', card(), 'DB', { 2: '4200000000000091', 102: 'S1', 103: 'R1' }],
    ['a card of a credit', card(), 'CD', { 2: '4200000000000091', 102: 'S1', 103: 'R1' }],
    ['a bank account', account('bankAccount', iban), 'DB', { 102: iban, 103: 'R1' }],
    ['a bank account of a credit', account('bankAccount', iban), 'CD', { 102: 'S1', 103: iban }],
    ['a capture, which has no field 103', card(), 'CP', { 2: '4200000000000091', 102: 'S1' }],
  ] as const)('of sender and recipient, with %s', (_, sent, operation, places) => {
    expect(placesOf(sent, operation, { sender: 'S1', recipient: 'R1' })).toEqual(places)
  })

  it('of a sender is left out if a field cannot hold its characters', () => {
    expect(placesOf(undefined, 'DB', { sender: 'Кonto', recipient: 'r'.repeat(32) })).toEqual({ 25: 'r'.repeat(32) })
  })
})

test.each([
  [{}, '3112'],
  [{ expiryMonth: undefined }, undefined],
  [{ expiryYear: undefined }, undefined],
] as const)('field 14 of a card with %j', (changes, expiry) => {
  expect(fieldsOf({ account: card(changes) })[14]).toBe(expiry)
})

describe('a PIN', () => {
  const placesOfPin = (data: string, ksn: string) => {
    const fields = fieldsOf({ secrets: secrets(['pos.encryptedPin.data', data]) }, { 'pos.encryptedPin.ksn': ksn })
    const { 22: key, 23: pin } = elementsOf(fields[48])
    const block = fields[52] && Buffer.from(fields[52]).toString('hex')
    return [block, fields[53], key, pin]
  }

  test.each([
    // data, serial number, fields 52 and 53, elements 22 and 23
    ['0123456789abCDEF', '1234567890123456', ['0123456789abcdef', '1234567890123456', undefined, undefined]],
    ['0123456789ABCDEF', 'FFFF9876543210E00001', ['0123456789abcdef', undefined, 'FFFF9876543210E00001', undefined]],
    ['0123456789ABCDEG', '1', [undefined, undefined, '1', '0123456789ABCDEG']],
    ['0123', '12345678901234567', [undefined, undefined, '12345678901234567', '0123']],
  ] as const)('%s under the key %s', (data, ksn, places) => {
    expect(placesOfPin(data, ksn)).toEqual(places)
  })

  const offlineApproval = { approvalCode: 'Y1', responseCode: 'Y1', date: undefined, time: undefined }

  test.each([
    ['a payment', { operation: 'DB' }, true],
    ['a refund at a terminal', { operation: 'RF' }, true],
    ['a capture', { operation: 'CP' }, false],
    ['a reversal', { operation: 'RV' }, false],
    ['a sale that was approved offline', { operation: 'DB', offlineApproval }, false],
  ] as const)('of %s: %j', (_, changes, isSent) => {
    const { 52: block, 53: key } = fieldsOf(
      { ...changes, secrets: secrets(['pos.encryptedPin.data', '0123456789ABCDEF']) },
      { 'pos.encryptedPin.ksn': '1234567890123456' },
    )
    expect([block !== undefined, key !== undefined]).toEqual([isSent, isSent])
  })
})

describe('a card that a terminal encrypted', () => {
  const partsOf = (chars: number, operation: AcquirerOperation = 'DB') => {
    const {
      124: first,
      125: second,
      126: third,
    } = fieldsOf({
      account: card({ number: undefined }),
      operation,
      secrets: secrets(['pos.encryptedSred.data', 'A'.repeat(chars - 1) + 'Z']),
    })
    return [first, second, third].map((part) => part && `${part.length}${asciiText(part).at(-1)}`)
  }

  test.each([
    [1, ['1Z', undefined, undefined]],
    [999, ['999Z', undefined, undefined]],
    [1_000, ['999A', '1Z', undefined]],
    [2_048, ['999A', '999A', '50Z']],
  ] as const)('of %d characters is in fields of 999', (chars, parts) => {
    expect(partsOf(chars)).toEqual(parts)
  })

  test.each([
    ['PA', true],
    ['CD', true],
    ['RF', true],
    ['CP', false],
    ['RV', false],
  ] as const)('is in a %s: %s', (operation, isSent) => {
    expect(partsOf(10, operation)[0] !== undefined).toBe(isSent)
  })
})

describe('data of the chip', () => {
  const iccOf = (data: string) => fieldsOf({ secrets: secrets(['pos.iccDataRequest', data]) })[55]

  it('are the bytes of the hexadecimal digits', () => {
    expect(Buffer.from(iccOf('9f2602AABB9A03261120') ?? []).toString('hex')).toBe('9f2602aabb9a03261120')
  })

  test.each([
    ['other letters', '9F2602AAXX', 'field 55: must be hexadecimal digits'],
    ['half a byte', '9F2602AAB', 'field 55: must be hexadecimal digits'],
    ['an element that ends early', '9F2608AABB', 'field 55 at byte 0: must not end within an element'],
    ['too many bytes', `5A8201F1${'00'.repeat(497)}`, 'field 55: must have at most 499 bytes'],
  ] as const)('with %s are refused', (_, data, message) => {
    expect(() => iccOf(data)).toThrow(FieldError)
    expect(() => iccOf(data)).toThrow(message)
  })
})
