import { expect, test } from 'vitest'
import { defaultAvailableMinor } from './card-outcomes.ts'
import { capture, hold, increment, reversal, sale, testConversations } from './testing/conversations.ts'
import { mastercard, visa } from './testing/messages.ts'
import { TestHost } from './testing/test-host.ts'

testConversations([
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
    'an increment up to the balance',
    [
      ['hold', { type: '0100', card: '4999990000010006', amount: 9000 }, '00'],
      ['too much', increment(1001, { card: '4999990000010006' }), '51'],
      ['increment', increment(1000, { card: '4999990000010006' }), '00'],
    ],
    {
      transactions: ['authorisation open 10000 0 0 0', 'increment declined 0 0 0 0', 'increment approved 1000 0 0 0'],
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
])

test('transactions of other cards are apart', () => {
  const host = new TestHost()
  for (const [name, card] of Object.entries({ visa, mastercard })) host.step(name, { type: '0200', card })
  expect(host.balances).toEqual([defaultAvailableMinor - 9200, defaultAvailableMinor - 9200])
})
