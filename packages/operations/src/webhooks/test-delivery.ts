import type { WebhookKeyRow } from '@tollgate/storage'
import type { DeliveryContext } from './delivery-context.ts'
import { type AttemptOutcome, attemptOutcome } from './attempt-outcome.ts'
import { testEnvelope } from './envelope.ts'
import { keysIn } from './webhook-keys.ts'
import { signedRequest } from './signed-request.ts'
import type { Webhook } from './webhook.ts'

/** The key of a test delivery: the pending key if there is one, otherwise the current key. */
export const keyToTest = (keys: readonly WebhookKeyRow[], nowMs: number): WebhookKeyRow | undefined =>
  keysIn('pending', keys, nowMs)[0] ?? keysIn('current', keys, nowMs)[0]

/** Sends a test delivery, which has no event and is not retried. */
export async function sendTestDelivery(
  context: Pick<DeliveryContext, 'vault' | 'webhooks' | 'outgoing' | 'ids' | 'clock'>,
  webhook: Pick<Webhook, 'id' | 'url' | 'settings'>,
  key: WebhookKeyRow,
): Promise<AttemptOutcome> {
  const request = signedRequest(context, webhook, { id: context.ids.ordered(), envelope: testEnvelope, key })
  return attemptOutcome(await context.outgoing.send(request))
}
