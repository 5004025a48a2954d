import type { EventRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { deliveryJob, replayPlace } from './new-delivery.ts'
import type { Webhook } from './webhook.ts'

/** The result of a replay. */
export interface Replayed {
  /** The added deliveries: one for each event that the webhook is subscribed to. */
  readonly deliveries: number
  /** Where there are more events than one replay takes: the id of the first that is left. */
  readonly next: string | undefined
}

type Parts = Pick<Context, 'storage' | 'directory' | 'ids' | 'clock'>

/** Replays the events between two ids to a webhook, at most `limits.replayEventsMax` at a time. */
export async function replayBetween(parts: Parts, webhook: Webhook, from: string, to: string): Promise<Replayed> {
  const { storage, directory } = parts
  const max = limits.replayEventsMax
  const merchants = directory.entities().filter(({ kind }) => kind === 'merchant')
  const found: EventRow[] = []
  for (const { id } of merchants) {
    if (id !== webhook.merchant && !directory.reaches(webhook.entity_id, id)) continue
    found.push(...(await storage.eventsBetween(id, from, to, max + 1)))
  }
  const events = found.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const deliveries = await replayEvents(parts, webhook, events.slice(0, max))
  return { deliveries, next: events[max]?.id }
}

/** Replays these events, as far as the webhook is subscribed to their types. */
export async function replayEvents(
  parts: Parts,
  { id: webhookId, entity_id: entityId, settings }: Webhook,
  events: readonly EventRow[],
): Promise<number> {
  const { directory, ids, clock } = parts
  const told = events
    .filter(({ type, entity_id }) => settings.types.includes(type) && directory.reaches(entityId, entity_id))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  if (told.length === 0) return 0
  const atMs = clock.now()
  const job = told.map((event) =>
    deliveryJob(event, webhookId, { id: ids.sequenced(), atMs, place: replayPlace(atMs) }),
  )
  await commitChange(parts, { rows: { job } })
  return told.length
}
