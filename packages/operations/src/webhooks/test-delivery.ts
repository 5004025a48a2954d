import type { WebhookKeyRow } from '@tollgate/storage'
import type { DeliveryContext } from './delivery-context.ts'
import { type Attempted, attempted } from './attempt.ts'
import { testEnvelope } from './envelope.ts'
import { keysIn } from './webhook-keys.ts'
import { notification } from './signed-request.ts'
import type { Webhook } from './webhook.ts'

/** The key that a test delivery is made with: the one that waits for it, or else the one in use. */
export const keyToTest = (keys: readonly WebhookKeyRow[], nowMs: number): WebhookKeyRow | undefined =>
  keysIn('pending', keys, nowMs)[0] ?? keysIn('current', keys, nowMs)[0]

/** Sends a test delivery; it is no event, and is not tried again. */
export async function testDelivery(
  context: Pick<DeliveryContext, 'vault' | 'webhooks' | 'outgoing' | 'ids' | 'clock'>,
  webhook: Pick<Webhook, 'id' | 'url' | 'settings'>,
  key: WebhookKeyRow,
): Promise<Attempted> {
  const request = notification(context, webhook, { id: context.ids.ordered(), text: testEnvelope, key })
  return attempted(await context.outgoing.send(request))
}
