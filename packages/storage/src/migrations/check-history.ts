import { StorageError } from '../storage-error.ts'
import type { CompiledMigration } from './migration.ts'

/** A migration that was made, as the database remembers it. */
export interface RecordedMigration {
  readonly version: number
  readonly name: string
}

/**
 * How far ahead of a program its database may be: while processes are replaced one by one, those of the version before
 * go on, and it can be gone back to. Every migration keeps to that (docs/decisions/0022-one-schema-version-ahead.md).
 */
const SCHEMAS_AHEAD = 1

/**
 * Whether this program can work with a database, by the migrations that were made there.
 *
 * @param place how messages name the database
 * @param recorded in the order of their versions
 * @returns how many there are
 * @throws StorageError `incompatible` when a newer program has migrated it further, or it is another program's.
 */
export function checkHistory(
  place: string,
  recorded: readonly RecordedMigration[],
  migrations: readonly CompiledMigration[],
): number {
  for (const [index, { version, name }] of recorded.entries()) {
    const expected = migrations[index]?.name ?? name
    if (version === index + 1 && name === expected) continue
    throw new StorageError(
      'incompatible',
      `${place} has a migration ${version} "${name}", which is none of this program's: give it a database of its own`,
    )
  }
  const most = migrations.length + SCHEMAS_AHEAD
  if (recorded.length > most) {
    throw new StorageError(
      'incompatible',
      `${place} has schema ${recorded.length}, and this program works with ${most} at the most: start a newer version`,
    )
  }
  return recorded.length
}
