import type { CurrencyCode } from '@tollgate/contract'
import type { PayoutRow } from '@tollgate/storage'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { accountEntryRows, accountSums, availableMinorOf } from './account-entry-rows.ts'
import { changeAccount } from './change-account.ts'
import { derivedId } from '../derived-id.ts'
import { movePayout, payoutEntry } from './payout-state.ts'
import { type PayoutAccount, readMerchantTerms } from './valid-terms.ts'

type Dependencies = Pick<Context, 'storage' | 'directory' | 'acquirers' | 'clock' | 'ids' | 'log'>

/** A request to pay a merchant. */
export interface PayoutRequest {
  readonly merchant: string
  readonly currency: CurrencyCode
  /** Minor units, positive; null: all that is available. */
  readonly amountMinor: number | null
  /** A request with the same key is the same payout. */
  readonly key: string
}

/**
 * repeated: the payout was instructed before by a request with the same key. otherRequest: the key belongs to another
 * request. noAccount: the terms of the merchant name no account. insufficient: less is available.
 */
export type InstructedPayout =
  | { readonly kind: 'instructed' | 'repeated'; readonly payout: PayoutRow }
  | { readonly kind: 'otherRequest' | 'noAccount' | 'insufficient' }

/**
 * Instructs a payout: the amount leaves the available balance at once, and is on its way until the bank confirms it.
 * Balance and payout are one decision: the same money is never paid twice.
 */
export async function instructPayout(dependencies: Dependencies, request: PayoutRequest): Promise<InstructedPayout> {
  const { storage, clock, log } = dependencies
  const { merchant, currency, amountMinor: requestedMinor } = request
  const id = derivedId('payout', merchant, request.key)
  let result: InstructedPayout = { kind: 'insufficient' }
  const change = await changeAccount(dependencies, merchant, async (from) => {
    const stored = await storage.payout(id)
    const { account } = (await readMerchantTerms(dependencies)).at(merchant, clock.now())
    const availableMinor = availableMinorOf(await accountSums(storage, merchant), currency)
    const amountMinor = requestedMinor ?? availableMinor
    if (stored) result = repetitionOf(stored, request)
    else if (!account) result = { kind: 'noAccount' }
    else if (amountMinor <= 0 || amountMinor > availableMinor) result = { kind: 'insufficient' }
    else {
      const payout = newPayout({ id, merchant, currency, amountMinor, requestedMinor, account, nowMs: clock.now() })
      result = { kind: 'instructed', payout }
      const entries = await accountEntryRows(dependencies, [payoutEntry(payout, 'payout')])
      return { to: from, rows: { ...entries, payout: [payout] } }
    }
    return undefined
  })
  if (change) audit(log, 'payout instructed', { payout: id, merchant })
  return result
}

const repetitionOf = (payout: PayoutRow, { currency, amountMinor }: PayoutRequest): InstructedPayout =>
  payout.currency === currency && payout.requested_minor === amountMinor
    ? { kind: 'repeated', payout }
    : { kind: 'otherRequest' }

interface NewPayout extends Pick<PayoutRow, 'id' | 'merchant' | 'currency'> {
  readonly amountMinor: number
  readonly requestedMinor: number | null
  readonly account: PayoutAccount
  readonly nowMs: number
  readonly origin?: 'schedule'
}

export const newPayout = ({
  amountMinor,
  requestedMinor,
  account,
  nowMs,
  origin,
  ...payout
}: NewPayout): PayoutRow => ({
  ...payout,
  amount_minor: amountMinor,
  state: 'instructed',
  origin: origin ?? 'operator',
  requested_minor: requestedMinor,
  terms_entity_id: account.entityId,
  terms_starts_at_ms: account.startsAtMs,
  holder: account.holder,
  last4: account.last4,
  created_at_ms: nowMs,
  changed_at_ms: nowMs,
})

/**
 * Cancels a payout that was not confirmed: its amount is available again. The operator makes sure that the bank does
 * not execute it.
 *
 * @returns undefined if the state of the payout does not permit it, or another process has changed it
 */
export async function cancelPayout(dependencies: Dependencies, id: string): Promise<PayoutRow | undefined> {
  const { storage, clock, log } = dependencies
  const payout = await storage.payout(id)
  if (!payout) return undefined
  const change = await changeAccount(dependencies, payout.merchant, async (account) => {
    const current = await storage.payout(id)
    const to = current && movePayout(current, 'cancelled', clock.now())
    if (!to) return undefined
    return {
      to: account,
      rows: await accountEntryRows(dependencies, [payoutEntry(current, 'payoutCancellation')]),
      compareAndSets: [{ table: 'payout', from: current, to }],
      payout: to,
    }
  })
  if (change) audit(log, 'payout cancelled', { payout: id, merchant: payout.merchant })
  return change?.payout
}
