import { resultCodes } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { formatAmount } from '../money.ts'
import { limits, paymentLimits } from '../limits.ts'
import type { Command } from './command.ts'
import { decide } from './decide.ts'
import { exampleTree, line } from './example-tree.ts'
import type { Transaction } from './transaction.ts'

type Row = [rule: string, given: readonly string[], when: string, then: string, more?: More]

interface More {
  readonly command?: Partial<Command>
  readonly root?: Partial<Transaction>
}

const DAY_MS = 86_400_000

const increment = { command: { incremental: true } }
const live = { testMode: null }
const enormous = { amountMinor: limits.amountMinorMax }

/** Given these transactions, what becomes of the next one: the amount it goes for, or the code it is refused with. */
const examples: Row[] = [
  // Whatever refers to another transaction
  ['another channel of the merchant', ['PA 92.00'], 'CP 92.00', '700.400.700', { command: { channel: 'other' } }],
  ['a rejected transaction', ['PA 92.00 NOK'], 'CP 92.00', '700.300.200'],
  ['a rejected capture', ['PA 92.00', 'CP 60.00 NOK'], 'RF 60.00 of 2', '700.300.200'],
  ['a pending transaction', ['PA 92.00 PENDING'], 'CP 92.00', '700.400.570'],
  ['another test mode', ['PA 92.00'], 'CP 92.00', '700.100.600', { command: { testMode: 'EXTERNAL' } }],
  ['a live payment', ['PA 92.00'], 'CP 92.00', '700.100.600', { root: live, command: { testMode: 'INTERNAL' } }],
  ['the same test mode', ['PA 92.00'], 'CP 92.00', 'go 92.00', { command: { testMode: 'INTERNAL' } }],
  ['another method', ['PA 92.00'], 'CP 92.00', '700.100.400', { command: { method: 'DD' } }],
  ['the same method', ['PA 92.00'], 'CP 92.00', 'go 92.00', { command: { method: 'CC' } }],
  ['another currency', ['PA 92.00'], 'CP 92.00', '700.100.500', { command: { currency: 'USD' } }],
  ['a reversal without a currency', ['PA 92.00'], 'RV', 'go 92.00'],
  ['a type that does not fit', ['DB 92.00'], 'CP 92.00', '700.400.510'],
  ['an increment, captured by itself', ['PA 92.00', 'PA 10.00'], 'CP 10.00 of 2', '700.300.100'],
  ['an increment, reversed by itself', ['PA 92.00', 'PA 10.00'], 'RV 10.00 of 2', '700.300.100'],
  ['a full payment', ['PA 92.00', ...Array<string>(199).fill('CP 1.00 NOK')], 'CP 1.00', '700.500.001'],
  ['the last place of a payment', ['PA 92.00', ...Array<string>(198).fill('CP 1.00 NOK')], 'CP 1.00', 'go 1.00'],
  // The order of those guards
  ['the channel before the status', ['PA 92.00 NOK'], 'CP 92.00', '700.400.700', { command: { channel: 'other' } }],
  ['the status before the currency', ['PA 92.00 NOK'], 'CP 92.00', '700.300.200', { command: { currency: 'USD' } }],
  ['the currency before the type', ['DB 92.00'], 'CP 92.00', '700.100.500', { command: { currency: 'USD' } }],

  // Capture
  ['a full capture', ['PA 92.00'], 'CP 92.00', 'go 92.00'],
  ['a partial capture', ['PA 92.00', 'CP 60.00'], 'CP 32.00', 'go 32.00'],
  ['a cent more than authorised', ['PA 92.00', 'CP 60.00'], 'CP 32.01', '700.400.100'],
  ['nothing', ['PA 92.00'], 'CP 0.00', '700.400.100'],
  ['no amount', ['PA 92.00'], 'CP', '700.400.100'],
  ['an account verification', ['PA 0.00'], 'CP 1.00', '700.400.100'],
  ['a reversed authorisation', ['PA 92.00', 'RV 92.00'], 'CP 1.00', '700.300.300'],
  ['what a partial reversal left', ['PA 92.00', 'RV 50.00'], 'CP 42.00', 'go 42.00'],
  ['more than a partial reversal left', ['PA 92.00', 'RV 50.00'], 'CP 42.01', '700.400.100'],
  ['a failed reversal changes nothing', ['PA 92.00', 'RV 92.00 NOK'], 'CP 92.00', 'go 92.00'],
  ['a failed capture changes nothing', ['PA 92.00', 'CP 92.00 NOK'], 'CP 92.00', 'go 92.00'],
  ['a pending capture keeps its amount', ['PA 92.00', 'CP 60.00 PENDING'], 'CP 32.01', '700.400.100'],
  ['a pending reversal keeps its amount', ['PA 92.00', 'RV 92.00 PENDING'], 'CP 1.00', '700.400.100'],
  ['after the final capture', ['PA 92.00', 'CP 60.00 FINAL'], 'CP 1.00', '700.300.300'],
  ['a reversed capture reopens the hold', ['PA 92.00', 'CP 92.00', 'RV 92.00 of 2'], 'CP 92.00', 'go 92.00'],
  ['a reversed final capture does not', ['PA 92.00', 'CP 92.00 FINAL', 'RV 92.00 of 2'], 'CP 92.00', '700.300.300'],
  ['a pending reversal of a capture', ['PA 92.00', 'CP 92.00', 'RV 92.00 of 2 PENDING'], 'CP 92.00', '700.400.100'],
  ['the last moment of the authorisation', ['PA 92.00'], 'CP 92.00 on day 6.99', 'go 92.00'],
  ['an expired authorisation', ['PA 92.00'], 'CP 92.00 on day 7', '700.300.400'],
  ['an authorisation without an end', ['PA 92.00'], 'CP 92.00 on day 900', 'go 92.00', { root: { facts: {} } }],
  ['the last of its captures', ['PA 92.00 in 2', 'CP 1.00'], 'CP 1.00', 'go 1.00'],
  ['one capture too many', ['PA 92.00 in 2', 'CP 1.00', 'CP 1.00'], 'CP 1.00', '700.400.100'],
  ['a pending capture counts', ['PA 92.00 in 1', 'CP 1.00 PENDING'], 'CP 1.00', '700.400.100'],
  ['a failed capture does not count', ['PA 92.00 in 1', 'CP 1.00 NOK'], 'CP 1.00', 'go 1.00'],
  ['a reversed capture does not count', ['PA 92.00 in 1', 'CP 1.00', 'RV of 2'], 'CP 1.00', 'go 1.00'],
  ['the 98th capture', ['PA 98.00', ...Array<string>(97).fill('CP 1.00')], 'CP 1.00', 'go 1.00'],
  ['the 99th capture', ['PA 99.00', ...Array<string>(98).fill('CP 1.00')], 'CP 1.00', '700.400.100'],

  // Reversal of a preauthorisation
  ['without an amount, all of it', ['PA 92.00'], 'RV', 'go 92.00'],
  ['without an amount, what is left', ['PA 92.00', 'CP 60.00'], 'RV', 'go 32.00'],
  ['in parts', ['PA 92.00', 'RV 50.00'], 'RV 42.00', 'go 42.00'],
  ['more than is left', ['PA 92.00', 'CP 60.00'], 'RV 92.00', '700.400.300'],
  ['the reversal of nothing', ['PA 92.00'], 'RV 0.00', '700.400.300'],
  ['reversed already', ['PA 92.00', 'RV 92.00'], 'RV', '700.400.300'],
  ['captured already', ['PA 92.00', 'CP 92.00'], 'RV', '700.400.300'],
  ['closed by a final capture', ['PA 92.00', 'CP 60.00 FINAL'], 'RV', '700.400.300'],
  ['released by its end', ['PA 92.00'], 'RV on day 7', '700.400.300'],
  ['an account verification, reversed', ['PA 0.00'], 'RV', '700.400.300'],

  // Reversal of a debit or capture
  ['a debit', ['DB 92.00'], 'RV', 'go 92.00'],
  ['a debit, with its amount', ['DB 92.00'], 'RV 92.00', 'go 92.00'],
  ['a capture', ['PA 92.00', 'CP 60.00'], 'RV of 2', 'go 60.00'],
  ['a part of a debit', ['DB 92.00'], 'RV 50.00', '700.400.300'],
  ['a reversed debit', ['DB 92.00', 'RV 92.00'], 'RV', '700.300.300'],
  ['a debit whose reversal is pending', ['DB 92.00', 'RV 92.00 PENDING'], 'RV', '700.300.300'],
  ['a refunded debit', ['DB 92.00', 'RF 1.00'], 'RV', '700.300.300'],
  ['a debit whose refund is pending', ['DB 92.00', 'RF 1.00 PENDING'], 'RV', '700.300.300'],
  ['at the clearing cut-off', ['DB 92.00'], 'RV on day 1', 'go 92.00'],
  ['after the clearing cut-off', ['DB 92.00'], 'RV on day 1.01', '700.300.700'],
  ['a payout', ['CD 92.00'], 'RV', '700.400.530'],

  // Refund
  ['a debit, refunded', ['DB 92.00'], 'RF 92.00', 'go 92.00'],
  ['a payout, taken back', ['CD 92.00'], 'RF 92.00', 'go 92.00'],
  ['a capture, refunded in parts', ['PA 92.00', 'CP 60.00', 'RF 50.00 of 2'], 'RF 10.00 of 2', 'go 10.00'],
  ['more than was captured', ['PA 92.00', 'CP 60.00', 'RF 50.00 of 2'], 'RF 10.01 of 2', '700.400.200'],
  ['each capture for itself', ['PA 92.00', 'CP 60.00', 'CP 30.00'], 'RF 30.01 of 3', '700.400.200'],
  ['a preauthorisation, refunded', ['PA 92.00', 'CP 92.00'], 'RF 92.00', '600.200.500'],
  ['a refund, refunded', ['DB 92.00', 'RF 10.00'], 'RF 10.00 of 2', '600.200.500'],
  ['a reversed debit, refunded', ['DB 92.00', 'RV 92.00'], 'RF 1.00', '700.400.520'],
  ['a pending reversal keeps all of it', ['DB 92.00', 'RV 92.00 PENDING'], 'RF 1.00', '700.400.200'],
  ['a pending refund keeps its amount', ['DB 92.00', 'RF 92.00 PENDING'], 'RF 1.00', '700.400.200'],
  ['a failed refund changes nothing', ['DB 92.00', 'RF 92.00 NOK'], 'RF 92.00', 'go 92.00'],
  ['a refund of nothing', ['DB 92.00'], 'RF 0.00', '100.550.300'],
  ['a refund without an amount', ['DB 92.00'], 'RF', '100.550.300'],
  ['the last day of the window', ['DB 92.00'], 'RF 92.00 on day 365', 'go 92.00'],
  ['after the window', ['DB 92.00'], 'RF 92.00 on day 365.1', '700.300.700'],

  // Increment
  ['an increment', ['PA 92.00'], 'PA 10.00', 'go 10.00', increment],
  ['a second preauthorisation', ['PA 92.00'], 'PA 10.00', '700.100.700'],
  ['of what is captured', ['PA 92.00', 'CP 92.00'], 'PA 10.00', '700.100.700', increment],
  ['of what is closed', ['PA 92.00', 'CP 1.00 FINAL'], 'PA 10.00', '700.100.700', increment],
  ['of what has expired', ['PA 92.00'], 'PA 10.00 on day 7', '700.100.700', increment],
  ['by nothing', ['PA 92.00'], 'PA 0.00', '100.550.300', increment],
  ['beyond any bound', ['PA 92.00'], 'PA 10.00', '100.550.301', { root: enormous, ...increment }],
  ['captured together', ['PA 92.00', 'PA 10.00'], 'CP 102.00', 'go 102.00'],
  ['a failed increment adds nothing', ['PA 92.00', 'PA 10.00 NOK'], 'CP 92.01', '700.400.100'],
  ['a pending increment adds nothing yet', ['PA 92.00', 'PA 10.00 PENDING'], 'CP 92.01', '700.400.100'],
]

describe('decide, on a payment', () => {
  it.each(examples)('%s: %j, then %s: %s', (_rule, given, when, then, more = {}) => {
    const { command, referencedId } = line(when)
    const decision = decide(exampleTree(given, more.root), referencedId, { ...command, ...more.command }, paymentLimits)
    expect(decision.kind === 'go' ? `go ${formatAmount(decision.amountMinor, decision.currency)}` : decision.code).toBe(
      then,
    )
    if (decision.kind !== 'go') expect(resultCodes).toHaveProperty([decision.code])
  })

  it('says what goes to the acquirer and what is recorded', () => {
    const { command, referencedId } = line('CP 60.00 FINAL')
    expect(decide(exampleTree(['PA 92.00']), referencedId, command, paymentLimits)).toEqual({
      kind: 'go',
      type: 'CP',
      amountMinor: 6000,
      currency: 'EUR',
      referencedId: '1',
      facts: { final: true },
    })
  })

  it('extends a Mastercard hold by an increment, and no Visa hold', () => {
    const { command, referencedId } = line('PA 10.00 on day 6')
    const factsOn = (root: Partial<Transaction>) => {
      const decision = decide(
        exampleTree(['PA 92.00'], root),
        referencedId,
        { ...command, ...increment.command },
        paymentLimits,
      )
      return decision.kind === 'go' && decision.facts
    }
    expect(factsOn({ brand: 'MASTER' })).toEqual({ expiresAtMs: 36 * DAY_MS })
    expect(factsOn({ brand: 'VISA' })).toEqual({})
  })
})

const begin = (when: string, more: Partial<Command> = {}) =>
  decide(undefined, undefined, { ...line(when).command, ...more }, paymentLimits)

describe('decide, on nothing', () => {
  it.each<[when: string, then: string, more?: Partial<Command>]>([
    ['PA 92.00', 'go'],
    ['PA 0.00', 'go'],
    ['DB 92.00', 'go'],
    ['CD 92.00', 'go'],
    ['PA', '100.550.300'],
    ['DB 0.00', '100.550.300'],
    ['CD 0.00', '100.550.300'],
    ['DB', '100.550.300'],
    ['DB 92.00', '100.550.400', { currency: undefined }],
    ['CP 92.00', '200.300.404'],
    ['RV', '200.300.404'],
    ['RF 92.00', '200.300.404'],
  ])('%s: %s', (when, then, more) => {
    const decision = begin(when, more)
    expect(decision.kind === 'go' ? 'go' : decision.code).toBe(then)
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

  it('records nothing more of a debit', () => {
    expect(begin('DB 92.00', { numberOfCaptures: 3 })).toMatchObject({ kind: 'go', amountMinor: 9200, facts: {} })
  })
})
