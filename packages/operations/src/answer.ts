import { describeResult, type ResultCode } from '@tollgate/contract'
import { lastOf } from './memoize-last.ts'

/** The answer to a request: HTTP status, result code for the log, and the body as JSON text. */
export interface Answer {
  readonly status: number
  readonly code: ResultCode
  readonly body: string
  /** Follows `body`, written piece by piece as the client reads; undefined: there is no more. */
  readonly rest?: Rest
  /** With 429: when to come again; otherwise a usual time. */
  readonly retryAfterMs?: number
}

/** The end of a long body. */
export interface Rest {
  readonly pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
  /** Names the request in the log where the body breaks off; fixed documents do not. */
  readonly requestId?: string
  /** Memory that it takes until the last piece has left; fixed documents take none. */
  readonly heldBytes: number
}

/** One wrong parameter, as `result.parameterErrors` lists it. The value of a secret is masked before it gets here. */
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
  /** The id of the checkout in its answers; other answers have one made from the request's id. */
  readonly ndc?: string | undefined
}

/** Details of an answer without a payment. */
export interface RefusalDetails {
  /** In place of the registry's text. */
  readonly description?: string | undefined
  readonly parameterErrors?: readonly ParameterErrorView[]
  /** resultDetails.ExtendedDescription: the fault and a valid value. */
  readonly reason?: string
  /** Further members of resultDetails. */
  readonly details?: Readonly<Record<string, string>>
  /** Fields of the referenced resource. */
  readonly about?: object
  /** Further fields, as in `Renderer.body`. */
  readonly echo?: string
}

/** An answer without a payment, before it is worded. */
export interface Refusal extends RefusalDetails {
  readonly status: number
  readonly code: ResultCode
}

/** The end of every body: the fields that the contract requires of every response (contract, Response fields). */
export interface Renderer {
  /**
   * @param head the answer's own fields; undefined ones are left out
   * @param more further fields, each the JSON text of an object, spliced in as they are
   */
  body(head: object, mark: RequestMark, ...more: readonly string[]): string
  /** @param items a further field `name`, each the JSON of one; long lists are copied as seldom as can be */
  list(head: object, mark: RequestMark, name: string, items: readonly string[]): string
  /** The JSON before and after the items of such a list, for one that is written in pieces. */
  frame(head: object, mark: RequestMark, name: string): readonly [start: string, end: string]
  /** An answer without a payment: refused requests, unknown ids, faults. */
  refusal(status: number, code: ResultCode, mark: RequestMark, more?: RefusalDetails): Answer
}

/**
 * @param buildNumber `{40 hex}@yyyy-MM-dd HH:mm:ss +0000`
 * @param instanceId 32 hex digits of this process; the first half of every ndc
 */
export function createRenderer(buildNumber: string, instanceId: string): Renderer {
  const tail = ({ requestId, atMs, ndc = `${instanceId}_${requestId}` }: RequestMark) =>
    `"buildNumber":"${buildNumber}","timestamp":"${timestamp(atMs)}","ndc":"${ndc}"}`

  const body: Renderer['body'] = (head, mark, ...more) => {
    let fields = JSON.stringify(head).slice(0, -1)
    for (const text of more) if (text !== '{}') fields += `,${text.slice(1, -1)}`
    return `${fields},${tail(mark)}`
  }
  const frame: Renderer['frame'] = (head, mark, name) => [
    `${JSON.stringify(head).slice(0, -1)},"${name}":[`,
    `],${tail(mark)}`,
  ]
  return {
    body,
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
      const head = { id: mark.requestId, ...more.about, result, resultDetails }
      return { status, code, body: body(head, mark, more.echo ?? '{}') }
    },
  }
}

/** A moment as answers write it: `yyyy-MM-dd HH:mm:ss.SSS+0000`. */
export function formatTime(atMs: number): string {
  const iso = new Date(atMs).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}+0000`
}

const timestamp = lastOf(formatTime)
