import { expect, test } from 'vitest'
import { duplicateKeys, type DuplicateSubject, refusesDuplicates } from './duplicates.ts'

const none = { uniqueMerchantTransactionId: false, duplicateWindowSeconds: 0 }
const reference = { ...none, uniqueMerchantTransactionId: true }
const window = { ...none, duplicateWindowSeconds: 60 }
const both = { ...reference, ...window, uniqueMerchantTransactionId: true }

const payment: DuplicateSubject = {
  settings: none,
  merchantTransactionId: 'order-1',
  fingerprints: ['f1', 'f2'],
  go: { amountMinor: 9200, currency: 'EUR', referencedId: null },
  atMs: 1000,
}

const REFERENCE = ['800.130.100', ['reference', 'order-1'], null]
const account = (fingerprint: string, order = 'order-1') => [
  '800.110.100',
  ['payment', fingerprint, 9200, 'EUR', order],
  61_000,
]

test.each<[what: string, changes: Partial<DuplicateSubject>, keys: readonly unknown[]]>([
  ['a channel without a policy', {}, []],
  ['a unique reference', { settings: reference }, [REFERENCE]],
  ['no reference', { settings: reference, merchantTransactionId: undefined }, []],
  ['a referencing payment', { settings: reference, go: { ...payment.go, referencedId: 'p' } }, []],
  ['a window', { settings: window }, [account('f1'), account('f2')]],
  [
    'a window, without a reference',
    { settings: window, merchantTransactionId: undefined },
    [account('f1', ''), account('f2', '')],
  ],
  ['a window, without an account number', { settings: window, fingerprints: [] }, []],
  ['both policies', { settings: both }, [REFERENCE, account('f1'), account('f2')]],
])('keys of a payment: %s', (_what, changes, keys) => {
  const found = duplicateKeys({ ...payment, ...changes })
  expect(found.map(({ refusal, parts, endsAtMs }) => [refusal.code, parts, endsAtMs])).toEqual(keys)
})

test('a channel without a policy refuses no duplicates', () => {
  expect([none, reference, window, both].map(refusesDuplicates)).toEqual([false, true, true, true])
})
