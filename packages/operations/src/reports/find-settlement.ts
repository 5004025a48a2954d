import type { SettlementSumRow } from '@tollgate/storage'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import { visibilityOf } from '../directory/visibility.ts'
import { NOT_FOUND } from '../queries/answers.ts'
import type { RecordsRequest } from '../requests.ts'
import { withScope } from './report-scope.ts'

/** The sums of a settlement, which all are of one merchant and channel. */
type Sums = readonly [SettlementSumRow, ...SettlementSumRow[]]

/** Reports the records of the settlement that a request names, unless its entity has no access to it. */
export const withSettlement = (
  context: Context,
  request: RecordsRequest,
  work: (sums: Sums) => Promise<Answer>,
): Promise<Answer> =>
  withScope(context, request, async () => {
    const [first, ...others] = await context.storage.settlementSumsOf(request.id)
    const visibility = first ? visibilityOf(context, request, first) : 'unknown'
    if (first && visibility === 'visible') return work([first, ...others])
    return visibility === 'otherChannel'
      ? context.render.refusal(400, '700.400.700', request)
      : context.render.refusal(404, NOT_FOUND, request)
  })
