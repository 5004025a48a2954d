import { DAY_MS } from '@tollgate/contract'
import { positionAt, type TransactionFilter } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { SearchRequest } from '../requests.ts'
import { shortIdOf } from '../ids.ts'

/** What a query looks for. All that it says must hold. */
export interface Search {
  readonly filter: TransactionFilter
  readonly merchantTransactionId: string | undefined
  readonly shortId: string | undefined
  /** Positions from the one, itself included, to below the other. */
  readonly from: string
  readonly before: string
  /** How many transactions an answer may have. */
  readonly limit: number
  readonly withLinked: boolean
}

/**
 * Ten years, where a search without an end begins: ahead of all that a clock which was wrong can have made. Above that
 * are only ids of registrations, nearly all of them: they tell no time and belong to all merchants.
 */
const AHEAD_MS = 10 * 366 * DAY_MS

/**
 * @returns undefined where the entity is none that payments belong to: of a psp or division it cannot be told whose are
 *   looked for
 */
export function searchOf(
  { directory }: Context,
  { search, entityId, caller, atMs }: SearchRequest,
): Search | undefined {
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
    from: fromMs === undefined ? '' : positionAt(fromMs),
    before: positionAt(toMs ?? atMs + AHEAD_MS),
    limit,
    withLinked,
  }
}

/** Whether an id is one that the search looks for. Nothing is stored by its short id: it is seen in the id itself. */
export const fitsShortId = ({ shortId }: Search, id: string): boolean =>
  shortId === undefined || [shortId, dotted(shortId)].includes(shortIdOf(id))

/** A short id as it is shown, of its twelve digits. */
const dotted = (shortId: string): string => shortId.replace(/^(\d{4})(\d{4})(\d{4})$/, '$1.$2.$3')
