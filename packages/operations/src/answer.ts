import { describeResult, type ResultCode } from '@tollgate/contract'
import { memoizeLast } from './memoize-last.ts'

/** The answer to a request: HTTP status, result code for the log, and the body as JSON text. */
export interface Answer {
  readonly status: number
  readonly code: ResultCode
  readonly body: string
  /** The rest of a streamed body, written piece by piece as the client reads; undefined: `body` is complete. */
  readonly rest?: BodyRest
  /** The pieces of the same answer as CSV; undefined: the answer is JSON only. Used only together with `rest`. */
  readonly csv?: () => AsyncIterable<string>
  /** The wait in the Retry-After header of a 429; undefined: the default wait. */
  readonly retryAfterMs?: number
}

/** The rest of a streamed body, after `Answer.body`. */
export interface BodyRest {
  readonly pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
  /** For the log line if the stream fails; undefined for fixed documents. */
  readonly requestId?: string
  /** Memory that the pieces use until the last one is sent; 0 for fixed documents. */
  readonly memoryBytes: number
}

/** An item of `result.parameterErrors`. The value of a secret is already masked. */
export interface ParameterErrorView {
  readonly name: string
  readonly value: string
  readonly message: string
}

/** The id and time of a request, for its answer and its log line. */
export interface RequestMark {
  /** 32 hex digits, also in the log. */
  readonly requestId: string
  readonly atMs: number
  /** The id of the checkout in answers about a checkout; undefined: the ndc is derived from `requestId`. */
  readonly ndc?: string | undefined
  /** Runs work that waits for another system; meanwhile the request does not count as in progress. */
  readonly whileWaiting?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined
}

/** Runs work that waits for another system, outside the places of requests in progress if the request has one. */
export const runWaiting = <T>({ whileWaiting }: RequestMark, work: () => Promise<T>): Promise<T> =>
  whileWaiting ? whileWaiting(work) : work()

/** Details of an answer without a payment. */
export interface RefusalDetails {
  /** Replaces the description of the result code. */
  readonly description?: string | undefined
  readonly parameterErrors?: readonly ParameterErrorView[]
  /** resultDetails.ExtendedDescription: what is wrong, or what to do. */
  readonly reason?: string
  /** Further members of resultDetails; used only together with a `reason`. */
  readonly details?: Readonly<Record<string, string>>
  /** Fields of the referenced resource. */
  readonly resourceFields?: object
  /** The JSON text of an object with further fields, which is inserted unchanged. */
  readonly echo?: string
}

/** An answer without a payment, before it is rendered. */
export interface Refusal extends RefusalDetails {
  readonly status: number
  readonly code: ResultCode
}

/** Renders bodies, with the fields that every response has at its end (contract, Response fields). */
export interface Renderer {
  /**
   * @param head the answer's own fields; undefined fields are omitted
   * @param more further fields, each the JSON text of an object, inserted unchanged
   */
  body(head: object, mark: RequestMark, ...more: readonly string[]): string
  /** As `body`, for a head whose fields are JSON text already, without the braces. */
  bodyOf(headFields: string, mark: RequestMark, ...more: readonly string[]): string
  /** @param items JSON texts of the items of the further field `name`; a long list is copied only once */
  list(head: object, mark: RequestMark, name: string, items: readonly string[]): string
  /** The JSON before and after the items of the further field `name`, for a streamed body. */
  frame(head: object, mark: RequestMark, name: string): readonly [start: string, end: string]
  /** An answer without a payment: for refused requests, unknown ids and internal errors. */
  refusal(status: number, code: ResultCode, mark: RequestMark, more?: RefusalDetails): Answer
}

/**
 * @param buildNumber `{40 hex}@yyyy-MM-dd HH:mm:ss +0000`
 * @param instanceId 32 hex digits of this process: the first half of every ndc, except in answers about checkouts
 */
export function createRenderer(buildNumber: string, instanceId: string): Renderer {
  const tailStart = memoizeLast(
    (atMs: number) => `"buildNumber":"${buildNumber}","timestamp":"${formatTime(atMs)}","ndc":"`,
  )
  const tail = ({ requestId, atMs, ndc = `${instanceId}_${requestId}` }: RequestMark) => `${tailStart(atMs)}${ndc}"}`

  const bodyOf: Renderer['bodyOf'] = (headFields, mark, ...more) => {
    let fields = headFields
    for (const text of more) if (text !== '{}') fields += `,${text.slice(1, -1)}`
    return `{${fields},${tail(mark)}`
  }
  const body: Renderer['body'] = (head, mark, ...more) => bodyOf(JSON.stringify(head).slice(1, -1), mark, ...more)
  const frame: Renderer['frame'] = (head, mark, name) => [
    `${JSON.stringify(head).slice(0, -1)},"${name}":[`,
    `],${tail(mark)}`,
  ]
  return {
    body,
    bodyOf,
    frame,
    list(head, mark, name, items) {
      const [start, end] = frame(head, mark, name)
      return `${start}${items.join(',')}${end}`
    },
    refusal(status, code, mark, more = {}) {
      const result = {
        code,
        description: more.description ?? describeResult(code),
        parameterErrors: more.parameterErrors,
      }
      const resultDetails =
        more.reason === undefined ? undefined : { ExtendedDescription: more.reason, ...more.details }
      const head = { id: mark.requestId, ...more.resourceFields, result, resultDetails }
      return { status, code, body: body(head, mark, more.echo ?? '{}') }
    },
  }
}

/** The time format of answers: `yyyy-MM-dd HH:mm:ss.SSS+0000`. */
export function formatTime(atMs: number): string {
  const iso = new Date(atMs).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}+0000`
}
