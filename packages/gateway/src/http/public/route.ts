import type { OperationName } from '@tollgate/contract'
import type { Answer, Call, Refusal } from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'

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
