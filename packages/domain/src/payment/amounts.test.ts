import { describe, expect, it } from 'vitest'
import { chargeOf, holdOf, totalsOf } from './amounts.ts'
import { exampleTree } from './example-tree.ts'

const DAY_MS = 86_400_000

describe('holdOf', () => {
  type Figures = [authorised: number, captured: number, open: number]

  it.each<[given: string[], figures: Figures, day?: number]>([
    [['PA 92.00'], [92, 0, 92]],
    [
      ['PA 92.00', 'PA 8.00'],
      [100, 0, 100],
    ],
    [
      ['PA 92.00', 'PA 8.00 NOK'],
      [92, 0, 92],
    ],
    [
      ['PA 92.00', 'CP 60.00'],
      [92, 60, 32],
    ],
    [
      ['PA 92.00', 'CP 60.00 NOK'],
      [92, 0, 92],
    ],
    [
      ['PA 92.00', 'CP 60.00 PENDING'],
      [92, 0, 32],
    ],
    [
      ['PA 92.00', 'CP 60.00 FINAL'],
      [92, 60, 0],
    ],
    [
      ['PA 92.00', 'CP 60.00', 'RV 32.00'],
      [60, 60, 0],
    ],
    [
      ['PA 92.00', 'CP 60.00', 'RV 60.00 of 2'],
      [92, 0, 92],
    ],
    [
      ['PA 92.00', 'CP 60.00', 'RV 60.00 of 2 NOK'],
      [92, 60, 32],
    ],
    [
      ['PA 92.00', 'CP 60.00', 'RV 60.00 of 2 PENDING'],
      [92, 60, 32],
    ],
    [
      ['PA 92.00', 'CP 60.00 FINAL', 'RV 60.00 of 2'],
      [92, 0, 0],
    ],
    [
      ['PA 92.00', 'RV 50.00'],
      [42, 0, 42],
    ],
    [
      ['PA 92.00', 'RV 50.00 PENDING'],
      [92, 0, 42],
    ],
    [
      ['PA 92.00', 'RV 92.00'],
      [0, 0, 0],
    ],
    [['PA 92.00', 'CP 60.00'], [92, 60, 0], 7],
    [['PA 92.00', 'CP 60.00', 'RV 60.00 of 2'], [92, 0, 0], 7],
    [['PA 0.00'], [0, 0, 0]],
  ])('of %j is authorised, captured, open %j', (given, [authorised, captured, open], day = 0) => {
    expect(holdOf(exampleTree(given), day * DAY_MS)).toMatchObject({
      authorisedMinor: authorised * 100,
      capturedMinor: captured * 100,
      openMinor: open * 100,
    })
  })

  it.each([
    [['PA 92.00', 'CP 92.01']],
    [['PA 92.00', 'RV 92.01']],
    [['PA 92.00', 'CP 60.00', 'RV 32.01']],
    [['DB 92.00']],
  ])('refuses to count %j, which no rule allows', (given) => {
    expect(() => holdOf(exampleTree(given), 0)).toThrow('broken invariant')
  })
})

describe('chargeOf', () => {
  type Figures = [captured: number, refunded: number, refundable: number]

  it.each<[given: string[], place: number, figures: Figures]>([
    [['DB 92.00'], 1, [92, 0, 92]],
    [['DB 92.00 NOK'], 1, [0, 0, 0]],
    [['DB 92.00 PENDING'], 1, [0, 0, 0]],
    [['DB 92.00', 'RF 10.00'], 1, [92, 10, 82]],
    [['DB 92.00', 'RF 10.00 NOK'], 1, [92, 0, 92]],
    [['DB 92.00', 'RF 10.00 PENDING'], 1, [92, 0, 82]],
    [['DB 92.00', 'RV 92.00'], 1, [0, 0, 0]],
    [['DB 92.00', 'RV 92.00 NOK'], 1, [92, 0, 92]],
    [['DB 92.00', 'RV 92.00 PENDING'], 1, [92, 0, 0]],
    [['PA 92.00', 'CP 60.00', 'CP 32.00', 'RF 5.00 of 3'], 2, [60, 0, 60]],
    [['PA 92.00', 'CP 60.00', 'CP 32.00', 'RF 5.00 of 3'], 3, [32, 5, 27]],
  ])('of %j, number %d, is captured, refunded, refundable %j', (given, place, [captured, refunded, refundable]) => {
    const tree = exampleTree(given)
    const transaction = tree.transactions[place - 1]
    expect(transaction && chargeOf(tree, transaction)).toEqual({
      capturedMinor: captured * 100,
      refundedMinor: refunded * 100,
      refundableMinor: refundable * 100,
    })
  })
})

describe('totalsOf', () => {
  it.each<[given: string[], captured: number, refunded: number]>([
    [['PA 92.00'], 0, 0],
    [['PA 92.00', 'CP 60.00', 'CP 32.00', 'RF 5.00 of 3', 'RF 6.00 of 2'], 92, 11],
    [['PA 92.00', 'CP 60.00', 'RV 60.00 of 2', 'CP 32.00'], 32, 0],
    [['CD 92.00', 'RF 2.00'], 92, 2],
  ])('of %j is captured %d, refunded %d', (given, captured, refunded) => {
    expect(totalsOf(exampleTree(given))).toEqual({ capturedMinor: captured * 100, refundedMinor: refunded * 100 })
  })
})
