import { type FoundTransaction, newestFirst, positionOf, type TransactionRow } from '@tollgate/storage'
import type { Gateway } from '../../gateway.ts'
import { fitsShortId, type Search } from './search.ts'

/** What was found; some searches read the whole of it on their way. */
export type Found = FoundTransaction & { readonly row?: TransactionRow }

/**
 * What a search finds below a position, newest first, in steps of any length, empty ones too. Between two steps
 * payments go on.
 *
 * @param wanted how many a step is to read as a whole at most; undefined: none
 */
export async function* foundBefore(
  { storage, searches }: Gateway,
  search: Search,
  before: string,
  wanted?: () => number,
): AsyncGenerator<readonly Found[]> {
  const { filter, merchantTransactionId: reference, from } = search
  if (reference !== undefined) {
    const rows = await searches.step(() => storage.transactionsOf(reference, filter))
    const found = newestFirst(rows.map((row) => ({ id: row.id, position: positionOf(row), row })))
    yield found.filter(({ id, position }) => position < before && position >= from && fitsShortId(search, id))
    return
  }
  for (let at = before; at > from; ) {
    const below = at
    const step: { readonly found: readonly Found[]; readonly reached: string } = await searches.step(() =>
      wanted ? storage.rowsBefore(filter, below, from, wanted()) : storage.transactionsBefore(filter, below, from),
    )
    const { found, reached } = step
    yield found.filter(({ id }) => fitsShortId(search, id))
    at = reached
  }
}

/** How many there are below a position, counted up to a maximum. */
export async function countBefore(gateway: Gateway, search: Search, before: string, max: number): Promise<number> {
  let count = 0
  for await (const found of foundBefore(gateway, search, before)) {
    count += found.length
    if (count >= max) break
  }
  return count
}
