import { isCurrency } from '@tollgate/contract'
import { type AccountSums, lastScheduledDay } from '@tollgate/domain'
import type { PayoutRow } from '@tollgate/storage'
import { narrow } from '../narrow.ts'
import { availableMinorOf } from './account-entry-rows.ts'
import { derivedId } from '../derived-id.ts'
import { newPayout } from './instruct-payout.ts'
import type { TermsFinder, ValidTerms } from './valid-terms.ts'

/**
 * The last day up to `day` whose scheduled payout the terms of the merchant require, in days since 1970; undefined if
 * there is none, or if other terms applied then.
 */
export function scheduledDayOf(terms: TermsFinder, merchant: string, day: number): number | undefined {
  const scheduled = lastScheduledDay(terms.ofDay(merchant, day).schedule, day)
  if (scheduled === undefined) return undefined
  return lastScheduledDay(terms.ofDay(merchant, scheduled).schedule, scheduled) === scheduled ? scheduled : undefined
}

/**
 * The scheduled payouts of a day: in each currency all that is available, unless that is less than the minimum.
 *
 * @param sums the sums of all entries of the merchant
 */
export function scheduledPayouts(
  { account, minimums }: ValidTerms,
  { merchant, day, nowMs }: { readonly merchant: string; readonly day: number; readonly nowMs: number },
  sums: readonly AccountSums[],
): readonly PayoutRow[] {
  if (!account) return []
  const currencies = [...new Set(sums.map(({ currency }) => currency))].toSorted()
  return currencies.flatMap((text) => {
    const currency = narrow(isCurrency, text)
    const amountMinor = availableMinorOf(sums, currency)
    if (amountMinor < Math.max(1, minimums.get(currency) ?? 1)) return []
    const id = derivedId('scheduled payout', merchant, currency, day)
    return [
      newPayout({ id, merchant, currency, amountMinor, requestedMinor: null, account, nowMs, origin: 'schedule' }),
    ]
  })
}
