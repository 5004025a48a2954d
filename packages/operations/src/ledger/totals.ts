import type { Storage, TransactionDayRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { completeTo } from './complete-to.ts'
import { sumRows } from './daily-sums.ts'
import { type DayRange, dayText, partsOf } from './days.ts'
import { amountCell, type Columns, type Report, reportOf } from './report.ts'
import { type Scope, scopeOf } from './scope.ts'

interface Total extends Pick<TransactionDayRow, 'day' | 'channel' | 'type' | 'brand' | 'currency'> {
  readonly approved: number
  readonly approvedMinor: number
  readonly declined: number
}

const columns: Columns<Total> = {
  day: ({ day }) => dayText(day),
  entityId: ({ channel }) => channel,
  type: ({ type }) => type,
  brand: ({ brand }) => brand || null,
  currency: ({ currency }) => currency || null,
  approvedCount: ({ approved }) => approved,
  approvedAmount: ({ approvedMinor, currency }) => amountCell(approvedMinor, currency),
  declinedCount: ({ declined }) => declined,
}

interface TotalsFilter extends DayRange {
  /** An entity of any level; undefined: all. */
  readonly entityId: string | undefined
  readonly currency: string | undefined
}

/**
 * Counts and amounts of decided transactions, for each day, channel, type, brand and currency; ordered by merchant and
 * then in this order.
 */
export async function totalsReport(
  { storage, directory }: Pick<Context, 'storage' | 'directory'>,
  { entityId, currency, ...range }: TotalsFilter,
): Promise<Report> {
  const pages = totalPages(storage, scopeOf(directory, entityId), range, currency)
  return reportOf({ completeTo: await completeTo(storage) }, 'totals', columns, pages)
}

async function* totalPages(
  storage: Pick<Storage, 'transactionDays'>,
  scope: Scope,
  range: DayRange,
  currency: string | undefined,
): AsyncGenerator<readonly Total[]> {
  for await (const rows of transactionDayPages(storage, scope, range)) {
    const totals = rows.filter((row) => currency === undefined || row.currency === currency).map(totalOf)
    const sums = sumRows(totals, keyOf, (sum, { approved, approvedMinor, declined }) => ({
      ...sum,
      approved: sum.approved + approved,
      approvedMinor: sum.approvedMinor + approvedMinor,
      declined: sum.declined + declined,
    }))
    yield sums.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }
}

/** The daily sums of transactions of a scope: a page for each merchant and for some days, in order. */
export async function* transactionDayPages(
  storage: Pick<Storage, 'transactionDays'>,
  { merchants, channel }: Scope,
  range: DayRange,
): AsyncGenerator<readonly TransactionDayRow[]> {
  for (const merchant of merchants) {
    for (const { fromDay, toDay } of partsOf(range, limits.reportDaysPerRead)) {
      const rows = await storage.transactionDays(merchant, fromDay, toDay)
      yield channel === undefined ? rows : rows.filter((row) => row.channel === channel)
    }
  }
}

function totalOf({ outcome, transactions, amount_minor: amountMinor, ...row }: TransactionDayRow): Total {
  const { day, channel, type, brand, currency } = row
  const isApproved = outcome === 'ACK'
  return {
    day,
    channel,
    type,
    brand,
    currency,
    approved: isApproved ? transactions : 0,
    approvedMinor: isApproved ? amountMinor : 0,
    declined: isApproved ? 0 : transactions,
  }
}

const keyOf = ({ day, channel, type, brand, currency }: Total): string =>
  `${dayText(day)} ${channel} ${type} ${brand} ${currency}`
