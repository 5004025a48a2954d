import { type EventKind, eventOf } from '@tollgate/contract'
import type { EventRow, JobRow, Storage, TransactionRow, Unit } from '@tollgate/storage'
import type { Renderer } from './answer.ts'
import type { Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import { authorisationTimer, registrationTimer } from './records/timers.ts'
import { renderTransaction } from './records/transaction-view.ts'
import { deliveryJob, placeAt } from './webhooks/new-delivery.ts'
import { newNotification } from './webhooks/new-notification.ts'

/** The subscribers of events. */
export interface Subscriptions {
  /** The webhooks that are subscribed to a type of event on a channel. */
  webhookIdsFor(channelId: string, type: string): readonly string[]
}

interface Dependencies {
  readonly ids: Ids
  readonly clock: Clock
  readonly render: Renderer
  readonly subscriptions: Subscriptions
  /** Called with the jobs of a unit once it is durable. */
  onJobs(jobs: readonly JobRow[]): void
}

/**
 * The storage with the outbox: each unit gets the timers and events that its rows require, so that no operation can
 * omit them, and all are committed as a whole or not at all.
 */
export function withOutbox(storage: Storage, dependencies: Dependencies): Storage {
  return {
    ...storage,
    // The function is not async: most units get no further rows, and an async function would create another promise.
    commit(unit) {
      const { job = none, event = none } = unit.rows
      const derived = derivedRowsOf(unit, dependencies)
      if (job.length === 0 && derived.jobs.length === 0 && derived.published.length === 0) return storage.commit(unit)
      const commit = (deliveries: readonly JobRow[]) => {
        const jobs = [...job, ...derived.jobs, ...deliveries]
        const events = [...event, ...derived.events, ...derived.published.map((publication) => publication.event)]
        return storage.commit({ ...unit, rows: { ...unit.rows, event: events, job: jobs } }).then((result) => {
          if (result.kind === 'committed') dependencies.onJobs(jobs)
          return result
        })
      }
      const { published } = derived
      const places = published.map(({ event: { root_id: root } }) => placeIn(unit, root))
      if (places.every((place) => place !== undefined)) return commit(deliveriesOf(published, places, dependencies))
      return completePlaces(storage, published, places).then((completed) =>
        commit(deliveriesOf(published, completed, dependencies)),
      )
    },
  }
}

const none: readonly never[] = []

/** An event, and the webhooks that receive it. */
interface PublishedEvent {
  readonly event: EventRow
  readonly webhookIds: readonly string[]
}

/** The rows that follow from the rows of a unit. */
interface DerivedRows {
  /** Timers, and calls to a `notificationUrl`. */
  readonly jobs: readonly JobRow[]
  /** The events of calls to a `notificationUrl`. */
  readonly events: readonly EventRow[]
  readonly published: readonly PublishedEvent[]
}

function derivedRowsOf(unit: Unit, dependencies: Dependencies): DerivedRows {
  const { ids, clock } = dependencies
  const { registration: registrations = none } = unit.rows
  const published: PublishedEvent[] = []
  const jobs: JobRow[] = []
  const events: EventRow[] = []
  for (const row of registrations) if (row.deleted_at_ms === null) jobs.push(registrationTimer(row))
  for (const row of decidedTransactions(unit)) {
    const timer = authorisationTimer(row)
    if (timer) jobs.push(timer)
    const notification = newNotification(row, { ids, clock })
    if (notification) {
      events.push(notification.event)
      jobs.push(notification.job)
    }
    const kind = eventOf(row.type)
    const webhookIds = kind ? dependencies.subscriptions.webhookIdsFor(row.channel, kind.type) : none
    if (!kind || webhookIds.length === 0) continue
    const event = eventRow(row, wasExpired(unit, row) ? { ...kind, action: 'UPDATED' } : kind, unit, dependencies)
    published.push({ event, webhookIds })
  }
  return { jobs, events, published }
}

/** The transactions whose outcome a unit sets: new transactions, and stored transactions that it changes. */
function decidedTransactions({ rows, compareAndSets = none }: Unit): readonly TransactionRow[] {
  const { payment_transaction: added = none } = rows
  // The usual case is one decided transaction.
  if (compareAndSets.length === 0 && added.every(isDecided)) return added
  const decided = added.filter(isDecided)
  for (const { table, to } of compareAndSets) if (table === 'payment_transaction' && isDecided(to)) decided.push(to)
  return decided
}

const isDecided = ({ status }: TransactionRow): boolean => status !== 'SENT'

/** The place of a unit's events in the delivery order of a tree; undefined if the unit expects no version of it. */
function placeIn({ expectedVersions }: Unit, root: string): number | undefined {
  const expectedVersion = expectedVersions.find(({ id }) => id === root)
  return expectedVersion && placeAt(expectedVersion.version + 1, 'incremented')
}

/** Completes the places: an undefined place becomes the place after the current version of the tree. */
const completePlaces = (
  storage: Storage,
  published: readonly PublishedEvent[],
  places: readonly (number | undefined)[],
): Promise<number[]> =>
  Promise.all(
    published.map(async ({ event }, index) => {
      return places[index] ?? placeAt((await storage.treeOf(event.root_id))?.version ?? 0, 'unchanged')
    }),
  )

const deliveriesOf = (
  published: readonly PublishedEvent[],
  places: readonly number[],
  { ids, clock }: Dependencies,
): JobRow[] =>
  published.flatMap(({ event, webhookIds }, index) =>
    webhookIds.map((webhookId) =>
      deliveryJob(event, webhookId, { id: ids.sequenced(), atMs: clock.now(), place: places[index] ?? 0 }),
    ),
  )

/** The payload equals the answer to the request: it is rendered from the same row, request id and time. */
const eventRow = (row: TransactionRow, kind: EventKind, unit: Unit, { ids, render }: Dependencies): EventRow => ({
  id: ids.sequenced(),
  merchant: row.merchant,
  entity_id: row.channel,
  root_id: row.root_id,
  type: kind.type,
  action: kind.action ?? null,
  payload: renderTransaction(render, row, { requestId: unit.id, atMs: row.created_at_ms, ndc: checkoutIn(unit) }),
  created_at_ms: row.created_at_ms,
})

/** "000.600.000, action UPDATED": whether the outcome replaces an expiry that the merchant was already notified of. */
const wasExpired = ({ compareAndSets = none }: Unit, { id }: TransactionRow): boolean =>
  compareAndSets.some(
    ({ table, from }) => table === 'payment_transaction' && from.id === id && from.status === 'EXPIRED',
  )

/** The checkout that a unit belongs to. */
function checkoutIn({ compareAndSets = none }: Unit): string | undefined {
  for (const compareAndSet of compareAndSets) if (compareAndSet.table === 'checkout') return compareAndSet.from.id
  return undefined
}
