import { resultCodes } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { paymentLimits } from '../limits.ts'
import { decide, unfitReference, unknownReference } from './decide.ts'
import { exampleTree, line } from './example-tree.ts'
import { moves } from './moves.ts'
import { type PaymentType, paymentTypes } from './transaction.ts'

/** For every type, a payment that holds an untouched transaction of it, and that transaction's place. */
const untouched: Readonly<Record<PaymentType, readonly [lines: readonly string[], id: string]>> = {
  PA: [['PA 92.00'], '1'],
  DB: [['DB 92.00'], '1'],
  CD: [['CD 92.00'], '1'],
  CP: [['PA 92.00', 'CP 60.00'], '2'],
  RV: [['PA 92.00', 'RV 92.00'], '2'],
  RF: [['DB 92.00', 'RF 10.00'], '2'],
}

const referencedBy = (type: PaymentType) => paymentTypes.filter((referenced) => moves[type].after[referenced])

const pairs = paymentTypes.flatMap((type) => paymentTypes.map((referenced) => ({ type, referenced })))

describe('the table of moves', () => {
  it('names only codes of the registry', () => {
    for (const { unknown, unfit } of Object.values(moves)) {
      expect(resultCodes).toHaveProperty([unknown])
      expect(resultCodes).toHaveProperty([unfit])
    }
  })

  it('reaches every type from nothing', () => {
    const reached = new Set(paymentTypes.filter((type) => moves[type].begin))
    for (const _ of paymentTypes) {
      for (const { type, referenced } of pairs) {
        if (reached.has(referenced) && moves[type].after[referenced]) reached.add(type)
      }
    }
    expect(reached).toEqual(new Set(paymentTypes))
  })

  it('is the published one', () => {
    expect(Object.fromEntries(paymentTypes.map((type) => [type, referencedBy(type)]))).toEqual({
      PA: ['PA'],
      DB: [],
      CD: [],
      CP: ['PA'],
      RV: ['PA', 'DB', 'CP'],
      RF: ['DB', 'CD', 'CP'],
    })
  })

  it.each(pairs)('$type on $referenced goes exactly if the table has it', ({ type, referenced }) => {
    const [lines, id] = untouched[referenced]
    const amountMinor = type === 'RV' ? undefined : 100
    const command = { ...line(type).command, amountMinor, incremental: true }
    const decision = decide(exampleTree(lines), id, command, paymentLimits)
    expect(decision).toEqual(
      moves[type].after[referenced] ? expect.objectContaining({ kind: 'go', type }) : unfitReference(type),
    )
  })

  it.each<[PaymentType, string]>([
    ['PA', '700.400.580'],
    ['DB', '700.400.580'],
    ['CD', '700.400.580'],
    ['CP', '700.400.510'],
    ['RV', '700.400.530'],
    ['RF', '600.200.500'],
  ])('%s of an unknown id is %s', (type, code) => {
    expect(unknownReference(type)).toMatchObject({ kind: 'unknown', code })
    for (const tree of [undefined, exampleTree(['PA 92.00'])]) {
      expect(decide(tree, '9', line(type).command, paymentLimits)).toEqual(unknownReference(type))
    }
  })

  it.each<[PaymentType, string]>([
    ['CP', '700.400.510'],
    ['RV', '700.400.530'],
    ['RF', '600.200.500'],
  ])('%s of an unfit transaction is %s', (type, code) => {
    expect(unfitReference(type)).toMatchObject({ kind: 'refused', code })
  })
})
