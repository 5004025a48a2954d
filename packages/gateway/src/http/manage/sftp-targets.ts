import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { defaultFileNames, fileNameFault } from '@tollgate/domain'
import {
  deliveredPurposes,
  deliverySettings,
  deliverySettingsOf,
  sftpAccountStates,
  sftpCredentials,
  timeZoneFault,
} from '@tollgate/operations'
import { type Static, Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { existingEntity } from './entities.ts'
import { ManageError } from './manage-error.ts'
import { ById, ForEntity, Id, strictObject } from './schemas.ts'
import { sftpAccountOperations } from './sftp-accounts.ts'

const { server: Server, folder, fileName, merchantReferences, merchantMemo, schedule } = deliverySettings.properties
const State = Type.Enum([...sftpAccountStates])
const options = {
  fileName: Type.Optional(fileName),
  merchantReferences: Type.Optional(merchantReferences),
  merchantMemo: Type.Optional(merchantMemo),
  schedule: Type.Optional(schedule),
  state: Type.Optional(State),
}
const NewTarget = strictObject({
  entityId: Id,
  purpose: Type.Enum([...deliveredPurposes]),
  server: Server,
  folder: Type.Optional(folder),
  credentials: sftpCredentials,
  ...options,
})
const Change = strictObject({
  server: Type.Optional(Server),
  folder: Type.Optional(folder),
  credentials: Type.Optional(sftpCredentials),
  ...options,
})

/** Creates, changes, tests and deletes the SFTP servers to which files of merchants are delivered. */
export function sftpTargetRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const targets = sftpAccountOperations(gateway, {
    name: 'SFTP target',
    purposes: deliveredPurposes,
    settingsOf: deliverySettingsOf,
    faultOf: ({ fileName: pattern, schedule: { timeZone } }) => {
      const nameFault = fileNameFault(pattern)
      if (nameFault !== undefined) return `fileName ${nameFault}`
      const zoneFault = timeZoneFault(timeZone)
      return zoneFault && `schedule/timeZone ${zoneFault}`
    },
  })

  async function create({ entityId, purpose, credentials, state = 'enabled', ...settings }: Static<typeof NewTarget>) {
    const { kind } = existingEntity(gateway, entityId)
    if (kind === 'channel') throw new ManageError(400, 'body/entityId must name a merchant, or an entity above.')
    return targets.create({
      entityId,
      purpose,
      credentials,
      state,
      settings: {
        folder: '.',
        fileName: defaultFileNames[purpose],
        merchantReferences: false,
        merchantMemo: false,
        schedule: { hour: 6, timeZone: 'UTC' },
        ...settings,
      },
    })
  }

  return async (routes) => {
    routes.get('/sftp-targets', { schema: { querystring: ForEntity } }, async ({ query }) => {
      const { rows, total } = await targets.list(query.entityId)
      return { targets: rows, total }
    })
    routes.get('/sftp-targets/:id', { schema: { params: ById } }, async ({ params }) =>
      targets.view(await targets.existing(params.id)),
    )
    routes.post('/sftp-targets', { schema: { body: NewTarget } }, async ({ body }, reply) =>
      reply.code(201).send(await create(body)),
    )
    routes.patch('/sftp-targets/:id', { schema: { params: ById, body: Change } }, ({ params, body }) => {
      const { state, credentials, ...settings } = body
      return targets.change(params.id, { state, credentials, settings })
    })
    routes.delete('/sftp-targets/:id', { schema: { params: ById } }, ({ params }) => targets.remove(params.id))
    routes.post('/sftp-targets/:id/test', { schema: { params: ById } }, ({ params }) => targets.test(params.id))
  }
}
