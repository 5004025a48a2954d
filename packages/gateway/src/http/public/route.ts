import type { Form, OperationName } from '@tollgate/contract'
import type { Answer, Refusal, RequestMark } from '../../answer.ts'
import type { Caller, Channel } from '../../directory.ts'
import type { Claim } from '../../funnel.ts'
import type { Gateway } from '../../gateway.ts'

/** One request after decoding, authentication and checking: all that an operation may know of HTTP. */
export interface Call extends RequestMark {
  readonly caller: Caller
  /** The channels that entityId stands for, at least one where the operation takes an entityId. */
  readonly channels: readonly Channel[]
  /** Path parameters. */
  readonly id: string
  readonly form: Form
  readonly claim: Claim | undefined
}

/** One route of the public API: one file each, listed in routes.ts. */
export interface Route {
  readonly operation: OperationName
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** Another path for it: of checkouts "the path is shown without a version segment". */
  readonly also?: string
  handle(gateway: Gateway, call: Call): Promise<Answer>
  /**
   * The operation's own wording of a refusal, also of one before `handle`; without it the renderer's.
   *
   * @param call its form lacks the parameters that are wrong; it has no channel where there is no right entityId
   */
  refuse?(gateway: Gateway, call: Call, why: Refusal): Promise<Answer>
}
