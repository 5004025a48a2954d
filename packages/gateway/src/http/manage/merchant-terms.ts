import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createKeyedMutex,
  type DatedMerchantTerms,
  merchantTerms,
  MerchantTermsError,
  merchantTermsOf,
  saveMerchantTerms,
  type SentMerchantTerms,
} from '@tollgate/operations'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { existingEntity } from './entities.ts'
import { instantOf, timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { ById, strictObject } from './schemas.ts'

const Start = Type.Optional(Type.String({ maxLength: 40 }))
const DatedTerms = strictObject({ ...merchantTerms.properties, startsAt: Start })
const Removal = strictObject({ startsAt: Start })

/**
 * Shows the terms of an entity, and sets or removes them from a time on: when its funds become available, which part of
 * them is withheld, and when and where they are paid. The nearest terms apply, like fee plans.
 */
export function merchantTermsRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const withLock = createKeyedMutex()

  const existingId = (id: string): string => {
    const { kind } = existingEntity(gateway, id)
    if (kind === 'channel') throw new ManageError(400, 'A channel has no terms; set those of its merchant.')
    return id
  }
  const view = async (id: string) => ({ entityId: id, merchantTerms: (await merchantTermsOf(gateway, id)).map(viewOf) })

  /** @param part the part of the request with `startsAt` */
  async function save(id: string, terms: SentMerchantTerms | null, startsAt: string | undefined, part: string) {
    const startsAtMs = startsAt === undefined ? undefined : instantOf(startsAt, `${part}/startsAt`)
    try {
      await saveMerchantTerms(gateway, id, terms, startsAtMs)
    } catch (error) {
      if (error instanceof MerchantTermsError) throw new ManageError(400, `${part}/${error.message}`)
      throw error
    }
    return view(id)
  }
  const change = (id: string, terms: SentMerchantTerms | null, startsAt: string | undefined, part: string) =>
    withLock(existingId(id), () => save(id, terms, startsAt, part))

  return async (server) => {
    server.get('/entities/:id/merchant-terms', { schema: { params: ById } }, ({ params }) =>
      view(existingId(params.id)),
    )

    server.post(
      '/entities/:id/merchant-terms',
      { schema: { params: ById, body: DatedTerms } },
      ({ params, body: { startsAt, ...terms } }, reply) => {
        reply.code(201)
        return change(params.id, terms, startsAt, 'body')
      },
    )

    server.delete(
      '/entities/:id/merchant-terms',
      { schema: { params: ById, querystring: Removal } },
      ({ params, query: { startsAt } }) => change(params.id, null, startsAt, 'querystring'),
    )
  }
}

const viewOf = ({ startsAtMs, createdAtMs, terms }: DatedMerchantTerms) => ({
  startsAt: timeOf(startsAtMs),
  createdAt: timeOf(createdAtMs),
  terms,
})
