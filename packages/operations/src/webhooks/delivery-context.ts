import type { Webhooks } from './webhook-cache.ts'
import type { Context } from '../context.ts'
import type { OutgoingClient } from '../ports/outgoing-client.ts'
import type { Wait } from '../wait.ts'

/**
 * The dependencies of jobs, and of changes of webhooks by operators. Operations for merchants depend on webhooks only
 * through the outbox.
 */
export interface DeliveryContext extends Context {
  readonly webhooks: Webhooks
  readonly outgoing: OutgoingClient
  readonly wait: Wait
}
