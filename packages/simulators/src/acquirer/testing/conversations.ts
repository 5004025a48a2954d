import { expect, test } from 'vitest'
import { defaultAvailableMinor } from '../card-outcomes.ts'
import { TestHost, type TestStep } from './test-host.ts'

/** A step with its name and the expected response code. */
export type ConversationRow = readonly [name: string, step: TestStep, code: string]

export interface ExpectedState {
  /** Kind, state, and the amounts authorised, captured, refunded, reversed. */
  readonly transactions: readonly string[]
  /** The amount that the card has less than at the beginning. */
  readonly spent?: number
  /** Count and amount of credits, their reversals, debits and their reversals. */
  readonly totals?: string
}

export type Conversation = readonly [title: string, rows: readonly ConversationRow[], expected: ExpectedState]

/** An approved authorisation. */
export const hold = (amount = 9200): ConversationRow => ['hold', { type: '0100', amount }, '00']
/** An approved sale. */
export const sale = (amount = 9200): ConversationRow => ['sale', { type: '0200', amount }, '00']
/** The capture of an earlier step. */
export const capture = (name: string, amount: number, more: Partial<TestStep> = {}): TestStep => ({
  type: '0220',
  amount,
  of: name,
  ...more,
})
/** A refund. */
export const credit = (amount: number, more: Partial<TestStep> = {}): TestStep => ({
  type: '0200',
  processing: '20',
  amount,
  ...more,
})
/** An increase of the step `hold`. */
export const increment = (amount: number, more: Partial<TestStep> = {}): TestStep => ({
  type: '0100',
  amount,
  network: 'hold',
  data: { '07': '5' },
  ...more,
})
/** The reversal of an earlier step, with its original amount. */
export const reversal = (of: string, amount: number, more: Partial<TestStep> = {}): TestStep => ({
  type: '0400',
  of,
  amount,
  ...more,
})

/** Adds a test for each conversation. */
export function testConversations(conversations: readonly Conversation[]): void {
  test.each(conversations)('%s', (_title, rows, { transactions, spent, totals }) => {
    const host = new TestHost()
    for (const [name, step, code] of rows) expect([name, host.step(name, step).fields[39]]).toEqual([name, code])
    expect(host.transactions).toEqual(transactions)
    if (spent !== undefined) expect(host.balances.slice(0, 1)).toEqual([defaultAvailableMinor - spent])
    if (totals !== undefined) expect(host.totals).toEqual([totals])
  })
}
