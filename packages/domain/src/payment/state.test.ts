import { DAY_MS } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { exampleTree } from '../testing/example-tree.ts'
import { type PaymentState, stateOf } from './state.ts'

describe('stateOf', () => {
  it.each<[state: PaymentState, lines: string[]]>([
    ['REJECTED', ['PA 92.00 NOK']],
    ['PENDING', ['DB 92.00 PENDING']],
    ['PENDING', ['DB 92.00 SENT']],
    ['VERIFIED', ['PA 0.00']],
    ['AUTHORISED', ['PA 92.00']],
    ['AUTHORISED', ['PA 92.00', 'RV 50.00']],
    ['AUTHORISED', ['PA 92.00', 'CP 92.00 NOK']],
    ['AUTHORISED', ['PA 92.00', 'CP 92.00 PENDING']],
    ['AUTHORISED', ['PA 92.00', 'CP 92.00 PENDING FINAL']],
    ['AUTHORISED', ['PA 92.00', 'RV 92.00 PENDING']],
    ['AUTHORISED', ['PA 92.00', 'CP 60.00', 'RV 60.00 of 2']],
    ['PARTIALLY_CAPTURED', ['PA 92.00', 'CP 60.00']],
    ['PARTIALLY_CAPTURED', ['PA 92.00', 'CP 92.00', 'PA 10.00']],
    ['CAPTURED', ['PA 92.00', 'CP 92.00']],
    ['CAPTURED', ['PA 92.00', 'CP 60.00 FINAL']],
    ['CAPTURED', ['PA 92.00', 'CP 60.00', 'RV 32.00']],
    ['CAPTURED', ['DB 92.00']],
    ['CAPTURED', ['DB 92.00', 'RV 92.00 PENDING']],
    ['CAPTURED', ['CD 92.00']],
    ['VOIDED', ['PA 92.00', 'RV 92.00']],
    ['VOIDED', ['PA 92.00', 'RV 50.00', 'RV 42.00']],
    ['VOIDED', ['PA 92.00', 'RV 50.00 FINAL']],
    ['VOIDED', ['PA 92.00', 'CP 92.00 FINAL', 'RV 92.00 of 2']],
    ['VOIDED', ['DB 92.00', 'RV 92.00']],
    ['PARTIALLY_REFUNDED', ['DB 92.00', 'RF 10.00']],
    ['PARTIALLY_REFUNDED', ['PA 92.00', 'CP 60.00', 'CP 30.00', 'RF 60.00 of 2']],
    ['REFUNDED', ['DB 92.00', 'RF 10.00', 'RF 82.00']],
    ['REFUNDED', ['PA 92.00', 'CP 60.00', 'CP 30.00', 'RF 60.00 of 2', 'RF 30.00 of 3']],
    ['REFUNDED', ['CD 92.00', 'RF 92.00']],
    ['CAPTURED', ['DB 92.00', 'RF 92.00 PENDING']],
    ['CAPTURED', ['DB 92.00', 'RV 92.00', 'RB 10.00 of 1']],
    ['CAPTURED', ['PA 92.00', 'RC 92.00']],
    ['CAPTURED', ['PA 92.00', 'RC 95.00']],
    ['CAPTURED', ['PA 92.00', 'CP 60.00', 'RC 32.00']],
    ['PARTIALLY_CAPTURED', ['PA 92.00', 'RC 60.00']],
    ['PARTIALLY_CAPTURED', ['PA 92.00', 'CP 60.00', 'RB 32.00 of 2']],
    ['REFUNDED', ['PA 92.00', 'RC 92.00', 'RF 92.00 of 2']],
    ['CHARGED_BACK', ['DB 92.00', 'CB 92.00']],
    ['CHARGED_BACK', ['DB 92.00', 'CB 10.00']],
    ['CHARGED_BACK', ['DB 92.00', 'CB 92.00', 'CR 50.00 of 2']],
    ['CHARGED_BACK', ['DB 92.00', 'CB 92.00', 'CR 92.00 of 2', 'CB 1.00 of 3']],
    ['CHARGED_BACK', ['DB 92.00', 'RF 10.00', 'CB 82.00']],
    ['CHARGED_BACK', ['DB 92.00', 'RF 92.00', 'CB 92.00 of 2']],
    ['CHARGED_BACK', ['PA 92.00', 'CP 60.00', 'CB 60.00 of 2']],
    ['CHARGEBACK_REVERSED', ['DB 92.00', 'CB 92.00', 'CR 92.00 of 2']],
    ['CHARGEBACK_REVERSED', ['DB 92.00', 'CB 92.00', 'CR 50.00 of 2', 'CR 42.00 of 2']],
    ['PARTIALLY_REFUNDED', ['DB 92.00', 'RF 10.00', 'CB 82.00', 'CR 82.00 of 3']],
    ['REFUNDED', ['DB 92.00', 'CB 92.00', 'CR 92.00 of 2', 'RF 92.00']],
  ])('is %s for %j on the day of the payment', (state, lines) => {
    expect(stateOf(exampleTree(lines), 0)).toBe(state)
  })

  it.each<[state: PaymentState, lines: string[], day: number]>([
    ['AUTHORISED', ['PA 92.00'], 6.99],
    ['EXPIRED', ['PA 92.00'], 7],
    ['EXPIRED', ['PA 92.00', 'CP 60.00', 'RV 60.00 of 2'], 7],
    ['CAPTURED', ['PA 92.00', 'CP 60.00'], 7],
    ['CAPTURED', ['PA 92.00', 'RC 60.00'], 7],
    ['VOIDED', ['PA 92.00', 'RV 92.00'], 7],
  ])('is %s for %j on day %s', (state, lines, day) => {
    expect(stateOf(exampleTree(lines), day * DAY_MS)).toBe(state)
  })
})
