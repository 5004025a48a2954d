import { DAY_MS } from '@tollgate/contract'
import { positionAt } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { SearchRequest } from '../requests.ts'
import { shortIdOf } from '../ids.ts'

/** The criteria of a query, joined by "and". */
export type Search = Readonly<NonNullable<ReturnType<typeof searchOf>>>

/**
 * Ten years ahead, where a search without an end begins: later than any id from a wrong clock. Above it are only ids of
 * registrations, nearly all of them: they contain no time and belong to all merchants.
 */
const AHEAD_MS = 10 * 366 * DAY_MS

/** @returns undefined for an entity without payments of its own: for a psp or division the merchant is unknown */
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
    /** Positions from the one, itself included, to below the other. */
    from: fromMs === undefined ? '' : positionAt(fromMs),
    before: positionAt(toMs ?? atMs + AHEAD_MS),
    /** How many transactions an answer may have. */
    limit,
    withLinked,
  }
}

/** Whether an id matches the search. The short id is no column: it is derived from the id. */
export const fitsShortId = ({ shortId }: Search, id: string): boolean =>
  shortId === undefined || [shortId, dotted(shortId)].includes(shortIdOf(id))

/** A short id as it is shown, of its twelve digits. */
const dotted = (shortId: string): string => shortId.replace(/^(\d{4})(\d{4})(\d{4})$/, '$1.$2.$3')
