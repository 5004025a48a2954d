import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { keySetNames } from '@tollgate/vault'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { KeyError } from '../../keys/key-error.ts'
import { ManageError } from './manage-error.ts'
import { defaultToEmptyBody, strictObject } from './schemas.ts'

const ById = Type.Object({ id: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }) })
const Rotation = strictObject({ purpose: Type.Optional(Type.Enum([...keySetNames])) })

const statuses = { unknown: 404, refused: 409 } as const

/** Lists the keys of the vault with the number of their records, and rotates and retires them. */
export function keyRoutes({ keys }: Gateway): FastifyPluginAsyncTypebox {
  /** Waits for a change, and returns the state of the keys after it. */
  async function keysAfter(change: Promise<void>) {
    try {
      await change
    } catch (error) {
      throw error instanceof KeyError ? new ManageError(statuses[error.kind], error.message) : error
    }
    return keys.status()
  }

  return async (server) => {
    server.get('/keys', () => keys.status())
    server.post('/keys/rotate', { schema: { body: Rotation }, preValidation: defaultToEmptyBody }, ({ body }) =>
      keysAfter(keys.rotate(body.purpose ?? 'encryption')),
    )
    server.post('/keys/:id/retire', { schema: { params: ById } }, ({ params }) => keysAfter(keys.retire(params.id)))
  }
}
