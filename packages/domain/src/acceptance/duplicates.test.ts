import { expect, test } from 'vitest'
import { duplicateKeys, type DuplicateSubject, refusesDuplicates } from './duplicates.ts'

const none = { uniqueMerchantTransactionId: false, duplicateWindowSeconds: 0 }
const uniqueIds = { ...none, uniqueMerchantTransactionId: true }
const window = { ...none, duplicateWindowSeconds: 60 }
const both = { ...uniqueIds, ...window, uniqueMerchantTransactionId: true }

const payment: DuplicateSubject = {
  settings: none,
  merchantTransactionId: 'order-1',
  fingerprints: ['f1', 'f2'],
  go: { amountMinor: 9200, currency: 'EUR', referencedId: null },
  atMs: 1000,
}

const transactionIdKey = ['800.130.100', ['reference', 'order-1'], null]
const terminalReference = { terminalId: '42', sequenceNumber: '7', date: '260504' }
const saleKey = (date = '260504') => ['800.110.100', ['sale', '42', '7', date], 1000 + 90 * 86_400_000]
const accountKey = (fingerprint: string, order = 'order-1') => [
  '800.110.100',
  ['payment', fingerprint, 9200, 'EUR', order],
  61_000,
]

test.each<[settings: string, changes: Partial<DuplicateSubject>, keys: readonly unknown[]]>([
  ['without settings', {}, []],
  ['with unique transaction ids', { settings: uniqueIds }, [transactionIdKey]],
  [
    'with unique transaction ids, of a payment without an id',
    { settings: uniqueIds, merchantTransactionId: undefined },
    [],
  ],
  [
    'with unique transaction ids, of a referencing payment',
    { settings: uniqueIds, go: { ...payment.go, referencedId: 'p' } },
    [],
  ],
  ['with a time window', { settings: window }, [accountKey('f1'), accountKey('f2')]],
  [
    'with a time window, of a payment without a transaction id',
    { settings: window, merchantTransactionId: undefined },
    [accountKey('f1', ''), accountKey('f2', '')],
  ],
  ['with a time window, of a payment without an account number', { settings: window, fingerprints: [] }, []],
  ['without settings, of an offline sale', { terminalReference }, [saleKey()]],
  [
    'without settings, of an offline sale without a date',
    { terminalReference: { ...terminalReference, date: undefined } },
    [saleKey('')],
  ],
  [
    'with both settings, of an offline sale',
    { settings: both, terminalReference },
    [saleKey(), transactionIdKey, accountKey('f1'), accountKey('f2')],
  ],
  ['with both settings', { settings: both }, [transactionIdKey, accountKey('f1'), accountKey('f2')]],
])('duplicate keys follow the settings of the channel: %s', (_settings, changes, keys) => {
  const actual = duplicateKeys({ ...payment, ...changes })
  expect(actual.map(({ refusal, parts, expiresAtMs }) => [refusal.code, parts, expiresAtMs])).toEqual(keys)
})

test('a channel refuses duplicates if at least one of the two settings is on', () => {
  expect([none, uniqueIds, window, both].map(refusesDuplicates)).toEqual([false, true, true, true])
})
