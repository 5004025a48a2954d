import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { FOUND, listFrame } from '../queries/answers.ts'
import type { ReportRequest } from '../requests.ts'

/** The list of an answer that is streamed. */
interface StreamedList {
  readonly name: 'records' | 'aggregations'
  /** The JSON of the items, page by page. */
  readonly pages: AsyncIterable<readonly string[]>
  readonly csv: () => AsyncIterable<string>
  /** Further members after the list, by name; called when the list has ended. */
  readonly membersAfter?: () => Readonly<Record<string, string | undefined>>
}

/** An answer with a list that is read and written in pieces. The first page is read before the answer begins. */
export async function streamedAnswer(context: Context, request: ReportRequest, list: StreamedList): Promise<Answer> {
  const pieces = piecesOf(listFrame(context, request, list.name), list)
  const start = await pieces.next()
  const first = await pieces.next()
  const text = [start, first].map(({ value }) => value ?? '').join('')
  return {
    status: 200,
    code: FOUND,
    body: text,
    rest: { pieces, requestId: request.requestId, memoryBytes: limits.streamedBytes },
    csv: list.csv,
  }
}

async function* piecesOf(
  [start, end]: readonly [string, string],
  { pages, membersAfter }: StreamedList,
): AsyncGenerator<string, undefined> {
  yield start
  let separator = ''
  for await (const page of pages) {
    if (page.length === 0) continue
    yield separator + page.join(',')
    separator = ','
  }
  const members = JSON.stringify(membersAfter?.() ?? {}).slice(1, -1)
  // `end` begins with the bracket that closes the list.
  yield members === '' ? end : `${end.slice(0, 1)},${members}${end.slice(1)}`
  return undefined
}
