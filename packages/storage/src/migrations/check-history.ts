import { StorageError } from '../storage-error.ts'
import type { CompiledMigration } from './migration.ts'

/** A row of the table of applied migrations. */
export interface RecordedMigration {
  readonly version: number
  readonly name: string
}

/**
 * The number of versions by which the schema of a database may be ahead of the program, so that processes can be
 * replaced one by one and a rollback works. Every migration keeps the previous version working
 * (docs/decisions/0022-one-schema-version-ahead.md).
 */
const SCHEMAS_AHEAD = 1

/**
 * Checks whether the program supports a database, by the migrations that the database records.
 *
 * @param database the name of the database in messages
 * @param recorded in the order of their versions
 * @returns the number of recorded migrations
 * @throws StorageError `incompatible` if a newer program has migrated the database too far, or another program has
 *   migrated it
 */
export function checkHistory(
  database: string,
  recorded: readonly RecordedMigration[],
  migrations: readonly CompiledMigration[],
): number {
  for (const [index, { version, name }] of recorded.entries()) {
    const expected = migrations[index]?.name ?? name
    if (version === index + 1 && name === expected) continue
    throw new StorageError(
      'incompatible',
      `${database} has a migration ${version} "${name}", which does not belong to this program: name another database`,
    )
  }
  const newest = migrations.length + SCHEMAS_AHEAD
  if (recorded.length > newest) {
    throw new StorageError(
      'incompatible',
      `${database} has schema ${recorded.length}, and this program supports at most ${newest}: start a newer version`,
    )
  }
  return recorded.length
}
