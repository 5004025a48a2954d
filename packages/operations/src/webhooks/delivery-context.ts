import type { Webhooks } from './webhook-cache.ts'
import type { Context } from '../context.ts'

/** What the jobs of webhooks may reach. Operations know of webhooks only by the outbox. */
export interface DeliveryContext extends Context {
  readonly webhooks: Webhooks
}
