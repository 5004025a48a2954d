import { DAY_MS } from '@tollgate/contract'
import { positionAt } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { SearchRequest } from '../requests.ts'
import { shortIdOf } from '../ids.ts'

/** The criteria of a query, joined by "and". */
export type Search = Readonly<NonNullable<ReturnType<typeof searchOf>>>

/**
 * A search without `date.to` begins ten years after the request: above the ids of a process with a wrong clock, and
 * below nearly all ids of registrations. These ids are random, and a scan from above them would read the registrations
 * of all merchants.
 */
const AHEAD_MS = 10 * 366 * DAY_MS

/** @returns undefined for a psp or division, which has no payments of its own */
export function searchOf({ directory }: Context, { search, entityId, caller, atMs }: SearchRequest) {
  const entity = directory.entity(entityId ?? caller.entityId)
  if (!entity || entity.merchant === '') return undefined
  const { types, methods, merchantTransactionId, shortId, fromMs, toMs, limit, withLinked } = search
  return {
    filter: {
      merchant: entity.merchant,
      channel: entity.kind === 'channel' ? entity.id : undefined,
      types,
      methods,
    },
    merchantTransactionId,
    shortId,
    /** The search covers the positions from `from` (inclusive) to `before` (exclusive). */
    from: fromMs === undefined ? '' : positionAt(fromMs),
    before: positionAt(toMs ?? atMs + AHEAD_MS),
    /** The maximum number of transactions in an answer. */
    limit,
    withLinked,
  }
}

/** Whether an id matches the short id of the search. No column stores the short id, which is derived from the id. */
export const fitsShortId = ({ shortId }: Search, id: string): boolean =>
  shortId === undefined || [shortId, dotted(shortId)].includes(shortIdOf(id))

/** Formats the twelve digits of a short id as in answers. */
const dotted = (shortId: string): string => shortId.replace(/^(\d{4})(\d{4})(\d{4})$/, '$1.$2.$3')
