import type { SettlementSumRow } from '@tollgate/storage'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import { visibilityOf } from '../directory/visibility.ts'
import { NOT_FOUND } from '../queries/answers.ts'
import type { RecordsRequest } from '../requests.ts'
import { withScope } from './report-scope.ts'

/** Reports the records of the settlement that a request names, unless its entity has no access to it. */
export const withSettlement = (
  context: Context,
  request: RecordsRequest,
  work: (sums: readonly SettlementSumRow[]) => Promise<Answer>,
): Promise<Answer> =>
  withScope(context, request, async () => {
    const sums = await context.storage.settlementSumsOf(request.id)
    const [first] = sums
    const visibility = first ? visibilityOf(context, request, first) : 'unknown'
    if (visibility === 'visible') return work(sums)
    return visibility === 'otherChannel'
      ? context.render.refusal(400, '700.400.700', request)
      : context.render.refusal(404, NOT_FOUND, request)
  })
