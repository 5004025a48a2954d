import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { limits } from '../limits.ts'
import { migrations } from '../migrations/index.ts'
import type { CompiledMigration, MigrationTarget } from '../migrations/migration.ts'
import { watchSteps } from './notifications.ts'

/**
 * The settings with which the server vacuums a table after a fixed number of new rows. By default the number is a
 * fifth of the table, which is too many in a large table: until a row is vacuumed, an index-only scan also reads the
 * row (PostgreSQL's documentation, Index-Only Scans).
 */
export const vacuumByNewRows = [
  'autovacuum_vacuum_insert_scale_factor = 0',
  `autovacuum_vacuum_insert_threshold = ${limits.vacuumedRows}`,
].join(', ')

/**
 * All migrations as PostgreSQL's SQL. Texts sort by their bytes, as in SQLite. By the server's locale they would sort
 * differently, and comparisons of ids would be slower.
 */
export function compiledMigrations(): CompiledMigration[] {
  const build = compiler()
  const asStep = (step: string) => ({ compile: () => sql.raw(step).compile(build) })
  const target: MigrationTarget = {
    schema: build.schema,
    types: { text: sql`text collate "C"`, integer: sql`bigint`, bytes: sql`bytea` },
    layouts: { heap: sql``, clustered: sql`` },
    watch: (table) => watchSteps(table).map(asStep),
    tuneForInserts: (table) => [asStep(`ALTER TABLE "${table}" SET (${vacuumByNewRows})`)],
    onServer: (steps) => steps.map(asStep),
  }
  return migrations.map(({ name, reason, steps }) => ({
    name,
    reason,
    steps: steps(target).map((step) => step.compile().sql),
  }))
}

/** An index that is built while payments proceed. */
interface CompiledIndex {
  readonly name: string
  readonly statement: string
}

/** The indexes of all migrations on tables that grow. */
export function compiledIndexes(): CompiledIndex[] {
  const { schema } = compiler()
  return migrations.flatMap(({ indexes }) => indexes?.(schema) ?? []).map((index) => compiledIndex(index.compile().sql))
}

function compiledIndex(text: string): CompiledIndex {
  const [, name, rest] = /^create index "(\w+)" ([^]+)$/.exec(text) ?? []
  if (name === undefined) throw new Error(`invariant: a migration has an index that is not a CREATE INDEX: ${text}`)
  return { name, statement: `CREATE INDEX CONCURRENTLY "${name}" ${rest}` }
}

/** Kysely only compiles the SQL; it has no connection. */
const compiler = () =>
  new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
