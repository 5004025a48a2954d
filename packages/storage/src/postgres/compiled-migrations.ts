import { sql } from 'kysely'
import { migrations } from '../migrations/index.ts'
import type { CompiledMigration, MigrationTarget } from '../migrations/migration.ts'
import { compileOnly } from './compile-only.ts'
import { watchSteps } from './watched.ts'

/**
 * All migrations as PostgreSQL's SQL. Texts sort by their bytes, as they do in every other dialect, and not by the
 * language of the server, which also would make each comparison of ids slower.
 */
export function compiledMigrations(): CompiledMigration[] {
  const build = compileOnly()
  const target: MigrationTarget = {
    schema: build.schema,
    types: { text: sql`text collate "C"`, integer: sql`bigint`, bytes: sql`bytea` },
    layouts: { heap: sql``, clustered: sql`` },
    watch: (table) => watchSteps(table).map((step) => ({ compile: () => sql.raw(step).compile(build) })),
  }
  return migrations.map(({ name, reason, steps }) => ({
    name,
    reason,
    steps: steps(target).map((step) => step.compile().sql),
  }))
}
