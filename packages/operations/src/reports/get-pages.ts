import type { SettlementRowRow, SettlementSumRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { listAnswer } from '../queries/answers.ts'
import { storedReader } from '../records/stored-json.ts'
import type { RecordsRequest, ReportRequest } from '../requests.ts'
import { recordMaker } from '../settlement/record-lines.ts'
import { withoutReferences } from '../settlement/stored-row.ts'
import { aggregationJson, aggregationsCsv, shownAggregation } from './aggregation-view.ts'
import { aggregationOf, aggregationPages, betweenPayments, changesOf, readAggregations } from './aggregations.ts'
import { withSettlement } from './find-settlement.ts'
import { recordJson, recordsCsv } from './record-view.ts'
import { withScope } from './report-scope.ts'
import { rowPages } from './settlement-rows.ts'
import { pageOfSnapshot, type SnapshotSource } from './snapshots.ts'

/** "/reports/v2/... paged by 100 with pages, pageNo, reconciliationType": a page of the summary. */
export const getAggregationsPage = (context: Context, request: ReportRequest): Promise<Answer> =>
  withScope(context, request, (scope) => {
    const { from, to, currency, recordType } = request.report
    const search = { ...scope, from, to, currency, recordType }
    const { storage } = context
    const source = {
      key: JSON.stringify(['aggregations', search]),
      changes: () => changesOf(storage, search, betweenPayments(context)),
      items: () => aggregationPages(storage, search, betweenPayments(context)),
    }
    return pageAnswer(context, request, source, {
      name: 'aggregations',
      read: async (items) => readAggregations(items).map((each) => shownAggregation(context, each)),
      json: aggregationJson,
      csv: aggregationsCsv,
    })
  })

/** A page of the records of a settlement. */
export const getAggregationPage = (context: Context, request: RecordsRequest): Promise<Answer> =>
  withSettlement(context, request, async (sums) => {
    const { id } = request
    const { recordType, isDescending } = request.report
    if (
      (aggregationOf(sums, { recordType })?.sums ?? []).reduce((sum, { records }) => sum + records, 0) >
      limits.reportSnapshotItemsMax
    )
      return tooManyAnswer(context, request)
    const { storage } = context
    const [settlement] = sums
    const recordsOf = recordMaker(context)
    const source = {
      key: JSON.stringify(['records', id, recordType, isDescending]),
      changes: async () => sums.reduce((sum, { changes }) => sum + changes, 0),
      items: async function* () {
        const search = { id, recordType, isDescending, after: undefined }
        for await (const rows of rowPages(storage, search, betweenPayments(context))) yield rows.map(itemOf)
      },
    }
    return pageAnswer(context, request, source, {
      name: 'records',
      read: async (items) => recordsOf(await rowsOf(context, settlement, readItems(items)), settlement.merchant),
      json: recordJson,
      csv: recordsCsv,
    })
  })

/** How the items of a snapshot are shown. */
interface PageView<Item> {
  readonly name: 'records' | 'aggregations'
  readonly read: (items: string) => Promise<readonly Item[]>
  readonly json: (item: Item) => string
  readonly csv: (pages: AsyncIterable<readonly Item[]>) => AsyncIterable<string>
}

async function pageAnswer<Item>(
  context: Context,
  request: ReportRequest,
  source: SnapshotSource,
  { name, read, json, csv }: PageView<Item>,
): Promise<Answer> {
  const { pageNo } = request.report
  const page = await pageOfSnapshot(context, request, source)
  if (page === undefined) return tooManyAnswer(context, request)
  if (typeof page === 'number') return beyondAnswer(context, request, page)
  const items = await read(page.items)
  const { pages } = page
  const answer = listAnswer(context, request, name, items.map(json), { pages, pageNo })
  const onePage = async function* () {
    yield items
  }
  // An answer with a rest is sent by the path that chooses between JSON and CSV.
  return { ...answer, rest: { pieces: [], memoryBytes: 0 }, csv: () => csv(onePage()) }
}

const beyondAnswer = ({ render }: Context, request: ReportRequest, pages: number): Answer =>
  render.refusal(400, '200.300.404', request, {
    parameterErrors: [{ name: 'pageNo', value: String(request.report.pageNo), message: `must be at most ${pages}` }],
  })

const tooManyAnswer = ({ render }: Context, request: ReportRequest): Answer =>
  render.refusal(400, '200.300.404', request, {
    reason: `the report has more than ${limits.reportSnapshotItemsMax} items: read it by /reports/v1`,
  })

const item = Type.Object({
  file: Type.String(),
  number: Type.Integer(),
  status: Type.String(),
  transaction: Type.Union([Type.String(), Type.Null()]),
  candidates: Type.Union([Type.String(), Type.Null()]),
  chargeback: Type.Union([Type.String(), Type.Null()]),
})

const readItems: (json: string) => readonly Type.Static<typeof item>[] = storedReader(Type.Array(item))

/** A row in a snapshot: its place, and its match, which may change later. */
const itemOf = (row: SettlementRowRow): Type.Static<typeof item> => ({
  file: row.file_id,
  number: row.number,
  status: row.status,
  transaction: row.transaction_id,
  candidates: row.candidates,
  chargeback: row.chargeback_id,
})

/** The rows as they were when the snapshot was made. */
async function rowsOf(
  { storage }: Context,
  { merchant, channel }: SettlementSumRow,
  items: readonly Type.Static<typeof item>[],
): Promise<readonly SettlementRowRow[]> {
  const rows = await Promise.all(items.map(({ file, number }) => storage.settlementRow(file, number)))
  return items.flatMap(({ status, transaction, candidates, chargeback }, index) => {
    const row = rows[index]
    if (!row) return []
    // The row has the references of its present transaction.
    const json = row.transaction_id === transaction ? row.row : withoutReferences(row)
    const match = { status, transaction_id: transaction, candidates, chargeback_id: chargeback }
    return [{ ...row, merchant, channel, ...match, row: json }]
  })
}
