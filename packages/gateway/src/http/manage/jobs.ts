import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { JobRow } from '@tollgate/storage'
import { Type } from 'typebox'
import { closeOpenMessage, deadLetterJob, retryJob } from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'
import { lagsOf } from '../../runtime/job-lag.ts'
import { limits } from '../../limits.ts'
import { ManageError } from './manage-error.ts'
import { AFTER_ALL, ById, strictObject, Id } from './schemas.ts'
import { timeOf } from './instant.ts'

const Page = strictObject({ before: Type.Optional(Id) })
const Reason = Type.String({ pattern: String.raw`^[^\p{C}]{1,200}$` })
/** The acquirer's reference of an approval. */
const Reference = Type.String({ pattern: '^[A-Za-z0-9._/-]{1,40}$' })
const Close = Type.Union([
  strictObject({ as: Type.Literal('declined'), reason: Reason }),
  strictObject({ as: Type.Literal('approved'), reason: Reason, reference: Reference }),
])

/**
 * Counts due jobs, lists dead-lettered jobs with their errors, shows, retries and dead-letters a job, and closes a
 * message to an acquirer with the result that the acquirer has confirmed.
 */
export function jobRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { storage } = gateway

  async function existingJob(id: string): Promise<JobRow> {
    const row = await storage.job(id)
    if (row && row.done_at_ms === null) return row
    throw new ManageError(404, `There is no job ${id}: it is completed or never existed.`)
  }

  return async (server) => {
    server.get('/jobs', async () => ({
      kinds: (await lagsOf(gateway)).map(({ kind, due, oldestDueAtMs }) => ({
        kind,
        due,
        oldestDueAt: timeOf(oldestDueAtMs),
      })),
    }))
    server.get('/jobs/parked', { schema: { querystring: Page } }, async ({ query }) => {
      const rows = await storage.deadLetteredBefore(query.before ?? AFTER_ALL, limits.listMax)
      return { jobs: rows.map(view), next: rows.length === limits.listMax ? rows.at(-1)?.id : undefined }
    })
    server.get('/jobs/:id', { schema: { params: ById } }, async ({ params }) => view(await existingJob(params.id)))
    server.post('/jobs/:id/retry', { schema: { params: ById } }, async ({ params }) =>
      view(await retry(gateway, await existingJob(params.id))),
    )
    server.post('/jobs/:id/close', { schema: { params: ById, body: Close } }, async ({ params: { id }, body }) => {
      const outcome = await closeOpenMessage(gateway, await existingJob(id), body)
      if (outcome.kind === 'conflict') throw new ManageError(409, MODIFIED)
      if (outcome.kind === 'refused') throw new ManageError(409, `The job ${id} was not closed: ${outcome.reason}.`)
      const { id: transactionId, status, result_code: resultCode } = outcome.row
      return { id, transactionId, status, resultCode }
    })
    server.post('/jobs/:id/park', { schema: { params: ById } }, async ({ params }) =>
      view(await deadLetter(gateway, await existingJob(params.id))),
    )
  }
}

/** Makes a job due now, and resets its attempts. */
export const retry = async (gateway: Gateway, job: JobRow): Promise<JobRow> =>
  notifyChanged(gateway, await retryJob(gateway, job))

/** Dead-letters a job. A job that is already dead-lettered keeps its reason. */
export const deadLetter = async (gateway: Gateway, job: JobRow): Promise<JobRow> =>
  job.parked_at_ms === null ? notifyChanged(gateway, await deadLetterJob(gateway, job)) : job

/**
 * Notifies the queue of a changed job.
 *
 * @throws ManageError if a version conflict prevented the change
 */
function notifyChanged({ jobs }: Gateway, changed: JobRow | undefined): JobRow {
  if (!changed) throw new ManageError(409, MODIFIED)
  jobs.notify(changed.kind, changed.lane)
  return changed
}

const MODIFIED = 'The job was modified concurrently; reload and retry.'

function view(row: JobRow) {
  return {
    id: row.id,
    kind: row.kind,
    lane: row.lane === '' ? undefined : row.lane,
    subjectId: row.subject_id,
    dueAt: timeOf(row.due_at_ms),
    attempts: row.attempts,
    parkedAt: timeOf(row.parked_at_ms),
    lastError: row.last_error ?? undefined,
    createdAt: timeOf(row.created_at_ms),
  }
}
