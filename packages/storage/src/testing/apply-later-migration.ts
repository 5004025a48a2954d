import { runSql } from './postgres-database.ts'

/** Applies one migration that this version does not contain, as a later version of the program would. */
export async function applyLaterMigration(url: string, steps: readonly string[]): Promise<void> {
  const record = `INSERT INTO schema_migration SELECT max(version) + 1, 'later', 'a reason' FROM schema_migration`
  await runSql(url, ['BEGIN', ...steps, record, 'COMMIT'].join('; '))
}
