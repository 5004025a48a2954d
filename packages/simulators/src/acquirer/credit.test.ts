import { capture, credit, hold, reversal, sale, testConversations } from './testing/conversations.ts'
import { mastercard } from './testing/messages.ts'

testConversations([
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
])
