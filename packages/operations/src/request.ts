import type { RequestParameters } from '@tollgate/contract'
import type { RequestMark } from './answer.ts'
import type { Caller, Channel } from './directory/channel.ts'
import type { IdempotencyClaim } from './execute.ts'

/**
 * What every request has, whatever it asks for: who sent it, about which entity, and its checked parameters. It is all
 * that an operation may know of HTTP.
 */
export interface Head extends RequestMark {
  readonly caller: Caller
  /** The entity that the request names; undefined: the caller's own. */
  readonly entityId: string | undefined
  /** The channels that entityId stands for, at least one where the operation takes an entityId. */
  readonly channels: readonly Channel[]
  /** Read-only: for echoes, connectors, the AReq, and what a session or plan stores for later. */
  readonly parameters: RequestParameters
  readonly claim: IdempotencyClaim | undefined
}
