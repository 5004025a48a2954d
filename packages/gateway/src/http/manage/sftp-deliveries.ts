import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { FILE_DELIVERY, repeatDelivery } from '@tollgate/operations'
import type { JobRow, SftpDeliveryRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { Id, strictObject } from './schemas.ts'

const DeliveryId = Type.String({ pattern: '^[0-9a-f]{32}-[0-9]{4}-[0-9]{2}-[0-9]{2}$' })
const ByDelivery = Type.Object({ id: DeliveryId })
const Filter = strictObject({ targetId: Id, before: Type.Optional(DeliveryId) })

/** Lists the files that were delivered to a target, shows one, and delivers one again. */
export function sftpDeliveryRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { storage, jobs } = gateway

  async function existing(id: string): Promise<SftpDeliveryRow> {
    const row = await storage.sftpDelivery(id)
    if (row) return row
    throw new ManageError(404, `There is no delivery ${id}.`)
  }
  const jobOf = async ({ job_id: id }: SftpDeliveryRow) => (id === null ? undefined : storage.job(id))

  return async (server) => {
    server.get('/sftp-deliveries', { schema: { querystring: Filter } }, async ({ query }) => {
      const { targetId, before = `${targetId}.` } = query
      const rows = await storage.sftpDeliveriesBefore(targetId, before, limits.listMax)
      return {
        deliveries: await Promise.all(rows.map(async (row) => view(row, await jobOf(row)))),
        next: rows.length === limits.listMax ? rows.at(-1)?.id : undefined,
      }
    })
    server.get('/sftp-deliveries/:id', { schema: { params: ByDelivery } }, async ({ params }) => {
      const row = await existing(params.id)
      return view(row, await jobOf(row))
    })
    server.post('/sftp-deliveries/:id/repeat', { schema: { params: ByDelivery } }, async ({ params }) => {
      const outcome = await repeatDelivery(gateway, await existing(params.id))
      if (outcome.kind !== 'repeated') throw refusals[outcome.kind]
      jobs.notify(FILE_DELIVERY, '')
      return view(await existing(params.id), outcome.job)
    })
  }
}

const refusals = {
  composing: new ManageError(409, 'The content of the file is not complete yet: it will be delivered.'),
  erased: new ManageError(409, 'The content of the file was removed: read the reconciliation record of its days.'),
  conflict: new ManageError(409, 'The delivery was changed concurrently: read it again and retry.'),
}

/** @param job that of the transfer, if the file waits for it */
function view(row: SftpDeliveryRow, job: JobRow | undefined) {
  return {
    id: row.id,
    targetId: row.account_id,
    day: row.day,
    fileName: row.file_name,
    state: job && job.parked_at_ms !== null ? 'parked' : row.state,
    rows: row.rows,
    sizeBytes: row.size_bytes,
    attempts: job?.attempts,
    dueAt: job && job.parked_at_ms === null ? timeOf(job.due_at_ms) : undefined,
    lastError: job?.last_error ?? undefined,
    jobId: job?.id,
    createdAt: timeOf(row.created_at_ms),
    deliveredAt: timeOf(row.delivered_at_ms),
  }
}
