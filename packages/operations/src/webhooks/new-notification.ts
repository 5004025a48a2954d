import { createHash } from 'node:crypto'
import { eventOf } from '@tollgate/contract'
import type { EventRow, JobRow, TransactionRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import { newJob } from '../records/new-job.ts'
import { notificationTargetOf } from '../records/notification-target.ts'
import { type Resource, resourceOf } from '../records/resource.ts'
import { storedReader } from '../records/stored-json.ts'

/** The kind of job that calls a notificationUrl: its subject is an event of the type NOTIFICATION. */
export const NOTIFICATION = 'notification'

/** Several queues, so that a slow address delays only some of the other calls. */
export const notificationQueues = Array.from({ length: 16 }, (_, index) => index.toString(16))
const queueOf = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 1)

/** The address of the call, and the resource that its parameters identify. */
const schema = Type.Object({ url: Type.String(), id: Type.String(), resourcePath: Type.String() })
type Notification = Readonly<Static<typeof schema>>
const readNotification = storedReader(schema)

export const notificationIn = ({ payload }: EventRow): Notification => readNotification(payload)

/**
 * The call of `notificationUrl` for the result of a transaction, also of a pending one; undefined if the transaction
 * has no such URL, or if its type causes no notification.
 */
export function newNotification(
  row: TransactionRow,
  { ids, clock }: { readonly ids: Ids; readonly clock: Clock },
): { readonly event: EventRow; readonly job: JobRow } | undefined {
  const { notificationUrl: url, checkoutId } = notificationTargetOf(row) ?? {}
  if (url === undefined || !eventOf(row.type)) return undefined
  const atMs = clock.now()
  const notification: Notification = { url, ...notifiedResource(row, checkoutId) }
  const { merchant } = row
  const event: EventRow = {
    id: ids.sequenced(),
    merchant,
    entity_id: row.channel,
    root_id: row.root_id,
    type: 'NOTIFICATION',
    action: null,
    payload: JSON.stringify(notification),
    created_at_ms: atMs,
  }
  const times = { due_at_ms: atMs, created_at_ms: atMs }
  const fields = { id: ids.sequenced(), merchant, kind: NOTIFICATION, subject_id: event.id, ...times }
  return { event, job: newJob(fields, queueOf(url)) }
}

function notifiedResource({ id, root_id, type }: TransactionRow, checkoutId: string | undefined): Resource {
  if (type === '3D') return resourceOf('threeDSecure', id)
  return eventOf(type)?.type === 'PAYMENT'
    ? resourceOf('payment', id, checkoutId)
    : resourceOf('registration', root_id, checkoutId)
}
