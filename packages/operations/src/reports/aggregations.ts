import type { SettlementSum } from '@tollgate/domain'
import type { SettlementSumRow, Storage } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import type { ReportRequest } from '../requests.ts'
import { limits } from '../limits.ts'
import { storedReader } from '../records/stored-json.ts'
import { rowTraits } from '../settlement/stored-row.ts'
import type { ReportScope } from './report-scope.ts'

const aggregation = Type.Object({
  id: Type.String(),
  merchant: Type.String(),
  channel: Type.String(),
  clearingMerchantId: Type.String(),
  /** '' if the file states none. */
  settlementId: Type.String(),
  settledOn: Type.String(),
  currency: Type.String(),
  sums: Type.Array(
    Type.Object({
      ...rowTraits,
      records: Type.Integer(),
      amountMinor: Type.Integer(),
      feeMinor: Type.Integer(),
    }),
  ),
})

/** A settlement in a report: the rows of one day, channel, currency and settlement id, added up. */
export type Aggregation = Omit<Type.Static<typeof aggregation>, 'sums'> & { readonly sums: readonly SettlementSum[] }

/** Reads the settlements of a stored page. */
export const readAggregations: (json: string) => readonly Aggregation[] = storedReader(Type.Array(aggregation))
const readAggregation: (json: string) => Aggregation = storedReader(aggregation)

/** Runs a read of the storage. */
export type RunStep = <T>(read: () => Promise<T>) => Promise<T>

/** Runs the reads of reports for clients as steps between payments. */
export const betweenPayments =
  ({ rates }: Pick<Context, 'rates'>): RunStep =>
  (read) =>
    rates.searches.step(read)

export interface AggregationSearch
  extends ReportScope,
    Pick<ReportRequest['report'], 'from' | 'to' | 'currency' | 'recordType'> {}

/** The settlements of a period with at least one row, by day and id, page by page. */
export async function* aggregationPages(
  storage: Pick<Storage, 'settlementSumsAfter'>,
  search: AggregationSearch,
  step: RunStep,
): AsyncGenerator<readonly Aggregation[]> {
  for await (const groups of sumPages(storage, search, step))
    yield groups.flatMap((rows) => aggregationOf(rows, search) ?? [])
}

/** The changes so far of all sums of a period: a report is current while this number is the same. */
export async function changesOf(
  storage: Pick<Storage, 'settlementSumsAfter'>,
  search: AggregationSearch,
  step: RunStep,
): Promise<number> {
  let changes = 0
  for await (const groups of sumPages(storage, search, step)) for (const row of groups.flat()) changes += row.changes
  return changes
}

/** The sums of a merchant in a period: pages of settlements, each with all of its sums. */
async function* sumPages(
  storage: Pick<Storage, 'settlementSumsAfter'>,
  { merchant, from, to }: AggregationSearch,
  step: RunStep,
): AsyncGenerator<readonly (readonly SettlementSumRow[])[]> {
  const max = limits.settlementSumsPerRead
  for (let [day, id] = [from, '']; ; ) {
    const [afterDay, afterId] = [day, id]
    const rows = await step(() => storage.settlementSumsAfter(merchant, to, afterDay, afterId, max))
    const groups = groupsOf(rows)
    // The sums of the last settlement of a full page may continue on the next page.
    const complete = rows.length < max ? groups : groups.slice(0, -1)
    if (complete.length > 0) yield complete
    const last = complete.at(-1)?.[0]
    if (rows.length < max || !last) return
    ;[day, id] = [last.settled_on, last.aggregation_id]
  }
}

/** Rows in the order of their settlements, by settlement. */
function groupsOf(rows: readonly SettlementSumRow[]): readonly (readonly SettlementSumRow[])[] {
  const groups: SettlementSumRow[][] = []
  for (const row of rows) {
    const group = groups.at(-1)
    if (group?.[0]?.aggregation_id === row.aggregation_id) group.push(row)
    else groups.push([row])
  }
  return groups
}

/** The settlement of these sums; undefined if none of its rows matches the filters. */
export function aggregationOf(
  rows: readonly SettlementSumRow[],
  { channel, currency, recordType }: Partial<AggregationSearch>,
): Aggregation | undefined {
  const matching = rows.filter(
    (row) =>
      row.records > 0 &&
      row.channel === (channel ?? row.channel) &&
      row.currency === (currency ?? row.currency) &&
      row.kind === (recordType ?? row.kind),
  )
  const [first] = matching
  if (!first) return undefined
  return readAggregation(
    JSON.stringify({
      id: first.aggregation_id,
      merchant: first.merchant,
      channel: first.channel,
      clearingMerchantId: first.clearing_merchant_id,
      settlementId: first.settlement_id,
      settledOn: first.settled_on,
      currency: first.currency,
      sums: matching.map(({ kind, type, cashflow, outcome: status, records, amount_minor, fee_minor }) => ({
        kind,
        type,
        cashflow,
        status,
        records,
        amountMinor: amount_minor,
        feeMinor: fee_minor,
      })),
    }),
  )
}
