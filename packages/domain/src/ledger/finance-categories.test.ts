import { expect, test } from 'vitest'
import { financeCategoryOf } from './finance-categories.ts'
import { isPostingKind, type PostingKindName, postingKinds } from './posting-kinds.ts'

const categoriesOf = (kind: PostingKindName) =>
  postingKinds[kind].movements.map((movement) => financeCategoryOf(kind, movement))

test('a capture is a charge, the end of a hold and a fee', () => {
  expect(categoriesOf('capture')).toEqual(['charge', 'hold', 'fee'])
  expect(financeCategoryOf('capture')).toBe('charge')
})

test('the reversal of a capture holds its amount again', () => {
  expect(categoriesOf('captureReversal')).toEqual(['chargeReversal', 'hold', 'fee'])
})

test('the categories of movements of the bank', () => {
  const kinds = Object.keys(postingKinds).filter(isPostingKind)
  const ofBank = kinds.flatMap((kind) =>
    postingKinds[kind].movements
      .filter(({ debit, credit }) => debit === 'bank' || credit === 'bank')
      .map((movement) => financeCategoryOf(kind, movement)),
  )
  expect([...new Set(ofBank)].toSorted()).toEqual([
    'acquirerFee',
    'adjustment',
    'bankCharge',
    'exchange',
    'payout',
    'payoutReversal',
    'settlement',
    'suspense',
  ])
})
