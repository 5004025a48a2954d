import { Type } from 'typebox'

/** An id as the gateway draws them, in an operator's request. */
export const Id = Type.String({ pattern: '^[0-9a-f]{32}$' })
/** The parameters of a path with one. */
export const ById = Type.Object({ id: Id })

/** Sorts after every id: where a list that shows the newest first begins. */
export const AFTER_ALL = 'g'
