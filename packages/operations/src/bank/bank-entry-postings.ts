import type { BankEntryRow, Unit } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { sumRows } from '../ledger/daily-sums.ts'
import { bankEntryPostingId } from '../ledger/entry-ids.ts'
import { accountEntryRows, type NewEntry } from '../payouts/account-entry-rows.ts'
import { postingsOfEntry } from './bank-entry-row.ts'

/** A change of a bank entry; `from` is undefined for an entry that is added. */
export interface BankEntryChange {
  readonly from?: BankEntryRow | undefined
  readonly to: BankEntryRow
}

/**
 * The entries of the ledger for changes of bank entries: the difference between those before and after. An entry with a
 * negative amount takes back entries of its kind, so that over all changes those of the present explanation remain.
 */
export function bankPostingRows(
  dependencies: Pick<Context, 'storage' | 'acquirers' | 'clock'>,
  changes: readonly BankEntryChange[],
): Promise<Pick<Unit['rows'], 'posting' | 'ledger_day'>> {
  return accountEntryRows(dependencies, changes.flatMap(differenceOf))
}

function differenceOf({ from, to }: BankEntryChange): readonly NewEntry[] {
  const id = bankEntryPostingId(to.id, to.changes)
  const entries = (row: BankEntryRow, sign: 1 | -1): NewEntry[] =>
    postingsOfEntry(row).map((posting) => ({
      ...posting,
      id,
      currency: row.currency,
      amountMinor: sign * posting.amountMinor,
    }))
  return sumRows(
    [...(from ? entries(from, -1) : []), ...entries(to, 1)],
    ({ kind, merchant, acquirer }) => `${kind} ${merchant} ${acquirer}`,
    (sum, { amountMinor }) => ({ ...sum, amountMinor: sum.amountMinor + amountMinor }),
  ).filter(({ amountMinor }) => amountMinor !== 0)
}
