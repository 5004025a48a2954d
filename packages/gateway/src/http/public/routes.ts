import {
  describeResult,
  openapi,
  operations,
  resultCodes,
  type ServedOperation,
  servedOperations,
} from '@tollgate/contract'
import type { Answer, RequestMark } from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'
import { piecesOf } from '../connections/pieces.ts'

/** One route of the public API. */
export interface Route {
  readonly operation: ServedOperation
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** A second path of the operation. */
  readonly alias: string | undefined
}

/** The routes of all operations that are served. */
export const routes: readonly Route[] = servedOperations.map((operation) => {
  const { method, path: template } = operations[operation]
  const path = template.replace('{id}', ':id')
  return { operation, method, path, alias: withoutVersion(path) }
})

/** The second path of checkouts: "the path is shown without a version segment". */
function withoutVersion(path: string): string | undefined {
  return path.startsWith('/v1/checkouts') ? path.slice('/v1'.length) : undefined
}

/** A document that needs no token. */
interface Document {
  readonly method: 'GET'
  readonly path: string
  readonly bytes: number
  answer(gateway: Gateway, mark: RequestMark): Answer
}

const SUCCESS = '000.000.100'
/** The items of the list of result codes, without brackets, in one buffer that all answers share. */
const resultCodeList = Buffer.from(
  Object.entries(resultCodes)
    .map(([code, { text }]) => JSON.stringify({ code, description: text }))
    .join(','),
)
const openapiText = Buffer.from(JSON.stringify(openapi()))

export const documents: readonly Document[] = [
  {
    method: 'GET',
    path: '/v1/resultcodes',
    bytes: resultCodeList.length,
    answer({ render }, mark) {
      const head = { id: mark.requestId, result: { code: SUCCESS, description: describeResult(SUCCESS) } }
      const [start, end] = render.frame(head, mark, 'resultCodes')
      const rest = { pieces: [...piecesOf(resultCodeList), end], memoryBytes: 0 }
      return { status: 200, code: SUCCESS, body: start, rest }
    },
  },
  {
    method: 'GET',
    path: '/openapi.json',
    bytes: openapiText.length,
    answer: () => ({ status: 200, code: SUCCESS, body: '', rest: { pieces: piecesOf(openapiText), memoryBytes: 0 } }),
  },
]
