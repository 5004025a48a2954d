import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import { tooManySearchesAnswer, unknownMerchantAnswer } from '../queries/answers.ts'
import type { ReportRequest } from '../requests.ts'

/** The settlements that a report contains. */
export interface ReportScope {
  readonly merchant: string
  /** The only channel; undefined: all channels of the merchant. */
  readonly channel: string | undefined
}

/**
 * Makes a report of the entity of a request, within the bounds of concurrent searches. A psp or division has no
 * settlements of its own, as in queries.
 */
export async function withScope(
  context: Context,
  request: ReportRequest,
  work: (scope: ReportScope) => Promise<Answer>,
): Promise<Answer> {
  const entity = context.directory.entity(request.entityId ?? request.caller.entityId)
  if (!entity || entity.merchant === '') return unknownMerchantAnswer(context, request)
  const scope = { merchant: entity.merchant, channel: entity.kind === 'channel' ? entity.id : undefined }
  return (
    (await context.rates.searches.run(scope.merchant, () => work(scope))) ?? tooManySearchesAnswer(context, request)
  )
}
