import type { EventRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { deliveryJob, replayPlace } from './new-delivery.ts'
import type { Webhook } from './webhook.ts'

/** The result of a replay. */
export interface ReplayResult {
  /** The number of added deliveries: one for each event that the webhook is subscribed to. */
  readonly deliveries: number
  /** The id of the first event that was not replayed, if there are more events than one replay may contain. */
  readonly next: string | undefined
}

type Dependencies = Pick<Context, 'storage' | 'directory' | 'ids' | 'clock'>

/** Replays the events between two ids to a webhook: the first `limits.replayEventsMax` of them. */
export async function replayBetween(
  dependencies: Dependencies,
  webhook: Webhook,
  from: string,
  to: string,
): Promise<ReplayResult> {
  const { storage, directory } = dependencies
  const max = limits.replayEventsMax
  const merchants = directory.entities().filter(({ kind }) => kind === 'merchant')
  const stored: EventRow[] = []
  for (const { id } of merchants) {
    if (id !== webhook.merchant && !directory.reaches(webhook.entity_id, id)) continue
    stored.push(...(await storage.eventsBetween(id, from, to, max + 1)))
  }
  const events = stored.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const deliveries = await replayEvents(dependencies, webhook, events.slice(0, max))
  return { deliveries, next: events[max]?.id }
}

/**
 * Replays those of the events whose type and entity the webhook is subscribed to.
 *
 * @returns the number of added deliveries
 */
export async function replayEvents(
  dependencies: Dependencies,
  { id: webhookId, entity_id: entityId, settings }: Webhook,
  events: readonly EventRow[],
): Promise<number> {
  const { directory, ids, clock } = dependencies
  const subscribed = events
    .filter(({ type, entity_id }) => settings.types.includes(type) && directory.reaches(entityId, entity_id))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  if (subscribed.length === 0) return 0
  const atMs = clock.now()
  const job = subscribed.map((event) =>
    deliveryJob(event, webhookId, { id: ids.sequenced(), atMs, place: replayPlace(atMs) }),
  )
  await commitChange(dependencies, { rows: { job } })
  return subscribed.length
}
