import { runSql } from './postgres-database.ts'

/** Does to a database what the next version of this program would do: one migration that this one does not know. */
export async function migrateFurther(url: string, steps: readonly string[]): Promise<void> {
  const record = `INSERT INTO schema_migration SELECT max(version) + 1, 'later', 'a reason' FROM schema_migration`
  await runSql(url, ['BEGIN', ...steps, record, 'COMMIT'].join('; '))
}
