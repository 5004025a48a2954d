import type { Form } from '@tollgate/contract'
import type { RequestMark } from './answer.ts'
import type { Caller, Channel } from './directory/channel.ts'
import type { IdempotencyClaim } from './execute.ts'

/** One request after decoding, authentication and checking: all that an operation may know of HTTP. */
export interface Call extends RequestMark {
  readonly caller: Caller
  /** The channels that entityId stands for, at least one where the operation takes an entityId. */
  readonly channels: readonly Channel[]
  /** Path parameters. */
  readonly id: string
  readonly form: Form
  readonly claim: IdempotencyClaim | undefined
}
