import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { keySetNames } from '@tollgate/vault'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { KeyError } from '../../keys/key-error.ts'
import { ManageError } from './manage-error.ts'
import { bodyIsOptional, exactly } from './schemas.ts'

const ById = Type.Object({ id: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }) })
const Rotation = exactly({ purpose: Type.Optional(Type.Enum([...keySetNames])) })

const statuses = { unknown: 404, refused: 409 } as const

/** The keys of the vault by their ids: count the records under each, rotate, retire. */
export function keyRoutes({ keys }: Gateway): FastifyPluginAsyncTypebox {
  /** Makes a change and returns its result. */
  async function changed(change: Promise<void>) {
    try {
      await change
    } catch (error) {
      throw error instanceof KeyError ? new ManageError(statuses[error.kind], error.message) : error
    }
    return keys.status()
  }

  return async (server) => {
    server.get('/keys', () => keys.status())
    server.post('/keys/rotate', { schema: { body: Rotation }, preValidation: bodyIsOptional }, ({ body }) =>
      changed(keys.rotate(body.purpose ?? 'encryption')),
    )
    server.post('/keys/:id/retire', { schema: { params: ById } }, ({ params }) => changed(keys.retire(params.id)))
  }
}
