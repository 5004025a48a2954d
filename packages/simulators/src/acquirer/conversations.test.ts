import { describe, expect, test } from 'vitest'
import { defaultAvailableMinor } from './card-outcomes.ts'
import { mastercard, visa } from './testing/messages.ts'
import { TestHost, type TestStep } from './testing/test-host.ts'

/** A step with its name and the expected response code. */
type Row = readonly [name: string, step: TestStep, code: string]

interface Expected {
  /** Kind, state, and the amounts authorised, captured, refunded, reversed. */
  readonly transactions: readonly string[]
  /** The amount that the card has less than at the beginning. */
  readonly spent?: number
  /** Count and amount of credits, their reversals, debits and their reversals. */
  readonly totals?: string
}

type Conversation = readonly [title: string, rows: readonly Row[], expected: Expected]

const hold = (amount = 9200): Row => ['hold', { type: '0100', amount }, '00']
const sale = (amount = 9200): Row => ['sale', { type: '0200', amount }, '00']
const capture = (name: string, amount: number, more: Partial<TestStep> = {}): TestStep => ({
  type: '0220',
  amount,
  of: name,
  ...more,
})
const credit = (amount: number, more: Partial<TestStep> = {}): TestStep => ({
  type: '0200',
  processing: '20',
  amount,
  ...more,
})
const increment = (amount: number, more: Partial<TestStep> = {}): TestStep => ({
  type: '0100',
  amount,
  network: 'hold',
  data: { '07': '5' },
  ...more,
})
const reversal = (of: string, amount: number, more: Partial<TestStep> = {}): TestStep => ({
  type: '0400',
  of,
  amount,
  ...more,
})

const conversations: readonly Conversation[] = [
  ['a hold', [hold()], { transactions: ['authorisation open 9200 0 0 0'], spent: 9200 }],
  ['a sale', [sale()], { transactions: ['sale captured 9200 9200 0 0'], spent: 9200, totals: '0:0 0:0 1:9200 0:0' }],
  [
    'purchases with cashback, and funding of an account',
    [
      ['cashback', { type: '0200', processing: '09', amount: 100 }, '00'],
      ['funding', { type: '0200', processing: '10', amount: 200 }, '00'],
      ['held funding', { type: '0100', processing: '10', amount: 300 }, '00'],
    ],
    {
      transactions: ['sale captured 100 100 0 0', 'sale captured 200 200 0 0', 'authorisation open 300 0 0 0'],
      spent: 600,
    },
  ],
  [
    'a verification of an account changes no amount',
    [['verification', { type: '0100', amount: 0, fields: { 25: '51' } }, '85']],
    { transactions: ['verification approved 0 0 0 0'] },
  ],
  [
    'an amount of a verification, and a purchase without an amount',
    [
      ['verification', { type: '0100', amount: 100, fields: { 25: '51' } }, '13'],
      ['hold', { type: '0100', amount: 0 }, '13'],
      ['sale', { type: '0200', amount: 0 }, '13'],
    ],
    { transactions: ['verification declined 0 0 0 0', 'authorisation declined 0 0 0 0', 'sale declined 0 0 0 0'] },
  ],
  [
    'other processing codes are invalid',
    [
      ['other', { type: '0200', processing: '21' }, '12'],
      ['payout as authorisation', { type: '0100', processing: '26' }, '12'],
      ['payout as advice', { type: '0220', processing: '26' }, '12'],
    ],
    { transactions: [] },
  ],

  // Captures
  [
    'a full capture',
    [hold(), ['capture', capture('hold', 9200), '00']],
    {
      transactions: ['authorisation captured 9200 9200 0 0', 'capture captured 0 9200 0 0'],
      spent: 9200,
      totals: '0:0 0:0 1:9200 0:0',
    },
  ],
  [
    'captures never exceed the hold',
    [
      hold(),
      ['first', capture('hold', 6000), '00'],
      ['too much', capture('hold', 3201), '64'],
      ['second', capture('hold', 3200), '00'],
      ['third', capture('hold', 1), '64'],
    ],
    {
      transactions: [
        'authorisation captured 9200 9200 0 0',
        'capture captured 0 6000 0 0',
        'capture declined 0 0 0 0',
        'capture captured 0 3200 0 0',
        'capture declined 0 0 0 0',
      ],
      spent: 9200,
      totals: '0:0 0:0 2:9200 0:0',
    },
  ],
  [
    'a final capture releases the remainder',
    [
      hold(),
      ['capture', capture('hold', 6000, { data: { '14': 'F' } }), '00'],
      ['second', capture('hold', 1), '12'],
      ['increment', increment(100), '12'],
      ['reversal', reversal('hold', 9200, { remaining: 6000 }), '21'],
    ],
    {
      transactions: [
        'authorisation captured 9200 6000 0 0',
        'capture captured 0 6000 0 0',
        'capture declined 0 0 0 0',
        'increment declined 0 0 0 0',
      ],
      spent: 6000,
    },
  ],
  [
    'the last capture of its count is final, unless the indicator states otherwise',
    [
      hold(),
      ['first', capture('hold', 1000, { data: { '13': '0102' } }), '00'],
      ['second', capture('hold', 1000, { data: { '13': '0202', '14': 'N' } }), '00'],
      ['third', capture('hold', 1000, { data: { '13': '0303' } }), '00'],
      ['fourth', capture('hold', 1000), '12'],
    ],
    {
      transactions: [
        'authorisation captured 9200 3000 0 0',
        'capture captured 0 1000 0 0',
        'capture captured 0 1000 0 0',
        'capture captured 0 1000 0 0',
        'capture declined 0 0 0 0',
      ],
      spent: 3000,
    },
  ],
  [
    'a capture names its authorisation by field 62, or by field 37',
    [
      hold(),
      ['by id', capture('hold', 1000, { network: 'hold', fields: { 90: undefined } }), '00'],
      ['by number', capture('hold', 1000, { fields: { 37: '432410000001', 90: undefined } }), '00'],
    ],
    {
      transactions: [
        'authorisation partlyCaptured 9200 2000 0 0',
        'capture captured 0 1000 0 0',
        'capture captured 0 1000 0 0',
      ],
    },
  ],
  [
    'a capture of an unknown, a declined, a reversed or another transaction',
    [
      hold(),
      sale(100),
      ['declined', { type: '0100', card: '4999990000000056' }, '05'],
      ['unknown', capture('hold', 1000, { fields: { 90: `0100999999${'0'.repeat(32)}` } }), '25'],
      ['unknown id', capture('', 1000, { fields: { 62: '400000000000999' } }), '25'],
      ['of declined', capture('declined', 1000, { card: '4999990000000056' }), '12'],
      ['of a sale', capture('sale', 100), '12'],
      ['other card', capture('hold', 1000, { card: mastercard }), '77'],
      ['other currency', capture('hold', 1000, { currency: '840' }), '77'],
      ['other terminal', capture('hold', 1000, { terminal: 'TERM0002' }), '25'],
      ['no amount', capture('hold', 0), '13'],
      ['reversal', reversal('hold', 9200), '00'],
      ['of reversed', capture('hold', 1000), '12'],
    ],
    {
      transactions: [
        'authorisation reversed 0 0 0 9200',
        'sale captured 100 100 0 0',
        'authorisation declined 0 0 0 0',
        ...Array.from({ length: 8 }, () => 'capture declined 0 0 0 0'),
        'capture declined 0 0 0 0',
      ],
      spent: 100,
    },
  ],
  [
    'an advice without an original is an offline sale, whatever the balance',
    [
      ['offline', { type: '0220', card: '4999990000010006', amount: 20_000 }, '00'],
      ['invalid card', { type: '0220', card: '4200000000000092' }, '14'],
    ],
    {
      transactions: ['sale captured 20000 20000 0 0', 'sale declined 0 0 0 0'],
      totals: '0:0 0:0 1:20000 0:0',
    },
  ],

  // Increments
  [
    'an increment raises the hold, and is captured',
    [hold(), ['increment', increment(800), '00'], ['capture', capture('hold', 10_000), '00']],
    {
      transactions: [
        'authorisation captured 10000 10000 0 0',
        'increment approved 800 0 0 0',
        'capture captured 0 10000 0 0',
      ],
      spent: 10_000,
    },
  ],
  [
    'an increment names the hold by element 08, or by field 90; an increment is no hold of its own',
    [
      hold(),
      ['by element', { type: '0100', amount: 100, data: { '07': '5', '08': '400000000000001' } }, '00'],
      ['by field', increment(200, { network: '', of: 'hold' }), '00'],
      ['of increment', increment(300, { network: '', of: 'by field' }), '00'],
      ['unknown', { type: '0100', data: { '07': '5', '08': '400000000000999' } }, '25'],
      ['no name', { type: '0100', data: { '07': '5' } }, '25'],
      ['too much', increment(defaultAvailableMinor), '51'],
    ],
    {
      transactions: [
        'authorisation open 9800 0 0 0',
        'increment approved 100 0 0 0',
        'increment approved 200 0 0 0',
        'increment approved 300 0 0 0',
        'increment declined 0 0 0 0',
        'increment declined 0 0 0 0',
        'increment declined 0 0 0 0',
      ],
      spent: 9800,
    },
  ],
  [
    'an increment is reversed, unless it is captured',
    [
      hold(),
      ['first', increment(800), '00'],
      ['second', increment(500), '00'],
      ['partial', reversal('first', 800, { remaining: 100 }), '64'],
      ['reversal', reversal('first', 800), '00'],
      ['again', reversal('first', 800), '79'],
      ['capture', capture('hold', 9300), '00'],
      ['of captured', reversal('second', 500), '64'],
    ],
    {
      transactions: [
        'authorisation partlyCaptured 9700 9300 0 800',
        'increment reversed 0 0 0 800',
        'increment approved 500 0 0 0',
        'capture captured 0 9300 0 0',
      ],
      spent: 9700,
    },
  ],

  // Refunds and payouts
  [
    'refunds never exceed the captured amount',
    [
      sale(),
      ['first', credit(1000, { network: 'sale' }), '00'],
      ['too much', credit(8201, { network: 'sale' }), '64'],
      ['second', credit(8200, { of: 'sale' }), '00'],
      ['third', credit(1, { network: 'sale' }), '64'],
    ],
    {
      transactions: [
        'sale refunded 9200 9200 9200 0',
        'refund credited 0 0 1000 0',
        'refund declined 0 0 0 0',
        'refund credited 0 0 8200 0',
        'refund declined 0 0 0 0',
      ],
      spent: 0,
      totals: '2:9200 0:0 1:9200 0:0',
    },
  ],
  [
    'a refund of a hold counts against its captures',
    [
      hold(),
      ['too early', credit(1, { network: 'hold' }), '64'],
      ['capture', capture('hold', 5000), '00'],
      ['too much', credit(5001, { of: 'capture' }), '64'],
      ['refund', credit(2000, { of: 'capture' }), '00'],
    ],
    {
      transactions: [
        'authorisation partlyRefunded 9200 5000 2000 0',
        'refund declined 0 0 0 0',
        'capture captured 0 5000 0 0',
        'refund declined 0 0 0 0',
        'refund credited 0 0 2000 0',
      ],
      spent: 7200,
    },
  ],
  [
    'a refund without a reference, a refund advice and a payout credit the card',
    [
      ['refund', credit(1000), '00'],
      ['advice', { ...credit(500), type: '0220' }, '00'],
      ['payout', { type: '0200', processing: '26', amount: 2000 }, '00'],
      ['reversal', reversal('payout', 2000, { processing: '26' }), '00'],
    ],
    {
      transactions: ['refund credited 0 0 1000 0', 'refund credited 0 0 500 0', 'payout reversed 0 0 0 2000'],
      spent: -1500,
      totals: '3:3500 1:2000 0:0 0:0',
    },
  ],
  [
    'a refund to an unknown payment, to another card, or without an amount',
    [
      sale(),
      ['unknown', credit(100, { fields: { 62: '400000000000999' } }), '25'],
      ['other card', credit(100, { network: 'sale', card: mastercard }), '77'],
      ['no amount', credit(0, { network: 'sale' }), '13'],
      ['invalid card', credit(100, { card: '4200000000000092' }), '14'],
      ['payout', { type: '0200', processing: '26', amount: 0 }, '13'],
    ],
    {
      transactions: [
        'sale captured 9200 9200 0 0',
        ...Array.from({ length: 4 }, () => 'refund declined 0 0 0 0'),
        'payout declined 0 0 0 0',
      ],
    },
  ],
  [
    'a reversed refund can be repeated',
    [
      sale(),
      ['first', credit(9200, { network: 'sale' }), '00'],
      ['reversal', reversal('first', 9200, { processing: '20' }), '00'],
      ['second', credit(9200, { network: 'sale' }), '00'],
      ['partial', reversal('second', 9200, { processing: '20', remaining: 1 }), '64'],
    ],
    {
      transactions: ['sale refunded 9200 9200 9200 0', 'refund reversed 0 0 0 9200', 'refund credited 0 0 9200 0'],
      spent: 0,
      totals: '2:18400 1:9200 1:9200 0:0',
    },
  ],

  // Reversals
  [
    'a hold is reversed once',
    [hold(), ['reversal', reversal('hold', 9200), '00'], ['again', reversal('hold', 9200), '79']],
    { transactions: ['authorisation reversed 0 0 0 9200'], spent: 0 },
  ],
  [
    'a hold is reversed in parts, and its captures stay',
    [
      hold(),
      ['capture', capture('hold', 5000), '00'],
      ['first', reversal('hold', 9200, { remaining: 6000 }), '00'],
      ['below captures', reversal('hold', 9200, { remaining: 4999 }), '64'],
      ['above hold', reversal('hold', 9200, { remaining: 6001 }), '64'],
      ['full', reversal('hold', 9200), '64'],
      ['second', reversal('hold', 6000, { remaining: 5000 }), '00'],
    ],
    {
      transactions: ['authorisation captured 5000 5000 0 4200', 'capture captured 0 5000 0 0'],
      spent: 5000,
    },
  ],
  [
    'the reversal of an increased hold releases all of it',
    [
      hold(),
      ['increment', increment(800), '00'],
      ['reversal', reversal('hold', 9200), '00'],
      ['again', increment(1), '12'],
    ],
    {
      transactions: [
        'authorisation reversed 0 0 0 10000',
        'increment approved 800 0 0 0',
        'increment declined 0 0 0 0',
      ],
      spent: 0,
    },
  ],
  [
    'a capture is reversed in full, and its amount is held again',
    [
      hold(),
      ['capture', capture('hold', 5000), '00'],
      ['partial', reversal('capture', 5000, { remaining: 1 }), '64'],
      ['reversal', reversal('capture', 5000), '00'],
      ['second', capture('hold', 9200), '00'],
    ],
    {
      transactions: [
        'authorisation captured 9200 9200 0 0',
        'capture reversed 0 0 0 5000',
        'capture captured 0 9200 0 0',
      ],
      spent: 9200,
      totals: '0:0 0:0 2:14200 1:5000',
    },
  ],
  [
    'a reversed final capture returns its amount to the card',
    [
      hold(),
      ['capture', capture('hold', 5000, { data: { '14': 'F' } }), '00'],
      ['reversal', reversal('capture', 5000), '00'],
      ['second', capture('hold', 1), '12'],
    ],
    {
      transactions: ['authorisation reversed 9200 0 0 0', 'capture reversed 0 0 0 5000', 'capture declined 0 0 0 0'],
      spent: 0,
    },
  ],
  [
    'a refunded capture is not reversed',
    [
      hold(),
      ['capture', capture('hold', 5000), '00'],
      ['refund', credit(1, { of: 'capture' }), '00'],
      ['reversal', reversal('capture', 5000), '64'],
    ],
    {
      transactions: [
        'authorisation partlyRefunded 9200 5000 1 0',
        'capture captured 0 5000 0 0',
        'refund credited 0 0 1 0',
      ],
    },
  ],
  [
    'a sale is reversed in parts down to its refunds',
    [
      sale(),
      ['refund', credit(1000, { of: 'sale' }), '00'],
      ['full', reversal('sale', 9200), '64'],
      ['above', reversal('sale', 9200, { remaining: 9201 }), '64'],
      ['partial', reversal('sale', 9200, { remaining: 1000 }), '00'],
    ],
    {
      transactions: ['sale refunded 1000 1000 1000 8200', 'refund credited 0 0 1000 0'],
      spent: 0,
      totals: '1:1000 0:0 1:9200 1:8200',
    },
  ],
  [
    'a reversal with another card, amount or original',
    [
      hold(),
      ['declined', { type: '0100', card: '4999990000000056' }, '05'],
      ['other card', reversal('hold', 9200, { card: mastercard }), '77'],
      ['other amount', reversal('hold', 9100), '64'],
      ['of declined', reversal('declined', 9200, { card: '4999990000000056' }), '21'],
      ['verification', { type: '0100', amount: 0, fields: { 25: '51' } }, '85'],
      ['of verification', reversal('verification', 0), '00'],
    ],
    {
      transactions: [
        'authorisation open 9200 0 0 0',
        'authorisation declined 0 0 0 0',
        'verification reversed 0 0 0 0',
      ],
      spent: 9200,
    },
  ],
  [
    'a reversal of a reversal is unknown',
    [hold(), ['reversal', reversal('hold', 9200), '00'], ['again', reversal('reversal', 9200), '25']],
    { transactions: ['authorisation reversed 0 0 0 9200'], spent: 0 },
  ],
  [
    'a timeout reversal takes effect by advice',
    [sale(), ['timeout', reversal('sale', 9200, { type: '0420', fields: { 39: '68' } }), '00']],
    { transactions: ['sale reversed 0 0 0 9200'], spent: 0, totals: '0:0 0:0 1:9200 1:9200' },
  ],

  // Funds
  [
    'a purchase above the balance',
    [
      ['first', { type: '0200', card: '4999990000010006', amount: 9000 }, '00'],
      ['second', { type: '0200', card: '4999990000010006', amount: 1001 }, '51'],
      ['third', { type: '0100', card: '4999990000010006', amount: 1000 }, '00'],
      ['other currency', { type: '0100', card: '4999990000010006', amount: 10_000, currency: '840' }, '00'],
    ],
    {
      transactions: [
        'sale captured 9000 9000 0 0',
        'sale declined 0 0 0 0',
        'authorisation open 1000 0 0 0',
        'authorisation open 10000 0 0 0',
      ],
    },
  ],
  [
    'a part of a purchase above the balance, if the client permits it',
    [
      ['partial', { type: '0200', card: '4999990000010006', amount: 10_001, data: { '19': 'Y' } }, '10'],
      ['nothing left', { type: '0200', card: '4999990000010006', amount: 1, data: { '19': 'Y' } }, '51'],
    ],
    { transactions: ['sale captured 10000 10000 0 0', 'sale declined 0 0 0 0'] },
  ],
  [
    'the card with partial approvals: half is captured or reversed',
    [
      ['hold', { type: '0100', card: '4999990000000106', amount: 9201 }, '10'],
      ['too much', capture('hold', 4601, { card: '4999990000000106' }), '64'],
      ['capture', capture('hold', 4600, { card: '4999990000000106' }), '00'],
      ['sale', { type: '0200', card: '4999990000000106', amount: 9200 }, '10'],
      ['reversal', reversal('sale', 9200, { type: '0420', card: '4999990000000106', fields: { 39: '32' } }), '00'],
      ['cent', { type: '0200', card: '4999990000000106', amount: 1 }, '51'],
    ],
    {
      transactions: [
        'authorisation captured 4600 4600 0 0',
        'capture declined 0 0 0 0',
        'capture captured 0 4600 0 0',
        'sale reversed 0 0 0 4600',
        'sale declined 0 0 0 0',
      ],
      spent: 4600,
    },
  ],
  [
    'the default balance is bounded',
    [['hold', { type: '0100', amount: defaultAvailableMinor + 2 }, '51']],
    { transactions: ['authorisation declined 0 0 0 0'] },
  ],
  [
    'a balance inquiry changes no amount',
    [['inquiry', { type: '0100', processing: '30', amount: 0 }, '00']],
    { transactions: ['inquiry approved 0 0 0 0'] },
  ],
]

describe('a conversation', () => {
  test.each(conversations)('%s', (_title, rows, { transactions, spent, totals }) => {
    const host = new TestHost()
    for (const [name, step, code] of rows) expect([name, host.step(name, step).fields[39]]).toEqual([name, code])
    expect(host.transactions).toEqual(transactions)
    if (spent !== undefined) expect(host.balances.slice(0, 1)).toEqual([defaultAvailableMinor - spent])
    if (totals !== undefined) expect(host.totals).toEqual([totals])
  })
})

test('a reversal that arrives before its original is remembered, and the original has no effect', () => {
  const host = new TestHost()
  const late = host.messageOf({ type: '0100', data: { '01': '123' } })
  const original = { 90: '010000000111200930150000040012300000000000' }
  expect(host.step('reversal', { type: '0420', fields: { ...original, 39: '68' } }).fields[39]).toBe('25')
  expect(host.repeat('reversal', '0421').fields[39]).toBe('25')
  const answer = host.send(late)
  expect([answer.fields[39], answer.fields[38], answer.fields[48]]).toEqual(['12', undefined, undefined])
  expect(host.send({ ...late, type: '0101' }).fields[39]).toBe('12')
  expect([host.transactions, host.balances]).toEqual([['authorisation declined 0 0 0 0'], []])
  expect(host.step('again', { type: '0420', fields: original }).fields[39]).toBe('21')
})

test.each([
  ['0200', {}, 'sale declined 0 0 0 0'],
  ['0200', { processing: '20' }, 'refund declined 0 0 0 0'],
  ['0220', {}, 'capture declined 0 0 0 0'],
] as const)('an original %s %j that was reversed before it arrived is declined', (type, more, expected) => {
  const host = new TestHost()
  const late = host.messageOf({ type, ...more })
  const original = { 90: `${type}00000111200930150000040012300000000000` }
  expect(host.step('reversal', { type: '0420', fields: original }).fields[39]).toBe('25')
  expect(host.send(late).fields[39]).toBe('12')
  expect(host.transactions).toEqual([expected])
})

test('a partial reversal of an unknown message is not remembered', () => {
  const host = new TestHost()
  const late = host.messageOf({ type: '0100' })
  const original = { 90: '010000000111200930150000040012300000000000' }
  expect(host.step('reversal', { type: '0400', remaining: 100, fields: original }).fields[39]).toBe('25')
  expect(host.send(late).fields[39]).toBe('00')
})

test('transactions of other cards are apart', () => {
  const host = new TestHost()
  for (const [name, card] of Object.entries({ visa, mastercard })) host.step(name, { type: '0200', card })
  expect(host.balances).toEqual([defaultAvailableMinor - 9200, defaultAvailableMinor - 9200])
})
