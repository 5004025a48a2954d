import type { AccountEntry } from '@tollgate/domain'
import type { PayoutRow } from '@tollgate/storage'
import { payoutEntryId } from '../ledger/entry-ids.ts'
import { isOneOf, narrow } from '../narrow.ts'
import type { NewEntry } from './account-entry-rows.ts'

/** The states of a payout. */
export const payoutStates = ['instructed', 'cancelled', 'confirmed', 'returned'] as const

export type PayoutState = (typeof payoutStates)[number]

export const isPayoutState = isOneOf(payoutStates)

/** The state from which each move starts. */
const moves = {
  cancelled: 'instructed',
  confirmed: 'instructed',
  returned: 'confirmed',
} as const satisfies Partial<Record<PayoutState, PayoutState>>

/** @returns undefined if the state of the payout does not permit the move */
export const movePayout = (from: PayoutRow, state: keyof typeof moves, nowMs: number): PayoutRow | undefined =>
  from.state === moves[state] ? { ...from, state, changed_at_ms: nowMs } : undefined

/** The payout before a move by a bank entry, when the assignment of the bank entry is undone. */
export function movePayoutBack(from: PayoutRow, nowMs: number): PayoutRow | undefined {
  const state = narrow(isPayoutState, from.state)
  if (state !== 'confirmed' && state !== 'returned') return undefined
  return { ...from, state: moves[state], changed_at_ms: nowMs }
}

/** An entry of a payout without a bank entry. Payouts belong to no acquirer. */
export const payoutEntry = (
  { id, merchant, currency, amount_minor: amountMinor }: PayoutRow,
  kind: Extract<AccountEntry['kind'], 'payout' | 'payoutCancellation'>,
): NewEntry => ({ id: payoutEntryId(id), merchant, kind, acquirer: '', currency, amountMinor })
