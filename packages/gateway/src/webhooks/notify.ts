import { createHash } from 'node:crypto'
import { eventOf } from '@tollgate/contract'
import type { EventRow, JobRow, TransactionRow } from '@tollgate/storage'
import { atEnd, decidedIn, type Funnel, type Proposal } from '../funnel.ts'
import type { Gateway } from '../gateway.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import { newJob } from '../jobs/new-job.ts'
import { limits } from '../limits.ts'
import { resultAddress } from '../payments/return-address.ts'
import { isText, readStored, type Shape } from '../payments/records/stored-json.ts'
import { attempted } from './attempt.ts'
import { keepAttempts } from './attempts.ts'

/** The kind of job that calls a notificationUrl: its subject is an event of the type NOTIFICATION. */
export const NOTIFICATION = 'notification'

/** What is called, and about what. */
interface Notice {
  readonly url: string
  readonly id: string
  readonly resourcePath: string
}

const shape: Shape<Notice> = { url: isText, id: isText, resourcePath: isText }

/** A few lanes, so that an address that hangs holds up few of the others. */
const lanes = Array.from({ length: 16 }, (_, index) => index.toString(16))
const laneOf = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 1)

/**
 * The gateway for a request with a `notificationUrl` (deprecated): each unit carries a call to that address for each
 * transaction that webhooks would be told of.
 */
export function notifying(gateway: Gateway, url: string): Gateway {
  const { ids, funnel } = gateway
  const told = (proposal: Proposal): Proposal => {
    const { rows = {} } = proposal
    const events = decidedIn(proposal)
      .filter(({ type }) => eventOf(type))
      .map(noticeOf)
    if (events.length === 0) return proposal
    return { ...proposal, rows: { ...rows, event: events, job: [...(rows.job ?? []), ...events.map(jobOf)] } }
  }
  const noticeOf = (row: TransactionRow): EventRow => {
    const isPayment = eventOf(row.type)?.type === 'PAYMENT'
    const resourcePath = isPayment ? pathOf(row) : `/v1/registrations/${row.root_id}`
    const notice: Notice = { url, id: isPayment ? row.id : row.root_id, resourcePath }
    return {
      id: ids.sequenced(),
      merchant: row.merchant,
      entity_id: row.channel,
      root_id: row.root_id,
      type: 'NOTIFICATION',
      action: null,
      payload: JSON.stringify(notice),
      created_at_ms: row.created_at_ms,
    }
  }
  const jobOf = ({ id: subject_id, merchant, created_at_ms }: EventRow): JobRow => {
    const about = { id: ids.sequenced(), merchant, kind: NOTIFICATION, subject_id }
    return newJob({ ...about, due_at_ms: created_at_ms, created_at_ms }, laneOf(url))
  }
  const submit: Funnel['submit'] = (mark, claim, decide, shared) =>
    funnel.submit(mark, claim, async () => atEnd(await decide(), told), shared)
  return { ...gateway, funnel: { ...funnel, submit } }
}

const pathOf = ({ id, type }: TransactionRow): string =>
  type === '3D' ? `/v1/threeDSecure/${id}` : `/v1/payments/${id}`

/**
 * Calls a notificationUrl with the id of what happened and where to ask for it, as shopperResultUrl is called. It says
 * nothing more, for there is no key that could make it secret, or prove who says it.
 */
export function notifications(gateway: Gateway): JobKind {
  const { storage, outgoing, clock } = gateway
  const { isDue, park, after, record } = keepAttempts(gateway)

  return {
    name: NOTIFICATION,
    lanes: () => lanes,
    together: () => limits.notificationsTogether,
    async run({ id }, signal) {
      const job = await storage.job(id)
      if (!job || !isDue(job)) return 'was changed meanwhile'
      const event = await storage.event(job.subject_id)
      if (!event) return park(job, 'the event has been erased')
      const startedAtMs = clock.now()
      const { url: base, id: about, resourcePath } = readStored(shape, event.payload)
      const url = resultAddress(base, about, resourcePath)
      const reply = await outgoing.send({ method: 'GET', url, signal })
      if (reply.kind !== 'answered' && signal.aborted) return 'was interrupted'
      const attempt = attempted(reply)
      const to = after(job, attempt)
      // It is refused whenever it is tried, unlike a webhook nobody can mend it.
      const isRefused = reply.kind === 'refused'
      await record(job, isRefused ? { ...to, parked_at_ms: clock.now() } : to, attempt, startedAtMs)
      return attempt.error === null ? 'delivered' : `failed: ${attempt.error}`
    },
  }
}
