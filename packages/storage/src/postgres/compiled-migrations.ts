import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { limits } from '../limits.ts'
import { migrations } from '../migrations/index.ts'
import type { CompiledMigration, MigrationTarget } from '../migrations/migration.ts'
import { watchSteps } from './watched.ts'

/**
 * By default the server vacuums once a fifth of a table is new: of a large one very much, and an entry of its indexes
 * that was not vacuumed costs a look at its row (PostgreSQL's documentation, Index-Only Scans).
 */
const vacuumedAsItGrows = (table: string): string =>
  `ALTER TABLE "${table}" SET (autovacuum_vacuum_insert_scale_factor = 0, ` +
  `autovacuum_vacuum_insert_threshold = ${limits.vacuumedRows})`

/**
 * All migrations as PostgreSQL's SQL. Texts sort by their bytes, as they do in every other dialect, and not by the
 * language of the server, which also would make each comparison of ids slower.
 */
export function compiledMigrations(): CompiledMigration[] {
  const build = compiler()
  const asStep = (step: string) => ({ compile: () => sql.raw(step).compile(build) })
  const target: MigrationTarget = {
    schema: build.schema,
    types: { text: sql`text collate "C"`, integer: sql`bigint`, bytes: sql`bytea` },
    layouts: { heap: sql``, clustered: sql`` },
    watch: (table) => watchSteps(table).map(asStep),
    grows: (table) => [asStep(vacuumedAsItGrows(table))],
  }
  return migrations.map(({ name, reason, steps }) => ({
    name,
    reason,
    steps: steps(target).map((step) => step.compile().sql),
  }))
}

/** An index that is built beside payments. */
interface CompiledIndex {
  readonly name: string
  readonly statement: string
}

/** The indexes of tables that grow, of all migrations. */
export function compiledIndexes(): CompiledIndex[] {
  const { schema } = compiler()
  return migrations.flatMap(({ indexes }) => indexes?.(schema) ?? []).map((index) => compiledIndex(index.compile().sql))
}

function compiledIndex(text: string): CompiledIndex {
  const [, name, rest] = /^create index "(\w+)" ([^]+)$/.exec(text) ?? []
  if (name === undefined) throw new Error(`invariant: a migration's index is made by ${text}`)
  return { name, statement: `CREATE INDEX CONCURRENTLY "${name}" ${rest}` }
}

/** Kysely as a compiler; connections of ours run the SQL. */
const compiler = () =>
  new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
