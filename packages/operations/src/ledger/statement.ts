import { type CurrencyCode, isCurrency } from '@tollgate/contract'
import { financeCategoryOf, formatSum, isPostingKind, owedToMerchant, type PostingKindName } from '@tollgate/domain'
import type { LedgerDayRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import { completeTo } from './complete-to.ts'
import { type DayRange, dayText } from './days.ts'
import { groupBy } from './group-by.ts'
import { amountCell, type Columns, type Report, reportOf } from './report.ts'

/** The sums of entries that change what is owed to a merchant, in minor units. The net is the gross less the fee. */
interface StatementSums {
  readonly count: number
  readonly grossMinor: number
  readonly feeMinor: number
}

interface StatementLine extends StatementSums {
  readonly day: number
  readonly kind: PostingKindName
}

/** What is owed to a merchant in one currency, and how it has changed in the period. */
interface CurrencyStatement {
  readonly currency: CurrencyCode
  readonly openingMinor: number
  /** By day and kind. */
  readonly lines: readonly StatementLine[]
  readonly totals: StatementSums
  /** The fees of each kind that has any. */
  readonly fees: readonly (StatementSums & { readonly kind: PostingKindName })[]
  readonly closingMinor: number
}

/** The statement of a merchant. */
interface Statement {
  readonly merchantId: string
  readonly merchantName: string
  readonly range: DayRange
  readonly completeTo: string | null
  /** By currency: each in which there is a balance or an entry. */
  readonly currencies: readonly CurrencyStatement[]
}

/** The statement of a merchant for some days, from the daily sums of the ledger. */
export async function statementOf(
  { storage }: Pick<Context, 'storage'>,
  merchant: { readonly id: string; readonly name: string },
  range: DayRange,
): Promise<Statement> {
  const { fromDay, toDay } = range
  const complete = await completeTo(storage)
  const before = await storage.ledgerSums(merchant.id, fromDay - 1)
  const days = await storage.ledgerDays(merchant.id, fromDay, toDay)
  const currencies = [...new Set([...before, ...days].map(({ currency }) => currency))].toSorted()
  const isOf = (currency: string) => (row: { readonly currency: string }) => row.currency === currency
  return {
    merchantId: merchant.id,
    merchantName: merchant.name,
    range,
    completeTo: complete,
    currencies: currencies.map((currency) =>
      currencyStatement(narrow(isCurrency, currency), before.filter(isOf(currency)), days.filter(isOf(currency))),
    ),
  }
}

type Sums = Pick<LedgerDayRow, 'kind' | 'postings' | 'amount_minor' | 'fee_minor'>

function currencyStatement(
  currency: CurrencyCode,
  before: readonly Sums[],
  days: readonly LedgerDayRow[],
): CurrencyStatement {
  const openingMinor = netMinorOf(total(before.map(changeOf)))
  const lines = [...groupBy(days, ({ day, kind }) => `${day} ${kind}`).values()].map((rows) => lineOf(rows))
  const changes = lines.filter(({ grossMinor, feeMinor }) => grossMinor !== 0 || feeMinor !== 0)
  const totals = total(changes)
  const fees = [...groupBy(changes, ({ kind }) => kind)].map(([kind, group]) => ({ kind, ...total(group) }))
  return {
    currency,
    openingMinor,
    lines: changes,
    totals,
    fees: fees.filter(({ feeMinor }) => feeMinor !== 0),
    closingMinor: openingMinor + netMinorOf(totals),
  }
}

/** The change of what is owed by all entries of one day and kind. */
function lineOf(rows: readonly LedgerDayRow[]): StatementLine {
  const [first] = rows
  const { day = 0, kind = '' } = first ?? {}
  return { day, kind: narrow(isPostingKind, kind), ...total(rows.map(changeOf)) }
}

const changeOf = ({ kind, postings, amount_minor: amountMinor, fee_minor: feeMinor }: Sums): StatementSums => ({
  count: postings,
  ...owedToMerchant({ kind: narrow(isPostingKind, kind), amountMinor, feeMinor }),
})

function total(changes: readonly StatementSums[]): StatementSums {
  const sum = { count: 0, grossMinor: 0, feeMinor: 0 }
  for (const { count, grossMinor, feeMinor } of changes) {
    sum.count += count
    sum.grossMinor += grossMinor
    sum.feeMinor += feeMinor
  }
  return sum
}

const netMinorOf = ({ grossMinor, feeMinor }: StatementSums): number => grossMinor - feeMinor

/** A row of a statement as CSV. The rows of a currency begin with its opening balance and end with its closing one. */
interface StatementRow extends Partial<StatementSums> {
  readonly row: 'opening' | 'line' | 'total' | 'closing'
  readonly currency: string
  readonly day?: number
  readonly kind?: PostingKindName
  readonly balanceMinor?: number
}

const sumCell = (minor: number | undefined, currency: string) =>
  minor === undefined ? null : amountCell(minor, currency)

const columns: Columns<StatementRow> = {
  row: ({ row }) => row,
  currency: ({ currency }) => currency,
  day: ({ day }) => (day === undefined ? null : dayText(day)),
  kind: ({ kind = null }) => kind,
  category: ({ kind }) => (kind === undefined ? null : financeCategoryOf(kind)),
  count: ({ count = null }) => count,
  gross: ({ grossMinor, currency }) => sumCell(grossMinor, currency),
  fee: ({ feeMinor, currency }) => sumCell(feeMinor, currency),
  net: ({ grossMinor, feeMinor, currency }) =>
    grossMinor === undefined || feeMinor === undefined ? null : amountCell(grossMinor - feeMinor, currency),
  balance: ({ balanceMinor, currency }) => sumCell(balanceMinor, currency),
}

/** A statement as rows. */
export const statementRows = ({ currencies }: Statement): Report => reportOf({}, 'rows', columns, rowPages(currencies))

async function* rowPages(currencies: readonly CurrencyStatement[]): AsyncGenerator<readonly StatementRow[]> {
  for (const { currency, openingMinor, lines, totals, closingMinor } of currencies)
    yield [
      { row: 'opening', currency, balanceMinor: openingMinor },
      ...lines.map((line) => ({ row: 'line' as const, currency, ...line })),
      { row: 'total', currency, ...totals },
      { row: 'closing', currency, balanceMinor: closingMinor },
    ]
}

/** A statement as an object of the management API, with amounts as texts. */
export function statementView({ merchantId, merchantName, range, completeTo: complete, currencies }: Statement) {
  return {
    merchantId,
    merchantName,
    from: dayText(range.fromDay),
    to: dayText(range.toDay),
    completeTo: complete,
    currencies: currencies.map(({ currency, openingMinor, lines, totals, fees, closingMinor }) => ({
      currency,
      opening: formatSum(openingMinor, currency),
      lines: lines.map(({ day, kind, ...sums }) => ({
        day: dayText(day),
        kind,
        category: financeCategoryOf(kind),
        ...sumsView(sums, currency),
      })),
      totals: sumsView(totals, currency),
      feesByKind: fees.map(({ kind, count, feeMinor }) => ({ kind, count, fee: formatSum(feeMinor, currency) })),
      closing: formatSum(closingMinor, currency),
    })),
  }
}

const sumsView = (sums: StatementSums, currency: CurrencyCode) => ({
  count: sums.count,
  gross: formatSum(sums.grossMinor, currency),
  fee: formatSum(sums.feeMinor, currency),
  net: formatSum(netMinorOf(sums), currency),
})
