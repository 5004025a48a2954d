import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import type { ReportRequest } from '../requests.ts'
import { aggregationJson, aggregationsCsv, shownAggregation } from './aggregation-view.ts'
import { aggregationPages, betweenPayments } from './aggregations.ts'
import { streamedAnswer } from './list-answer.ts'
import { withScope } from './report-scope.ts'

/** "GET /reports/v1/reconciliations/aggregations?date.from&date.to&currency (summary)". */
export const getAggregations = (context: Context, request: ReportRequest): Promise<Answer> =>
  withScope(context, request, (scope) => {
    const search = { ...scope, ...request.report }
    const shownPages = async function* () {
      for await (const page of aggregationPages(context.storage, search, betweenPayments(context)))
        yield page.map((aggregation) => shownAggregation(context, aggregation))
    }
    const jsonPages = async function* () {
      for await (const page of shownPages()) yield page.map(aggregationJson)
    }
    return streamedAnswer(context, request, {
      name: 'aggregations',
      pages: jsonPages(),
      csv: () => aggregationsCsv(shownPages()),
    })
  })
