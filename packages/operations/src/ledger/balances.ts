import { accounts, type AccountName, balancesOf, isPostingKind } from '@tollgate/domain'
import type { LedgerSums, Storage } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import { completeTo } from './complete-to.ts'
import { sumRows } from './daily-sums.ts'
import { dayText } from './days.ts'
import { groupBy } from './group-by.ts'
import { amountCell, type Columns, type Report, reportOf } from './report.ts'
import { scopeOf } from './scope.ts'

interface Balance {
  readonly account: AccountName
  readonly currency: string
  readonly acquirer: string
  readonly minor: number
}

/** In the year 27379. */
const AFTER_ALL_DAYS = 9_280_000

const accountNames: readonly string[] = Object.keys(accounts)

const columns: Columns<Balance> = {
  account: ({ account }) => account,
  class: ({ account }) => accounts[account].class,
  currency: ({ currency }) => currency,
  acquirer: ({ acquirer }) => acquirer,
  debitsLessCredits: ({ minor, currency }) => amountCell(minor, currency),
}

/**
 * The balances of the ledger at the end of a business day, for each account, currency and acquirer. They add up to zero
 * in each currency.
 *
 * @param entityId a psp, division or merchant; undefined: all merchants
 * @param toDay undefined: the balances after all entries
 */
export async function balancesReport(
  { storage, directory }: Pick<Context, 'storage' | 'directory'>,
  { entityId, toDay }: { readonly entityId: string | undefined; readonly toDay: number | undefined },
): Promise<Report> {
  const head = { at: toDay === undefined ? null : dayText(toDay), completeTo: await completeTo(storage) }
  const { merchants } = scopeOf(directory, entityId)
  return reportOf(head, 'balances', columns, balancePages(storage, merchants, toDay ?? AFTER_ALL_DAYS))
}

/** One page: the sums of all merchants are few, because they have the same acquirers, currencies and kinds. */
async function* balancePages(
  storage: Pick<Storage, 'ledgerSums'>,
  merchants: readonly string[],
  toDay: number,
): AsyncGenerator<readonly Balance[]> {
  let sums: readonly LedgerSums[] = []
  for (const merchant of merchants) {
    const ofMerchant = await storage.ledgerSums(merchant, toDay)
    sums = sumRows([...sums, ...ofMerchant], ({ kind, ...row }) => `${groupOf(row)} ${kind}`, add)
  }
  const groups = [...groupBy(sums, groupOf)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  yield groups.flatMap(([, rows]) => balancesOfGroup(rows))
}

/** Balances are kept for each currency and acquirer. */
const groupOf = ({ currency, acquirer }: Pick<LedgerSums, 'currency' | 'acquirer'>): string => `${currency} ${acquirer}`

const add = (sum: LedgerSums, row: LedgerSums): LedgerSums => ({
  ...sum,
  postings: sum.postings + row.postings,
  amount_minor: sum.amount_minor + row.amount_minor,
  fee_minor: sum.fee_minor + row.fee_minor,
})

/** The balances that follow from the sums of one currency and acquirer, in the order of the table of accounts. */
function balancesOfGroup(rows: readonly LedgerSums[]): Balance[] {
  const { currency = '', acquirer = '' } = rows[0] ?? {}
  const sums = rows.map(({ kind, amount_minor: amountMinor, fee_minor: feeMinor }) => ({
    kind: narrow(isPostingKind, kind),
    amountMinor,
    feeMinor,
  }))
  const balances = [...balancesOf(sums)].map(([account, minor]) => ({ account, currency, acquirer, minor }))
  return balances.toSorted((a, b) => accountNames.indexOf(a.account) - accountNames.indexOf(b.account))
}
