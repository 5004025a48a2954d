import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import type { SearchRequest } from '../requests.ts'
import { limits } from '../limits.ts'
import type { SearchPages } from '../ports/search-limiter.ts'
import { FOUND, listAnswer, listFrame, NOT_FOUND, tooManySearchesAnswer, unknownMerchantAnswer } from './answers.ts'
import { countMatchesBefore } from './find-transactions.ts'
import { type Page, type PageBounds, pageBefore } from './page.ts'
import { type Search, searchOf } from './search.ts'

/**
 * "GET /v1/query?merchantTransactionId= a body with payments: [...]": the newest matches, up to `limit`. A long list is
 * read and written in pieces, at the client's pace.
 */
export const queryPayments = (context: Context, request: SearchRequest): Promise<Answer> =>
  withSearch(context, request, async (search) => {
    const contained = new Set<string>()
    const bounds = { charsMax: limits.queryPieceCharsMax, contained }
    const { records, next } = await pageBefore(context, request, search, search.before, bounds)
    if (records.length === 0) return context.render.refusal(404, NOT_FOUND, request)
    if (next === undefined || contained.size >= search.limit) return listAnswer(context, request, 'payments', records)
    const [start, end] = listFrame(context, request, 'payments')
    const pieces = piecesBefore(context, request, search, next, bounds, end)
    return {
      status: 200,
      code: FOUND,
      body: start + records.join(','),
      rest: { pieces, requestId: request.requestId, memoryBytes: limits.streamedBytes },
    }
  })

/** The pieces of a list after the first: the records below a position, each after a comma, and the closing JSON. */
async function* piecesBefore(
  context: Context,
  request: SearchRequest,
  search: Search,
  before: string,
  bounds: PageBounds,
  end: string,
): AsyncGenerator<string> {
  let page: Page = { records: [], next: before }
  while (page.next !== undefined) {
    page = await pageBefore(context, request, search, page.next, bounds)
    if (page.records.length === 0) break
    yield page.records.map((record) => `,${record}`).join('')
  }
  yield end
}

/**
 * "GET /v3/query/... the same with records: [...] and pages, pageNo". A page begins below the last transaction of the
 * previous page, so that no transaction is repeated or omitted if more are stored between the requests. If a page is
 * requested before the previous pages, these are read to find its start.
 */
export const queryRecords = (context: Context, request: SearchRequest): Promise<Answer> =>
  withSearch(context, request, (search) =>
    context.rates.searches.withPages(`${request.caller.tokenId} ${JSON.stringify(search)}`, async (cached) => {
      const { pageNo } = request.search
      if (pageNo === 1) cached.starts.clear()
      const before = await startOfPage(context, request, { search, cached, pageNo })
      const { records, next } =
        before === undefined ? NO_PAGE : await pageBefore(context, request, search, before, PAGE_BOUNDS)
      if (records.length === 0) return context.render.refusal(404, NOT_FOUND, request)
      if (next !== undefined) cached.starts.set(pageNo + 1, next)
      const isLast = next === undefined || (await countMatchesBefore(context, search, next, 1)) === 0
      if (!isLast && (pageNo === 1 || cached.total === undefined)) {
        cached.total = await countMatchesBefore(context, search, search.before, limits.queryCountedMax)
      }
      // Before the last page, the number of pages is an estimate: pages may be cut for their length or contain linked
      // transactions, and the count has a maximum.
      const pages = isLast ? pageNo : Math.max(pageNo + 1, Math.ceil((cached.total ?? 0) / records.length))
      return listAnswer(context, request, 'records', records, { pages, pageNo })
    }),
  )

const PAGE_BOUNDS: PageBounds = { charsMax: limits.queryPageCharsMax }

const NO_PAGE = { records: [], next: undefined }

/** The position below which a page begins; undefined if the search ends before that page. */
async function startOfPage(
  context: Context,
  request: SearchRequest,
  { search, cached, pageNo }: { readonly search: Search; readonly cached: SearchPages; readonly pageNo: number },
): Promise<string | undefined> {
  const nearest = Math.max(1, ...[...cached.starts.keys()].filter((page) => page <= pageNo))
  let start: string | undefined = cached.starts.get(nearest) ?? search.before
  for (let page = nearest; page < pageNo && start !== undefined; page += 1) {
    start = (await pageBefore(context, request, search, start, PAGE_BOUNDS)).next
    if (start !== undefined) cached.starts.set(page + 1, start)
  }
  return start
}

async function withSearch(
  context: Context,
  request: SearchRequest,
  work: (search: Search) => Promise<Answer>,
): Promise<Answer> {
  const search = searchOf(context, request)
  if (!search) return unknownMerchantAnswer(context, request)
  return (
    (await context.rates.searches.run(search.filter.merchant, () => work(search))) ??
    tooManySearchesAnswer(context, request)
  )
}
