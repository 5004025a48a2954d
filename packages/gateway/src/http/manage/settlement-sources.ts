import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  retryJob,
  SETTLEMENT_FILES,
  SETTLEMENT_PULL,
  sftpAccountStates,
  sftpCredentials,
  type SourceSettings,
  sourceSettings,
  sourceSettingsOf,
} from '@tollgate/operations'
import type { JobRow, PulledFileRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { retryOnConflict } from './retry-on-conflict.ts'
import { ById, strictObject } from './schemas.ts'
import { sftpAccountOperations } from './sftp-accounts.ts'

const { server: Server, folder, names, everyMinutes, afterReading } = sourceSettings.properties
const options = {
  folder: Type.Optional(folder),
  names: Type.Optional(names),
  everyMinutes: Type.Optional(everyMinutes),
  afterReading: Type.Optional(afterReading),
  state: Type.Optional(Type.Enum([...sftpAccountStates])),
}
const NewSource = strictObject({ server: Server, credentials: sftpCredentials, ...options })
const Change = strictObject({
  server: Type.Optional(Server),
  credentials: Type.Optional(sftpCredentials),
  ...options,
})
const After = strictObject({ after: Type.Optional(Type.String({ maxLength: 255 })) })

const defaults = { folder: '.', names: '*', everyMinutes: 15, afterReading: 'keep' } as const

/** Creates, changes, tests and deletes the SFTP servers from which settlement files are pulled, and shows the files. */
export function settlementSourceRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { storage, jobs } = gateway
  const sources = sftpAccountOperations(gateway, {
    name: 'settlement source',
    purposes: [SETTLEMENT_FILES],
    settingsOf: sourceSettingsOf,
    faultOf: ({ folder: from, afterReading: after }: SourceSettings) =>
      after !== 'keep' && isSameFolder(after.moveTo, from)
        ? 'afterReading/moveTo must be another folder than the one that is read'
        : undefined,
  })

  /** A source with its next poll. */
  const withPoll = async <T extends { readonly id: string }>(source: T) => ({
    ...source,
    poll: pollOf(await storage.job(source.id)),
  })
  /** Has a source polled without waiting for the next tick. */
  async function polled<T extends { readonly id: string }>(source: T) {
    jobs.notify(SETTLEMENT_PULL, '')
    return withPoll(source)
  }

  const create = async ({ credentials, state = 'enabled', ...settings }: Static<typeof NewSource>) =>
    polled(
      await sources.create({
        entityId: null,
        purpose: SETTLEMENT_FILES,
        credentials,
        state,
        settings: { ...defaults, ...settings },
      }),
    )

  /** Makes the next poll due now. */
  const pollNow = (id: string) =>
    retryOnConflict(async () => {
      const row = await sources.existing(id)
      if (row.state !== 'enabled') throw new ManageError(409, 'The settlement source is disabled: enable it first.')
      const job = await storage.job(id)
      return job && (await retryJob(gateway, job)) && polled(sources.view(row))
    })

  return async (routes) => {
    routes.get('/settlement-sources', async () => {
      const { rows, total } = await sources.list()
      return { sources: await Promise.all(rows.map(withPoll)), total }
    })
    routes.get('/settlement-sources/:id', { schema: { params: ById } }, async ({ params }) =>
      withPoll(sources.view(await sources.existing(params.id))),
    )
    routes.post('/settlement-sources', { schema: { body: NewSource } }, async ({ body }, reply) =>
      reply.code(201).send(await create(body)),
    )
    routes.patch(
      '/settlement-sources/:id',
      { schema: { params: ById, body: Change } },
      async ({ params, body: { state, credentials, ...settings } }) =>
        polled(await sources.change(params.id, { state, credentials, settings })),
    )
    routes.delete('/settlement-sources/:id', { schema: { params: ById } }, ({ params }) => sources.remove(params.id))
    routes.post('/settlement-sources/:id/test', { schema: { params: ById } }, ({ params }) => sources.test(params.id))
    routes.post('/settlement-sources/:id/pull', { schema: { params: ById } }, async ({ params }, reply) =>
      reply.code(202).send(await pollNow(params.id)),
    )
    routes.get(
      '/settlement-sources/:id/files',
      { schema: { params: ById, querystring: After } },
      async ({ params, query: { after = '' } }) => {
        const { id } = await sources.existing(params.id)
        const rows = await storage.pulledFilesAfter(id, after, limits.listMax)
        return { files: rows.map(fileView), next: rows.length === limits.listMax ? rows.at(-1)?.name : undefined }
      },
    )
  }
}

const isSameFolder = (one: string, other: string): boolean => normalised(one) === normalised(other)
const normalised = (path: string): string => path.replace(/(?:^\.\/+)|(?:\/+\.?$)/g, '')

const pollOf = (job: JobRow | undefined) =>
  job && {
    state: job.parked_at_ms === null ? 'waiting' : 'parked',
    dueAt: job.parked_at_ms === null ? timeOf(job.due_at_ms) : undefined,
    failedAttempts: job.attempts,
    lastError: job.last_error ?? undefined,
  }

/** A file in the version that was pulled or refused last. */
const fileView = (row: PulledFileRow) => ({
  name: row.name,
  outcome: row.outcome,
  settlementFileId: row.file_id ?? undefined,
  sizeBytes: row.size_bytes,
  modifiedAt: timeOf(row.modified_at_ms),
  pulledAt: timeOf(row.pulled_at_ms),
})
