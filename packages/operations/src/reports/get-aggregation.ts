import type { SettlementRowRow } from '@tollgate/storage'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { placeText } from '../parameters/report.ts'
import type { RecordsRequest } from '../requests.ts'
import { recordMaker } from '../settlement/record-lines.ts'
import { betweenPayments } from './aggregations.ts'
import { withSettlement } from './find-settlement.ts'
import { streamedAnswer } from './list-answer.ts'
import { recordJson, recordsCsv } from './record-view.ts'
import { placeOf, rowPages, type RowSearch } from './settlement-rows.ts'

/**
 * "/reports/v1/reconciliations/aggregations/{id}?sortValue&sortOrder (detail)". A long answer ends with `next`, the
 * value for the parameter `after` of the next request. As CSV the answer has all records.
 */
export const getAggregation = (context: Context, request: RecordsRequest): Promise<Answer> =>
  withSettlement(context, request, ([settlement]) => {
    const { merchant } = settlement
    const search = { id: request.id, ...request.report }
    let next: string | undefined
    const pages = async function* (): AsyncGenerator<readonly string[]> {
      const recordsOf = recordMaker(context)
      let last: SettlementRowRow | undefined
      let count = 0
      for await (const rows of allRows(context, search)) {
        if (count >= limits.reportRecordsMax) {
          if (last && rows.length > 0) next = placeText(placeOf(last))
          return
        }
        count += rows.length
        last = rows.at(-1)
        yield (await recordsOf(rows, merchant)).map(recordJson)
      }
    }
    return streamedAnswer(context, request, {
      name: 'records',
      pages: pages(),
      csv: () => csvOf(context, search, merchant),
      membersAfter: () => ({ next }),
    })
  })

const allRows = (context: Context, search: RowSearch) => rowPages(context.storage, search, betweenPayments(context))

function csvOf(context: Context, search: RowSearch, merchant: string): AsyncIterable<string> {
  const recordsOf = recordMaker(context)
  const pages = async function* () {
    for await (const rows of allRows(context, search)) yield recordsOf(rows, merchant)
  }
  return recordsCsv(pages())
}
