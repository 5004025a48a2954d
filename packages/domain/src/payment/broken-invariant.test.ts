import { expect, test } from 'vitest'
import { exampleTree } from '../testing/example-tree.ts'
import { brokenInvariantOf } from './broken-invariant.ts'

test.each<[lines: string[], invariant: string | undefined]>([
  [
    ['PA 92.00 in 3', 'PA 8.00', 'CP 60.00', 'RV 20.00', 'CP 20.00 FINAL', 'RF 60.00 of 3', 'RF 1.00 of 5 NOK'],
    undefined,
  ],
  [['PA 92.00', 'CP 92.00', 'RV of 2', 'CP 92.00'], undefined],
  [
    ['DB 92.00', 'RB 92.00', 'CB 92.00 of 2', 'CR 92.00 of 3', 'CB 92.00 of 4', 'RF 92.00 of 1', 'CB 92.00 of 6'],
    undefined,
  ],
  [['CD 92.00', 'RF 92.00'], undefined],
  [['DB 0.00 NOK'], undefined],
  [['CP 92.00'], 'a payment does not begin with CP'],
  [['DB 92.00', 'CP 92.00'], 'CP does not follow DB'],
  [['PA 92.00', 'RF 92.00'], 'RF does not follow PA'],
  [['PA 92.00', 'CP 92.01'], 'the captured amount is at most the authorised amount'],
  [['PA 92.00', 'CP 60.00', 'RV 32.01'], 'the captured amount is at most the authorised amount'],
  [['PA 92.00', 'CP 60.00', 'CP 32.01 PENDING'], 'the captured amount is at most the authorised amount'],
  [['DB 92.00', 'RF 92.01'], 'refunds and chargebacks together are at most the captured amount'],
  [['DB 92.00', 'RF 60.00', 'CB 32.01'], 'refunds and chargebacks together are at most the captured amount'],
  [['DB 92.00', 'CB 92.00', 'CR 92.01 of 2'], 'the reversals of a chargeback are at most its amount'],
])('the broken invariant of %j is: %s', (lines, invariant) => {
  expect(brokenInvariantOf(exampleTree(lines))).toBe(invariant)
})

test.each<[change: object, invariant: string]>([
  [{ referencedId: '9' }, 'a reference points into its own tree'],
  [{ rootId: '9' }, 'a transaction belongs to the tree of its root'],
  [{ currency: 'USD' }, 'a payment has one currency'],
  [{ amountMinor: -1 }, 'an amount is a whole number of minor units within bounds'],
])('a transaction changed by %j breaks the invariant: %s', (change, invariant) => {
  const { version, transactions } = exampleTree(['DB 92.00', 'RF 1.00'])
  const changed = transactions.map((transaction, index) => (index === 1 ? { ...transaction, ...change } : transaction))
  expect(brokenInvariantOf({ version, transactions: changed })).toBe(invariant)
})

test('a cycle of references is reported', () => {
  const { version, transactions } = exampleTree(['DB 92.00', 'CB 92.00', 'CR 92.00 of 2', 'CB 92.00 of 3'])
  const cyclic = transactions.map((transaction) =>
    transaction.id === '2' ? { ...transaction, referencedId: '3' } : transaction,
  )
  expect(brokenInvariantOf({ version, transactions: cyclic })).toBe('references lead to the root')
})

test('a payment is sound if the transactions after the root are in reverse order', () => {
  const { version, transactions } = exampleTree(['PA 92.00', 'CP 92.00', 'RF 92.00 of 2'])
  const [root, ...followUps] = transactions
  expect(brokenInvariantOf({ version, transactions: root ? [root, ...followUps.toReversed()] : [] })).toBe(undefined)
})
