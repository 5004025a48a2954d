import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { DeliveryAttemptRow, EventRow, JobRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { DELIVERY, NOTIFICATION } from '@tollgate/operations'
import { ManageError } from './manage-error.ts'
import { deadLetter, retry } from './jobs.ts'
import { AFTER_ALL, ById, strictObject, Id } from './schemas.ts'
import { timeOf } from './instant.ts'

const states = ['waiting', 'delivered', 'parked'] as const
const Filter = strictObject({
  webhookId: Type.Optional(Id),
  state: Type.Optional(Type.String({ enum: [...states] })),
  before: Type.Optional(Id),
})

/** Lists deliveries to webhooks and notificationUrls, newest first; shows, retries and dead-letters a delivery. */
export function deliveryRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { storage, webhooks } = gateway

  async function existingDelivery(id: string): Promise<JobRow> {
    const row = await storage.job(id)
    if (row && isDelivery(row)) return row
    throw new ManageError(404, `There is no delivery ${id}: it was erased or never existed.`)
  }
  async function undeliveredJob(id: string): Promise<JobRow> {
    const row = await existingDelivery(id)
    if (row.done_at_ms === null) return row
    throw new ManageError(409, `The delivery ${id} was successful: replay its event ${row.subject_id} instead.`)
  }
  /** Checked before a retry, because the retry of a delivery to an inactive webhook would only dead-letter it. */
  function requireActiveWebhook(webhookId: string): void {
    const state = webhooks.get(webhookId)?.state ?? 'deleted'
    if (state === 'active') return
    const advice = state === 'deleted' ? 'replay the event to another one' : 'test it first'
    throw new ManageError(409, `The webhook ${webhookId} is ${state}: ${advice}.`)
  }

  return async (server) => {
    // A page is filtered after it is read, so an answer may have fewer deliveries than the limit although more follow.
    server.get('/deliveries', { schema: { querystring: Filter } }, async ({ query }) => {
      const { webhookId, state, before = AFTER_ALL } = query
      if (webhookId === undefined && state !== 'parked') {
        throw new ManageError(400, 'querystring must have webhookId, or state=parked')
      }
      const page =
        webhookId === undefined
          ? await storage.deadLetteredBefore(before, limits.listMax)
          : await storage.jobsBefore(DELIVERY, webhookId, before, limits.listMax)
      const deliveries = page.filter((row) => isDelivery(row) && (state === undefined || stateOf(row) === state))
      return { deliveries: deliveries.map(view), next: page.length === limits.listMax ? page.at(-1)?.id : undefined }
    })
    server.get('/deliveries/:id', { schema: { params: ById } }, async ({ params }) => {
      const row = await existingDelivery(params.id)
      const event = await storage.event(row.subject_id)
      const attempts = await storage.attemptsOf(row.id)
      return { ...view(row), event: event && eventView(event), attemptsMade: attempts.map(attemptView) }
    })
    server.post('/deliveries/:id/retry', { schema: { params: ById } }, async ({ params }) => {
      const row = await undeliveredJob(params.id)
      if (row.kind === DELIVERY) requireActiveWebhook(row.lane)
      return view(await retry(gateway, row))
    })
    server.post('/deliveries/:id/park', { schema: { params: ById } }, async ({ params }) =>
      view(await deadLetter(gateway, await undeliveredJob(params.id))),
    )
  }
}

/** Whether a job delivers to a webhook or to a notificationUrl. */
const isDelivery = ({ kind }: JobRow): boolean => kind === DELIVERY || kind === NOTIFICATION

function stateOf({ done_at_ms, parked_at_ms }: JobRow): (typeof states)[number] {
  if (done_at_ms !== null) return 'delivered'
  return parked_at_ms === null ? 'waiting' : 'parked'
}

function view(row: JobRow) {
  return {
    id: row.id,
    webhookId: row.kind === DELIVERY ? row.lane : undefined,
    eventId: row.subject_id,
    state: stateOf(row),
    attempts: row.attempts,
    dueAt: stateOf(row) === 'waiting' ? timeOf(row.due_at_ms) : undefined,
    deliveredAt: timeOf(row.done_at_ms),
    parkedAt: timeOf(row.parked_at_ms),
    lastError: row.last_error ?? undefined,
    createdAt: timeOf(row.created_at_ms),
  }
}

/** An event without its payload, which contains personal data. */
const eventView = ({ type, action, root_id, entity_id, created_at_ms }: EventRow) => ({
  type,
  action: action ?? undefined,
  rootId: root_id,
  entityId: entity_id,
  createdAt: timeOf(created_at_ms),
})

const attemptView = (row: DeliveryAttemptRow) => ({
  number: row.number,
  startedAt: timeOf(row.started_at_ms),
  durationMs: row.duration_ms,
  httpStatus: row.http_status ?? undefined,
  error: row.error ?? undefined,
  answer: row.answer,
})
