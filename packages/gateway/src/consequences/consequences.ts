import { eventOf } from '@tollgate/contract'
import type { EventRow, JobRow, Storage, TransactionRow, Unit } from '@tollgate/storage'
import type { Renderer } from '../answer.ts'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import { authorisationTimer } from '../jobs/end-authorisation.ts'
import { registrationTimer } from '../jobs/end-registration.ts'
import { renderTransaction } from '../payments/records/transaction-view.ts'
import { deliveryJob } from '../webhooks/delivery-job.ts'

/** Who is told of what. */
export interface Subscriptions {
  /** The webhooks that are told of events of a type on a channel. */
  of(channelId: string, type: string): readonly string[]
}

interface Parts {
  readonly ids: Ids
  readonly clock: Clock
  readonly render: Renderer
  readonly subscriptions: Subscriptions
  /** Told of the jobs of a unit once it is durable. */
  onJobs(jobs: readonly JobRow[]): void
}

/**
 * The storage, each of whose units carries what follows from its rows: the timers that end what it begins, and the
 * events that tell of its transactions. So no operation can forget them, and neither is there without the other.
 */
export function withConsequences(storage: Storage, parts: Parts): Storage {
  return {
    ...storage,
    // Not async: where nothing follows, which is most often, it must cost nothing.
    commit(unit) {
      const events = eventsOf(unit, parts)
      const jobs = [...timersOf(unit), ...events.flatMap((each) => deliveriesOf(each, parts))]
      if (jobs.length === 0) return storage.commit(unit)
      const { job = [], event = [], ...rows } = unit.rows
      const more = { event: [...event, ...events], job: [...job, ...jobs] }
      return storage.commit({ ...unit, rows: { ...rows, ...more } }).then((result) => {
        if (result.kind === 'committed') parts.onJobs(jobs)
        return result
      })
    },
  }
}

const timersOf = ({ rows: { registration = [], payment_transaction: transactions = [] } }: Unit): JobRow[] => [
  ...registration.filter((row) => row.deleted_at_ms === null).map(registrationTimer),
  ...transactions.map(authorisationTimer).filter((timer) => timer !== undefined),
]

/** One for each transaction that merchants are told of, where anybody wants to be told. */
function eventsOf(unit: Unit, parts: Parts): EventRow[] {
  const rows = unit.rows.payment_transaction ?? []
  return rows.map((row) => eventRow(row, unit, parts)).filter((row) => row !== undefined)
}

/** The payload is the answer to the request, to the letter: the same row, the same request, the same moment. */
function eventRow(row: TransactionRow, unit: Unit, { ids, render, subscriptions }: Parts): EventRow | undefined {
  const event = eventOf(row.type)
  if (!event || subscriptions.of(row.channel, event.type).length === 0) return undefined
  return {
    id: ids.sequenced(),
    merchant: row.merchant,
    entity_id: row.channel,
    root_id: row.root_id,
    type: event.type,
    action: event.action ?? null,
    payload: renderTransaction(render, row, { requestId: unit.id, atMs: row.created_at_ms }),
    created_at_ms: row.created_at_ms,
  }
}

const deliveriesOf = (event: EventRow, { ids, clock, subscriptions }: Parts): JobRow[] =>
  subscriptions
    .of(event.entity_id, event.type)
    .map((webhookId) => deliveryJob(event, webhookId, { id: ids.sequenced(), atMs: clock.now() }))
