import { encodeIccData } from '@tollgate/iso8583'
import { describe, expect, test } from 'vitest'
import type { HostMessage } from './host-message.ts'
import { receiptTexts } from './receipt-texts.ts'
import { capture, credit, increment, reversal, testConversations } from './testing/conversations.ts'
import { mastercard, originalDataOf, testMessage, visa } from './testing/messages.ts'
import { TestHost } from './testing/test-host.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

/** Fields of a message whose card a terminal has encrypted; every read of a card gives another block. */
const encrypted = (block = 'E5ED1C0DE5ED1C0D'): HostMessage['fields'] => ({
  2: undefined,
  14: undefined,
  124: bytes(block),
})
/** Fields of a message without any card. */
const cardless: HostMessage['fields'] = { 2: undefined, 14: undefined }
const more = { fields: cardless }

testConversations([
  [
    'a hold of an encrypted card is increased, captured, refunded and reversed without the card',
    [
      ['hold', { type: '0100', fields: encrypted() }, '00'],
      ['increase', increment(800, more), '00'],
      ['first', capture('hold', 6000, more), '00'],
      ['second', capture('hold', 4000, more), '00'],
      ['refund', credit(1000, { network: 'hold', ...more }), '00'],
      ['reversal', reversal('second', 4000, more), '00'],
    ],
    {
      transactions: [
        'authorisation partlyRefunded 10000 6000 1000 0',
        'increment approved 800 0 0 0',
        'capture captured 0 6000 0 0',
        'capture reversed 0 0 0 4000',
        'refund credited 0 0 1000 0',
      ],
    },
  ],
  [
    'a refund at a terminal has another block, and is that of the original card',
    [
      ['sale', { type: '0200', fields: encrypted() }, '00'],
      ['refund', credit(1000, { network: 'sale', fields: encrypted('0DDB10C0') }), '00'],
    ],
    { transactions: ['sale partlyRefunded 9200 9200 1000 0', 'refund credited 0 0 1000 0'] },
  ],
  [
    'the reversal of a message with an encrypted card may arrive first',
    [
      [
        'reversal',
        { type: '0420', fields: { ...cardless, 90: originalDataOf(testMessage({ type: '0200', stan: 2 })) } },
        '25',
      ],
      ['sale', { type: '0200', fields: encrypted() }, '12'],
    ],
    { transactions: ['sale declined 0 0 0 0'] },
  ],
  [
    'a follow-up without a card number is refused for other cards, and for unknown payments',
    [
      ['hold', { type: '0100' }, '00'],
      ['capture', capture('hold', 9200, more), '77'],
      ['reversal', reversal('hold', 9200, more), '77'],
      ['refund', credit(1000, { network: 'hold', ...more }), '14'],
      [
        'unknown',
        { type: '0220', fields: { ...cardless, 90: originalDataOf(testMessage({ type: '0100', stan: 99 })) } },
        '25',
      ],
      ['sale', { type: '0200', ...more }, '30'],
    ],
    {
      transactions: [
        'authorisation open 9200 0 0 0',
        'capture declined 0 0 0 0',
        'refund declined 0 0 0 0',
        'capture declined 0 0 0 0',
      ],
    },
  ],
  [
    'a card number is not that of an encrypted card',
    [
      ['hold', { type: '0100', fields: encrypted() }, '00'],
      ['capture', capture('hold', 9200, { card: mastercard }), '77'],
    ],
    { transactions: ['authorisation open 9200 0 0 0', 'capture declined 0 0 0 0'] },
  ],
  [
    'an amount selects the response for an encrypted card',
    [['sale', { type: '0200', amount: 1_000_055, fields: encrypted() }, '55']],
    { transactions: ['sale declined 0 0 0 0'] },
  ],
  [
    'a sale that was approved offline cannot be declined for lack of funds',
    [['sale', { type: '0220', amount: 20_000, card: '4999990000010006', fields: { 38: 'Y1', 39: 'Y1' } }, '00']],
    { transactions: ['sale captured 20000 20000 0 0'] },
  ],
])

test('a repeat of an advice with an encrypted card gets the first answer', () => {
  const host = new TestHost()
  expect(host.step('sale', { type: '0220', fields: encrypted() }).fields[39]).toBe('00')
  expect(host.repeat('sale', '0221').fields[39]).toBe('00')
  expect(host.transactions).toEqual(['sale captured 9200 9200 0 0'])
})

describe('the answer to data of a chip', () => {
  const chipData = encodeIccData([{ tag: '9F26', value: Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7) }])
  const dataIn = (fields: HostMessage['fields']): string | undefined =>
    fields[55] && Buffer.from(fields[55]).toString('hex')

  // Expected values by `openssl enc -des-ede -nopad -K 0123456789ABCDEFFEDCBA9876543210` of the request's cryptogram
  // XOR the response code, and of the command of the script.
  test.each([
    ['an approval', 9200, '910add3d4c4ceddf718e30308a023030'],
    ['a decline', 1_000_051, '910a22c20b57f704575435318a023531'],
    [
      'a stolen card, which the issuer blocks',
      1_000_043,
      '910aa3cb9157033b7cbc34338a02343372169f180400000001860d841e0000084833ab45b47ecd90',
    ],
  ])('has the cryptogram of the issuer: %s', (_, amount, data) => {
    expect(dataIn(new TestHost().step('', { type: '0200', amount, fields: { 55: chipData } }).fields)).toBe(data)
  })

  test.each([
    ['data that are damaged', '9F2608AABB', '30', undefined],
    ['data without a cryptogram', '9A03260504', '00', '910a'],
  ])('has the code of %s', (_, hex, code, beginning) => {
    const { fields } = new TestHost().step('', {
      type: '0200',
      fields: { 55: Uint8Array.from(Buffer.from(hex, 'hex')) },
    })
    expect([fields[39], dataIn(fields)?.slice(0, 4)]).toEqual([code, beginning])
  })

  test('is empty for an advice, which the issuer does not answer', () => {
    expect(dataIn(new TestHost().step('', { type: '0220', fields: { 55: chipData } }).fields)).toBeUndefined()
  })
})

describe('the text for the receipt', () => {
  const textTo = (amount: number, terminal?: string): string | undefined => {
    const { 48: data } = new TestHost().step('', { type: '0200', amount, fields: { 60: terminal } }).fields
    return /28\d{3}(?<text>.*)$/.exec(Buffer.from(data ?? []).toString('latin1'))?.groups?.['text']
  }

  test('is in the answer to a terminal, if the host has one', () => {
    expect([textTo(1_000_055, 'T100242'), textTo(1_000_055), textTo(9200, 'T100242')]).toEqual([
      'WRONGPIN',
      undefined,
      undefined,
    ])
  })

  test.each(Object.entries(receiptTexts))('of response %s has letters and digits only: %s', (code, text) => {
    expect([code, text]).toEqual([expect.stringMatching(/^[0-9A-Z]{2}$/), expect.stringMatching(/^[A-Z]{1,24}$/)])
  })
})

test('the view of a transaction shows the data of the terminal, and no PIN and no card', () => {
  const host = new TestHost()
  const pin = Uint8Array.from(Buffer.from('D1A1D1A1D1A1D1A1', 'hex'))
  host.step('', {
    type: '0200',
    fields: { ...encrypted(), 22: '051', 23: '001', 25: '00', 52: pin, 60: 'T100242', 61: 'P40017' },
  })
  const [transaction] = host.views
  expect(transaction).toMatchObject({
    card: 'encrypted',
    pointOfSale: {
      entryMode: '051',
      cardSequence: '001',
      condition: '00',
      localTime: '1120103015',
      terminal: 'T100242',
      sale: 'P40017',
      hasPin: true,
      hasChipData: false,
    },
  })
  const text = JSON.stringify([transaction, host.entries])
  expect(['E5ED1C0D', 'D1A1', visa].filter((secret) => text.includes(secret))).toEqual([])
})
