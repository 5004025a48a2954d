import { sql } from 'kysely'
import { migrations } from '../migrations/index.ts'
import type { CompiledMigration, MigrationTarget } from '../migrations/migration.ts'
import { compileOnly } from './compile-only.ts'

/** All migrations as SQLite's SQL. Compiled here, because the writer thread starts twice as fast without Kysely. */
export function compiledMigrations(): CompiledMigration[] {
  const target: MigrationTarget = {
    schema: compileOnly().schema,
    types: { text: sql`text`, integer: sql`integer`, bytes: sql`blob` },
    layouts: { heap: sql`strict`, clustered: sql`strict, without rowid` },
    watch: () => [],
    grows: () => [],
  }
  // One process owns the file, and nobody writes before it has started.
  return migrations.map(({ name, reason, steps, indexes }) => ({
    name,
    reason,
    steps: [...steps(target), ...(indexes?.(target.schema) ?? [])].map((step) => step.compile().sql),
  }))
}
