import { DAY_MS } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { paymentLimits } from '../limits.ts'
import { parseLine } from '../testing/example-tree.ts'
import type { Command } from './command.ts'
import { decide } from './decide.ts'

const begin = (text: string, changes: Partial<Command> = {}) =>
  decide(undefined, undefined, { ...parseLine(text).command, ...changes }, paymentLimits)

describe('decide, without a referenced transaction', () => {
  it.each<[text: string, outcome: string]>([
    ['PA 92.00', 'go'],
    ['PA 0.00', 'go'],
    ['DB 92.00', 'go'],
    ['CD 92.00', 'go'],
    ['PA', '100.550.300'],
    ['DB 0.00', '100.550.300'],
    ['CD 0.00', '100.550.300'],
    ['DB', '100.550.300'],
    ['CP 92.00', '200.300.404'],
    ['RV', '200.300.404'],
    ['RF 92.00', '200.300.404'],
    ['RB 92.00', '200.300.404'],
    ['CB 92.00', '200.300.404'],
    ['CR 92.00', '200.300.404'],
    ['RC 92.00', '200.300.404'],
  ])('%s is decided as %s', (text, outcome) => {
    const decision = begin(text)
    expect(decision.kind === 'go' ? 'go' : decision.code).toBe(outcome)
  })

  it('refuses an amount without a currency', () => {
    expect(begin('DB 92.00', { currency: undefined })).toMatchObject({ kind: 'refused', code: '100.550.400' })
  })

  it.each<[brand: Command['brand'], numberOfCaptures: number | undefined, facts: object]>([
    ['VISA', undefined, { numberOfCaptures: 98, expiresAtMs: 7 * DAY_MS }],
    ['VISA', 3, { numberOfCaptures: 3, expiresAtMs: 7 * DAY_MS }],
    ['MASTER', undefined, { numberOfCaptures: 98, expiresAtMs: 30 * DAY_MS }],
    ['MAESTRO', undefined, { numberOfCaptures: 1, expiresAtMs: 7 * DAY_MS }],
    ['PAYPAL', undefined, { numberOfCaptures: 1, expiresAtMs: 7 * DAY_MS }],
    [undefined, undefined, { numberOfCaptures: 1, expiresAtMs: 7 * DAY_MS }],
  ])('PA of %s with numberOfCaptures %s records %j', (brand, numberOfCaptures, facts) => {
    expect(begin('PA 92.00', { brand, numberOfCaptures })).toMatchObject({ kind: 'go', referencedId: null, facts })
  })

  it('records no facts of a debit', () => {
    expect(begin('DB 92.00', { numberOfCaptures: 3 })).toEqual({
      kind: 'go',
      type: 'DB',
      amountMinor: 9200,
      currency: 'EUR',
      referencedId: null,
      facts: {},
    })
  })
})
