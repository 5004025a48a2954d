import { InvariantError } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { exampleTree } from '../testing/example-tree.ts'
import { apply, isPaymentType, rootOf, type Transaction } from './transaction.ts'

const tree = exampleTree(['PA 92.00', 'CP 60.00'])
const capture: Transaction = { ...rootOf(tree), id: '3', referencedId: '1', type: 'CP', amountMinor: 1000 }

describe('apply', () => {
  it('begins a payment with its root', () => {
    expect(apply(undefined, rootOf(tree))).toEqual({ version: 1, transactions: [rootOf(tree)] })
  })

  it('returns a new payment and does not change its argument', () => {
    const after = apply(tree, capture)
    expect(after).toEqual({ version: 3, transactions: [...tree.transactions, capture] })
    expect(tree.transactions).toHaveLength(2)
  })

  it.each<[name: string, transaction: Partial<Transaction>]>([
    ['an id in use', { id: '2' }],
    ['a root that is not the tree’s', { rootId: '9' }],
    ['a reference out of the tree', { referencedId: '9' }],
    ['no reference', { referencedId: null }],
    ['a currency that is not the payment’s', { currency: 'USD' }],
    ['a negative amount', { amountMinor: -1 }],
    ['a fraction of a cent', { amountMinor: 0.5 }],
  ])('refuses %s', (_name, change) => {
    expect(() => apply(tree, { ...capture, ...change })).toThrow(InvariantError)
  })

  it.each<[name: string, transaction: Partial<Transaction>]>([
    ['the root of another tree', { rootId: '9' }],
    ['a reference', { referencedId: '9' }],
  ])('refuses to begin with %s', (_name, change) => {
    expect(() => apply(undefined, { ...rootOf(tree), ...change })).toThrow(InvariantError)
  })
})

describe('isPaymentType', () => {
  it.each([
    ['PA', true],
    ['RF', true],
    ['RG', false],
    ['pa', false],
    ['', false],
  ])('returns for %j: %s', (type, expected) => {
    expect(isPaymentType(type)).toBe(expected)
  })
})
