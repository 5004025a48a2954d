import { type SettlementCategory, settlementCategories, settlementTotals } from '@tollgate/domain'
import type { Context } from '../context.ts'
import { amountCell, type Cell, type Columns, reportOf } from '../ledger/report.ts'
import type { Aggregation } from './aggregations.ts'
import { nestedFields } from './nested-fields.ts'

/** A settlement with its totals, as it is shown. */
interface ShownAggregation extends Aggregation {
  readonly channelName: string | undefined
  readonly totals: ReturnType<typeof settlementTotals>
}

const isCategory = (name: string): name is SettlementCategory => Object.hasOwn(settlementCategories, name)

const sumColumns = (category: SettlementCategory): Columns<ShownAggregation> => ({
  [`${category}.count`]: ({ totals }) => totals.categories[category].count,
  [`${category}.amount`]: ({ totals, currency }) => amountCell(totals.categories[category].amountMinor, currency),
})

/** The fields of a settlement in answers, and its columns in CSV (contract: aggregationFields). */
const aggregationColumns: Columns<ShownAggregation> = {
  id: ({ id }) => id,
  'settlement.id': ({ settlementId }) => settlementId || null,
  'settlement.date': ({ settledOn }) => settledOn,
  'settlement.currency': ({ currency }) => currency,
  'clearingInstitute.merchantId': ({ clearingMerchantId }) => clearingMerchantId,
  'merchantAccount.id': ({ channel }) => channel,
  'merchantAccount.name': ({ channelName = null }) => channelName,
  merchantEntityId: ({ merchant }) => merchant,
  records: ({ totals }) => totals.records,
  ...Object.assign({}, ...Object.keys(settlementCategories).filter(isCategory).map(sumColumns)),
  'transactionFees.amount': ({ totals, currency }) => amountCell(totals.transactionFeesMinor, currency),
  'failed.count': ({ totals }) => totals.failed,
  net: ({ totals, currency }) => amountCell(totals.netMinor, currency),
}

export const shownAggregation = (
  { directory }: Pick<Context, 'directory'>,
  aggregation: Aggregation,
): ShownAggregation => ({
  ...aggregation,
  channelName: directory.entity(aggregation.channel)?.name,
  totals: settlementTotals(aggregation.sums),
})

/** The JSON of a settlement in an answer: all values are texts. */
export const aggregationJson = (shown: ShownAggregation): string =>
  JSON.stringify(
    nestedFields(
      Object.entries(aggregationColumns).flatMap(([name, cellOf]) => {
        const cell = cellOf(shown)
        return cell === null ? [] : [[name, textOf(cell)] as const]
      }),
    ),
  )

const textOf = (cell: NonNullable<Cell>): string => (typeof cell === 'object' ? cell.decimal : String(cell))

/** The settlements of pages as CSV for spreadsheets. */
export const aggregationsCsv = (pages: AsyncIterable<readonly ShownAggregation[]>): AsyncIterable<string> =>
  reportOf({}, 'aggregations', aggregationColumns, pages).csv()
