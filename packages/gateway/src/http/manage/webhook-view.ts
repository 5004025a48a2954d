import type { Gateway } from '../../gateway.ts'
import { phaseOf, type Webhook } from '@tollgate/operations'
import { ManageError } from './manage-error.ts'
import { timeOf } from './instant.ts'

/** @throws ManageError where there is none, or none any more */
export function existingWebhook({ webhooks }: Pick<Gateway, 'webhooks'>, id: string): Webhook {
  const webhook = webhooks.get(id)
  if (!webhook) throw unknownWebhook(id)
  return webhook
}

export const unknownWebhook = (id: string): ManageError => new ManageError(404, `There is no webhook ${id}.`)

/** A webhook as operators see it, without its keys themselves. */
export function webhookView({ webhooks, clock }: Pick<Gateway, 'webhooks' | 'clock'>, webhook: Webhook) {
  const keys = webhooks.keysOf(webhook.id)
  return {
    id: webhook.id,
    entityId: webhook.entity_id,
    url: webhook.url,
    ...webhook.settings,
    state: webhook.state,
    keys: keys.map((row) => ({
      id: row.id,
      state: phaseOf(row, keys, clock.now()),
      createdAt: timeOf(row.created_at_ms),
      startsAt: timeOf(row.starts_at_ms),
      endsAt: timeOf(row.ends_at_ms),
    })),
    createdAt: timeOf(webhook.created_at_ms),
    changedAt: timeOf(webhook.changed_at_ms),
  }
}
