import { DAY_MS, isTrue, type RequestParameters, SECOND_MS } from '@tollgate/contract'
import { positionAt, type TransactionFilter } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { shortIdOf } from '../ids.ts'
import { limits } from '../limits.ts'

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
export function searchOf({ directory }: Context, { parameters, entityId, caller, atMs }: Call): Search | undefined {
  const entity = directory.entity(entityId ?? caller.entityId)
  if (!entity || entity.merchant === '') return undefined
  const [from, to] = (['date.from', 'date.to'] as const).map((name) => parameters.values.get(name))
  return {
    filter: {
      merchant: entity.merchant,
      channel: entity.kind === 'channel' ? entity.id : undefined,
      ...filterOf(parameters),
    },
    merchantTransactionId: parameters.values.get('merchantTransactionId'),
    shortId: parameters.values.get('shortId'),
    from: from === undefined ? '' : positionAt(startOf(from)),
    before: positionAt(to === undefined ? atMs + AHEAD_MS : startOf(to) + SECOND_MS),
    limit: Number(parameters.values.get('limit') ?? limits.queryRecords),
    withLinked: isTrue(parameters, 'includeLinkedTransactions'),
  }
}

/** Types and methods that are wanted. */
export const filterOf = ({ values }: RequestParameters): Pick<TransactionFilter, 'types' | 'methods'> => ({
  types: values.get('paymentTypes')?.split(','),
  methods: values.get('paymentMethods')?.split(','),
})

/** The first millisecond of a second, `yyyy-MM-dd HH:mm:ss` in UTC; both ends of a range are in it. */
const startOf = (second: string): number => Date.parse(`${second.replace(' ', 'T')}Z`)

/** Whether an id is one that the search looks for. Nothing is stored by its short id: it is seen in the id itself. */
export const fitsShortId = ({ shortId }: Search, id: string): boolean =>
  shortId === undefined || [shortId, dotted(shortId)].includes(shortIdOf(id))

/** A short id as it is shown, of its twelve digits. */
const dotted = (shortId: string): string => shortId.replace(/^(\d{4})(\d{4})(\d{4})$/, '$1.$2.$3')
