import type { Storage, Unit } from '@tollgate/storage'
import type { Ids } from './ids.ts'

interface Parts {
  readonly storage: Pick<Storage, 'commit'>
  readonly ids: Pick<Ids, 'ordered'>
}

/**
 * Commits a change of a job, a background task or an operator. Requests change payments by the command handler alone.
 *
 * @param change `id`: of the unit, where its events are to bear a given one
 * @returns false where a row is no longer as it was read, or its tree has moved on: nothing was written
 */
export async function commitChange(
  { storage, ids }: Parts,
  { id = ids.ordered(), expectedVersions = [], compareAndSets, rows = {}, erases }: Partial<OwnUnit>,
): Promise<boolean> {
  const { kind } = await storage.commit({ id, expectedVersions, compareAndSets, rows, erases })
  return kind === 'committed'
}

/** A unit without a request: it claims no idempotency key, and nothing unique. */
type OwnUnit = Omit<Unit, 'claim' | 'unique'>
