import type { FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'
import { limits } from '../../limits.ts'

/** An id in the form that the gateway generates. */
export const Id = Type.String({ pattern: '^[0-9a-f]{32}$' })
/** The parameters of a path with an id. */
export const ById = Type.Object({ id: Id })

/** An object without additional members. */
export const strictObject = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

/** The query of a list that can be filtered by entity. */
export const ForEntity = strictObject({ entityId: Type.Optional(Id) })

/** The time for which a replaced token or key stays valid. */
export const Overlap = strictObject({
  overlapSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.overlapSecondsMax })),
})

/** A hook of routes whose body has no required member: it replaces a missing body by an empty object. */
export async function defaultToEmptyBody(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}

/** Sorts after every id: the start of a list with the newest first. */
export const AFTER_ALL = 'g'
