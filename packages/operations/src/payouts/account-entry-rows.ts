import { type AccountEntry, type AccountSums, balancesOf, businessDayOf, isPostingKind } from '@tollgate/domain'
import { type PostingRow, type Storage, timeOf, TRANSACTIONS, type Unit } from '@tollgate/storage'
import { cutOffOf } from '../acquirer/clearing-of.ts'
import type { Context } from '../context.ts'
import { ledgerDays } from '../ledger/daily-sums.ts'
import { limits } from '../limits.ts'
import { narrow } from '../narrow.ts'

/** In the year 27379. */
const AFTER_ALL_DAYS = 9_280_000

/** The sums of a merchant's entries up to a day inclusive; by default of all entries. */
export async function accountSums(
  storage: Pick<Storage, 'ledgerSums'>,
  merchant: string,
  toDay = AFTER_ALL_DAYS,
): Promise<readonly AccountSums[]> {
  const sums = await storage.ledgerSums(merchant, toDay)
  return sums.map(({ acquirer, currency, kind, amount_minor: amountMinor, fee_minor: feeMinor }) => ({
    acquirer,
    currency,
    kind: narrow(isPostingKind, kind),
    amountMinor,
    feeMinor,
  }))
}

/** What can be paid to a merchant in a currency, in minor units; negative if the merchant owes it. */
export const availableMinorOf = (sums: readonly AccountSums[], currency: string): number =>
  -(balancesOf(sums.filter((each) => each.currency === currency)).get('merchantAvailable') ?? 0)

/** An entry of an account with its id. The merchant of entries that belong to none is ''. */
export interface NewEntry extends AccountEntry {
  readonly id: string
  readonly merchant: string
}

/**
 * The rows of entries that follow from no transaction. Their day is the current business day, which is not complete, so
 * that the sums of complete days stay as they are.
 */
export async function accountEntryRows(
  { storage, acquirers, clock }: Pick<Context, 'storage' | 'acquirers' | 'clock'>,
  entries: readonly NewEntry[],
): Promise<Pick<Unit['rows'], 'posting' | 'ledger_day'>> {
  if (entries.length === 0) return {}
  const feed = await storage.transactionFeed(TRANSACTIONS)
  const clearedMs = feed && feed.closed_before !== '' ? timeOf(feed.closed_before) - limits.clearingDelayMs : 0
  const atMs = Math.max(clock.now(), clearedMs)
  const posting = entries.map(
    ({ id, kind, merchant, acquirer, currency, amountMinor }): PostingRow => ({
      transaction_id: id,
      kind,
      merchant,
      acquirer,
      currency,
      day: businessDayOf(cutOffOf(acquirers, acquirer), atMs),
      amount_minor: amountMinor,
      fee_minor: 0,
      reference: null,
    }),
  )
  return { posting, ledger_day: ledgerDays(posting) }
}
