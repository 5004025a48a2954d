import type { RequestParameters } from '@tollgate/contract'
import type { RequestMark } from './answer.ts'
import type { Caller, Channel } from './directory/channel.ts'
import type { IdempotencyClaim } from './command-handler.ts'

/**
 * The common part of every request: its caller, its entity and its checked parameters. Of the HTTP request, operations
 * get nothing else except the id in its path.
 */
export interface Head extends RequestMark {
  readonly caller: Caller
  /** The entityId of the request; undefined: the caller's own entity. */
  readonly entityId: string | undefined
  /** The channels of entityId, at least one if the operation takes an entityId. */
  readonly channels: readonly Channel[]
  /** The parameters for echoes, connectors and the AReq, and for the later requests of a session or plan. */
  readonly parameters: RequestParameters
  readonly claim: IdempotencyClaim | undefined
}
