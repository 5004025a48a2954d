import { createHash } from 'node:crypto'
import { eventOf } from '@tollgate/contract'
import type { EventRow, JobRow, TransactionRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import { newJob } from '../records/new-job.ts'
import { notificationOf } from '../records/notification-target.ts'
import { type Resource, resourceOf } from '../records/resource.ts'
import { storedReader } from '../records/stored-json.ts'

/** The kind of job that calls a notificationUrl: its subject is an event of the type NOTIFICATION. */
export const NOTIFICATION = 'notification'

/** Several queues, so that a slow address delays only some of the other calls. */
export const notificationQueues = Array.from({ length: 16 }, (_, index) => index.toString(16))
const queueOf = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 1)

/** The address, and the resource that the call announces. */
const schema = Type.Object({ url: Type.String(), id: Type.String(), resourcePath: Type.String() })
type Notice = Readonly<Static<typeof schema>>
const readNotice = storedReader(schema)

export const noticeIn = ({ payload }: EventRow): Notice => readNotice(payload)

/**
 * The call of `notificationUrl` for the result of a transaction, also of a pending one; undefined if the transaction
 * has no such URL, or a type that is not announced.
 */
export function announcementOf(
  row: TransactionRow,
  { ids, clock }: { readonly ids: Ids; readonly clock: Clock },
): { readonly event: EventRow; readonly job: JobRow } | undefined {
  const { notificationUrl: url, checkoutId } = notificationOf(row) ?? {}
  if (url === undefined || !eventOf(row.type)) return undefined
  const atMs = clock.now()
  const notice: Notice = { url, ...announcedResource(row, checkoutId) }
  const { merchant } = row
  const event: EventRow = {
    id: ids.sequenced(),
    merchant,
    entity_id: row.channel,
    root_id: row.root_id,
    type: 'NOTIFICATION',
    action: null,
    payload: JSON.stringify(notice),
    created_at_ms: atMs,
  }
  const times = { due_at_ms: atMs, created_at_ms: atMs }
  const fields = { id: ids.sequenced(), merchant, kind: NOTIFICATION, subject_id: event.id, ...times }
  return { event, job: newJob(fields, queueOf(url)) }
}

function announcedResource({ id, root_id, type }: TransactionRow, checkoutId: string | undefined): Resource {
  if (type === '3D') return resourceOf('threeDSecure', id)
  return eventOf(type)?.type === 'PAYMENT'
    ? resourceOf('payment', id, checkoutId)
    : resourceOf('registration', root_id, checkoutId)
}
