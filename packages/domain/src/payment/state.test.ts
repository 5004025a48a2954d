import { describe, expect, it } from 'vitest'
import { exampleTree } from './example-tree.ts'
import { type PaymentState, stateOf } from './state.ts'

const DAY_MS = 86_400_000

describe('stateOf', () => {
  it.each<[state: PaymentState, given: string[], day?: number]>([
    ['REJECTED', ['PA 92.00 NOK']],
    ['PENDING', ['DB 92.00 PENDING']],
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
    ['CAPTURED', ['PA 92.00', 'CP 60.00'], 7],
    ['CAPTURED', ['DB 92.00']],
    ['CAPTURED', ['DB 92.00', 'RV 92.00 PENDING']],
    ['CAPTURED', ['CD 92.00']],
    ['VOIDED', ['PA 92.00', 'RV 92.00']],
    ['VOIDED', ['PA 92.00', 'RV 50.00', 'RV 42.00']],
    ['VOIDED', ['PA 92.00', 'RV 50.00 FINAL']],
    ['VOIDED', ['PA 92.00', 'CP 92.00 FINAL', 'RV 92.00 of 2']],
    ['VOIDED', ['PA 92.00', 'RV 92.00'], 7],
    ['VOIDED', ['DB 92.00', 'RV 92.00']],
    ['AUTHORISED', ['PA 92.00'], 6.99],
    ['EXPIRED', ['PA 92.00'], 7],
    ['EXPIRED', ['PA 92.00', 'CP 60.00', 'RV 60.00 of 2'], 7],
    ['PARTIALLY_REFUNDED', ['DB 92.00', 'RF 10.00']],
    ['PARTIALLY_REFUNDED', ['PA 92.00', 'CP 60.00', 'CP 30.00', 'RF 60.00 of 2']],
    ['REFUNDED', ['DB 92.00', 'RF 10.00', 'RF 82.00']],
    ['REFUNDED', ['PA 92.00', 'CP 60.00', 'CP 30.00', 'RF 60.00 of 2', 'RF 30.00 of 3']],
    ['REFUNDED', ['CD 92.00', 'RF 92.00']],
    ['CAPTURED', ['DB 92.00', 'RF 92.00 PENDING']],
  ])('%s: %j on day %s', (state, given, day = 0) => {
    expect(stateOf(exampleTree(given), day * DAY_MS)).toBe(state)
  })
})
