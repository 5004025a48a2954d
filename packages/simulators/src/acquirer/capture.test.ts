import { capture, hold, increment, reversal, sale, testConversations } from './testing/conversations.ts'
import { mastercard } from './testing/messages.ts'

testConversations([
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
])
