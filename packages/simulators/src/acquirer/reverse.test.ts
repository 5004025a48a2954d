import { expect, test } from 'vitest'
import { capture, credit, hold, increment, reversal, sale, testConversations } from './testing/conversations.ts'
import { mastercard } from './testing/messages.ts'
import { TestHost } from './testing/test-host.ts'

testConversations([
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
      ['without amount', reversal('capture', 0), '64'],
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
    'an increment of a hold that has ended',
    [
      hold(),
      ['increment', increment(800), '00'],
      ['capture', capture('hold', 9000, { data: { '14': 'F' } }), '00'],
      ['of final', reversal('increment', 800), '21'],
    ],
    {
      transactions: [
        'authorisation captured 10000 9000 0 0',
        'increment approved 800 0 0 0',
        'capture captured 0 9000 0 0',
      ],
      spent: 9000,
    },
  ],
  [
    'an increment of a hold that is reversed',
    [
      hold(),
      ['increment', increment(800), '00'],
      ['reversal', reversal('hold', 9200), '00'],
      ['of reversed', reversal('increment', 800), '21'],
    ],
    { transactions: ['authorisation reversed 0 0 0 10000', 'increment approved 800 0 0 0'], spent: 0 },
  ],
  [
    'a timeout reversal takes effect by advice',
    [sale(), ['timeout', reversal('sale', 9200, { type: '0420' }), '00']],
    { transactions: ['sale reversed 0 0 0 9200'], spent: 0, totals: '0:0 0:0 1:9200 1:9200' },
  ],
])

test('a reversal that arrives before its original is remembered, and the original has no effect', () => {
  const host = new TestHost()
  const late = host.messageOf({ type: '0100', data: { '01': '123' } })
  const original = { 90: '010000000111200930150000040012300000000000' }
  expect(host.step('reversal', { type: '0420', fields: original }).fields[39]).toBe('25')
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

test('field 90 may have the type of a repeat', () => {
  const host = new TestHost()
  host.step('sale', { type: '0201' })
  const original = { 90: '020100000111200930150000040012300000000000' }
  expect(host.step('reversal', { type: '0400', fields: original }).fields[39]).toBe('00')
})
