import type { Storage, Unit } from '@tollgate/storage'
import type { Ids } from './ids.ts'

interface Dependencies {
  readonly storage: Pick<Storage, 'commit'>
  readonly ids: Pick<Ids, 'ordered'>
}

/**
 * Commits a change of a job, a background task or an operator. Requests change payments only through the command
 * handler.
 *
 * @param change `id` is the id of the unit, which its events contain; by default a new id
 * @returns false after a version conflict, a violated uniqueness constraint or a failed compare-and-set: nothing was
 *   written
 */
export async function commitChange(
  { storage, ids }: Dependencies,
  { id = ids.ordered(), expectedVersions = [], unique, compareAndSets, rows = {}, erases }: Partial<Change>,
): Promise<boolean> {
  const { kind } = await storage.commit({ id, expectedVersions, unique, compareAndSets, rows, erases })
  return kind === 'committed'
}

/** A unit without a request: it has no idempotency claim. */
type Change = Omit<Unit, 'claim'>
