import { DAY_MS, InvariantError } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { amountsOf, chargeOf, holdOf, totalChargeMinorOf, totalsOf } from './amounts.ts'
import { exampleTree } from '../testing/example-tree.ts'

describe('holdOf', () => {
  type Figures = [authorised: number, captured: number, open: number]

  it.each<[lines: string[], figures: Figures]>([
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
    [['PA 0.00'], [0, 0, 0]],
  ])('of %j has the authorised, captured and open amounts %j', (lines, [authorised, captured, open]) => {
    expect(holdOf(exampleTree(lines), 0)).toMatchObject({
      authorisedMinor: authorised * 100,
      capturedMinor: captured * 100,
      openMinor: open * 100,
    })
  })

  it.each<[lines: string[], figures: Figures]>([
    [
      ['PA 92.00', 'CP 60.00'],
      [92, 60, 0],
    ],
    [
      ['PA 92.00', 'CP 60.00', 'RV 60.00 of 2'],
      [92, 0, 0],
    ],
  ])('of %j, expired, has the authorised, captured and open amounts %j', (lines, [authorised, captured, open]) => {
    expect(holdOf(exampleTree(lines), 7 * DAY_MS)).toMatchObject({
      authorisedMinor: authorised * 100,
      capturedMinor: captured * 100,
      openMinor: open * 100,
    })
  })

  it.each([[['PA 92.00', 'CP 92.01']], [['PA 92.00', 'RV 92.01']], [['PA 92.00', 'CP 60.00', 'RV 32.01']]])(
    'throws for %j, which no rule allows',
    (lines) => {
      expect(() => holdOf(exampleTree(lines), 0)).toThrow(InvariantError)
    },
  )

  it('throws for a debit, which has no hold', () => {
    expect(() => holdOf(exampleTree(['DB 92.00']), 0)).toThrow(InvariantError)
  })
})

describe('chargeOf', () => {
  type Figures = [captured: number, refunded: number, chargedBack: number, refundable: number]

  it.each<[lines: string[], number: number, figures: Figures]>([
    [['DB 92.00'], 1, [92, 0, 0, 92]],
    [['DB 92.00 NOK'], 1, [0, 0, 0, 0]],
    [['DB 92.00 PENDING'], 1, [0, 0, 0, 0]],
    [['DB 92.00', 'RF 10.00'], 1, [92, 10, 0, 82]],
    [['DB 92.00', 'RF 10.00 NOK'], 1, [92, 0, 0, 92]],
    [['DB 92.00', 'RF 10.00 PENDING'], 1, [92, 0, 0, 82]],
    [['DB 92.00', 'RF 10.00 SENT'], 1, [92, 0, 0, 82]],
    [['DB 92.00', 'RV 92.00'], 1, [0, 0, 0, 0]],
    [['DB 92.00', 'RV 92.00 NOK'], 1, [92, 0, 0, 92]],
    [['DB 92.00', 'RV 92.00 PENDING'], 1, [92, 0, 0, 0]],
    [['DB 92.00', 'RV 92.00 SENT'], 1, [92, 0, 0, 0]],
    [['PA 92.00', 'CP 60.00', 'CP 32.00', 'RF 5.00 of 3'], 2, [60, 0, 0, 60]],
    [['PA 92.00', 'CP 60.00', 'CP 32.00', 'RF 5.00 of 3'], 3, [32, 5, 0, 27]],
    [['DB 92.00', 'RB 30.00', 'RF 5.00 of 2'], 1, [92, 0, 0, 92]],
    [['DB 92.00', 'RB 30.00', 'RF 5.00 of 2'], 2, [30, 5, 0, 25]],
    [['PA 92.00', 'RC 30.00', 'RF 5.00 of 2'], 2, [30, 5, 0, 25]],
    [['DB 92.00', 'CB 92.00'], 1, [92, 0, 92, 0]],
    [['DB 92.00', 'RF 10.00', 'CB 50.00'], 1, [92, 10, 50, 32]],
    [['DB 92.00', 'CB 50.00', 'CR 20.00 of 2'], 1, [92, 0, 30, 62]],
    [['DB 92.00', 'CB 50.00', 'CR 50.00 of 2'], 1, [92, 0, 0, 92]],
    [['DB 92.00', 'CB 50.00', 'CR 50.00 of 2', 'CB 40.00 of 3'], 1, [92, 0, 40, 52]],
    [['DB 92.00', 'CB 50.00', 'CR 50.00 of 2', 'CB 92.00'], 1, [92, 0, 92, 0]],
    [['PA 92.00', 'CP 60.00', 'CP 32.00', 'CB 32.00 of 3'], 2, [60, 0, 0, 60]],
    [['DB 92.00', 'RF 50.00', 'CB 50.00 of 2'], 1, [92, 50, 0, 42]],
    [['DB 92.00', 'RF 50.00', 'CB 50.00 of 2'], 2, [50, 0, 50, 0]],
  ])(
    'of %j, transaction %d, has the captured, refunded, charged back and refundable amounts %j',
    (lines, number, figures) => {
      const tree = exampleTree(lines)
      const transaction = tree.transactions[number - 1]
      const [captured, refunded, chargedBack, refundable] = figures
      expect(transaction && chargeOf(tree, transaction)).toEqual({
        capturedMinor: captured * 100,
        refundedMinor: refunded * 100,
        chargedBackMinor: chargedBack * 100,
        refundableMinor: refundable * 100,
      })
    },
  )
})

describe('totalsOf', () => {
  it.each<[lines: string[], captured: number, refunded: number, chargedBack: number]>([
    [['PA 92.00'], 0, 0, 0],
    [['PA 92.00', 'CP 60.00', 'CP 32.00', 'RF 5.00 of 3', 'RF 6.00 of 2'], 92, 11, 0],
    [['PA 92.00', 'CP 60.00', 'RV 60.00 of 2', 'CP 32.00'], 32, 0, 0],
    [['CD 92.00', 'RF 2.00'], 92, 2, 0],
    [['PA 92.00', 'CP 60.00', 'RB 8.00 of 2', 'RC 2.00', 'CB 60.00 of 2', 'RF 1.00 of 3'], 70, 1, 60],
    [['DB 92.00', 'CB 50.00', 'CR 20.00 of 2'], 92, 0, 30],
  ])('of %j is %d captured, %d refunded, %d charged back', (lines, captured, refunded, chargedBack) => {
    expect(totalsOf(exampleTree(lines))).toEqual({
      capturedMinor: captured * 100,
      refundedMinor: refunded * 100,
      chargedBackMinor: chargedBack * 100,
    })
  })
})

describe('amountsOf', () => {
  type Figures = [authorised: number, captured: number, refunded: number, chargedBack: number, open: number]

  it.each<[figures: Figures, lines: string[], day?: number]>([
    [[92, 0, 0, 0, 92], ['PA 92.00']],
    [[0, 0, 0, 0, 0], ['PA 92.00 NOK']],
    [[0, 0, 0, 0, 0], ['PA 92.00 PENDING']],
    [[0, 0, 0, 0, 0], ['PA 92.00 SENT']],
    [[0, 0, 0, 0, 0], ['PA 0.00']],
    [
      [100, 0, 0, 0, 100],
      ['PA 92.00', 'PA 8.00'],
    ],
    [
      [92, 0, 0, 0, 92],
      ['PA 92.00', 'PA 8.00 PENDING'],
    ],
    [
      [92, 60, 0, 0, 32],
      ['PA 92.00', 'CP 60.00'],
    ],
    [
      [92, 92, 0, 0, 0],
      ['PA 92.00', 'CP 60.00', 'CP 32.00'],
    ],
    [
      [92, 0, 0, 0, 92],
      ['PA 92.00', 'CP 60.00 NOK'],
    ],
    [
      [92, 0, 0, 0, 32],
      ['PA 92.00', 'CP 60.00 PENDING'],
    ],
    [
      [92, 60, 0, 0, 0],
      ['PA 92.00', 'CP 60.00 FINAL'],
    ],
    [
      [92, 0, 0, 0, 92],
      ['PA 92.00', 'CP 60.00', 'RV 60.00 of 2'],
    ],
    [
      [92, 60, 0, 0, 32],
      ['PA 92.00', 'CP 60.00', 'RV 60.00 of 2 PENDING'],
    ],
    [
      [0, 0, 0, 0, 0],
      ['PA 92.00', 'RV 92.00'],
    ],
    [
      [60, 60, 0, 0, 0],
      ['PA 92.00', 'CP 60.00', 'RV 32.00'],
    ],
    [
      [92, 0, 0, 0, 42],
      ['PA 92.00', 'RV 50.00 PENDING'],
    ],
    [[92, 0, 0, 0, 92], ['PA 92.00'], 6.99],
    [[92, 0, 0, 0, 0], ['PA 92.00'], 7],
    [[92, 60, 0, 0, 0], ['PA 92.00', 'CP 60.00'], 7],
    [
      [92, 60, 10, 0, 32],
      ['PA 92.00', 'CP 60.00', 'RF 10.00 of 2'],
    ],
    [
      [92, 60, 0, 60, 32],
      ['PA 92.00', 'CP 60.00', 'CB 60.00 of 2'],
    ],
    [
      [122, 90, 0, 0, 32],
      ['PA 92.00', 'CP 60.00', 'RB 30.00 of 2'],
    ],
    [
      [92, 60, 0, 0, 32],
      ['PA 92.00', 'RC 60.00'],
    ],
    [
      [92, 95, 0, 0, 0],
      ['PA 92.00', 'RC 95.00'],
    ],
    [
      [92, 95, 95, 0, 0],
      ['PA 92.00', 'RC 95.00', 'RF 95.00 of 2'],
    ],
    [[92, 92, 0, 0, 0], ['DB 92.00']],
    [[92, 92, 0, 0, 0], ['DB 92.00'], 7],
    [[0, 0, 0, 0, 0], ['DB 92.00 NOK']],
    [[0, 0, 0, 0, 0], ['DB 92.00 PENDING']],
    [
      [0, 0, 0, 0, 0],
      ['DB 92.00', 'RV 92.00'],
    ],
    [
      [92, 92, 0, 0, 0],
      ['DB 92.00', 'RV 92.00 PENDING'],
    ],
    [
      [92, 92, 12, 0, 0],
      ['DB 92.00', 'RF 10.00', 'RF 2.00'],
    ],
    [
      [92, 92, 0, 0, 0],
      ['DB 92.00', 'RF 10.00 PENDING'],
    ],
    [
      [92, 92, 10, 82, 0],
      ['DB 92.00', 'RF 10.00', 'CB 82.00'],
    ],
    [
      [92, 92, 0, 30, 0],
      ['DB 92.00', 'CB 50.00', 'CR 20.00 of 2'],
    ],
    [
      [92, 92, 0, 0, 0],
      ['DB 92.00', 'CB 50.00', 'CR 50.00 of 2'],
    ],
    [
      [92, 92, 0, 40, 0],
      ['DB 92.00', 'CB 50.00', 'CR 50.00 of 2', 'CB 40.00 of 3'],
    ],
    [
      [92, 92, 0, 92, 0],
      ['DB 92.00', 'CB 50.00', 'CR 50.00 of 2', 'CB 92.00'],
    ],
    [
      [100, 100, 5, 0, 0],
      ['DB 92.00', 'RB 8.00', 'RF 5.00 of 2'],
    ],
    [
      [92, 92, 0, 0, 0],
      ['DB 92.00', 'RB 8.00 NOK'],
    ],
    [
      [8, 8, 0, 0, 0],
      ['DB 92.00', 'RV 92.00', 'RB 8.00 of 1'],
    ],
    [[92, 92, 0, 0, 0], ['CD 92.00']],
    [
      [92, 92, 2, 0, 0],
      ['CD 92.00', 'RF 2.00'],
    ],
  ])('are %j authorised, captured, refunded, charged back and open for %j', (figures, lines, day = 0) => {
    const [authorised, captured, refunded, chargedBack, open] = figures
    expect(amountsOf(exampleTree(lines), day * DAY_MS)).toEqual({
      authorisedMinor: authorised * 100,
      capturedMinor: captured * 100,
      refundedMinor: refunded * 100,
      chargedBackMinor: chargedBack * 100,
      openMinor: open * 100,
    })
  })
})

describe('totalChargeMinorOf', () => {
  it.each<[lines: string[], total: number]>([
    [['PA 92.00'], 0],
    [['DB 92.00', 'RV 92.00'], 92],
    [['DB 92.00', 'RF 10.00', 'RB 5.00', 'RB 6.00 PENDING', 'RB 7.00 NOK', 'RC 1.00'], 104],
  ])('of %j is %d', (lines, total) => {
    expect(totalChargeMinorOf(exampleTree(lines))).toBe(total * 100)
  })
})
