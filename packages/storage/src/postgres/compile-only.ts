import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { limits } from '../limits.ts'
import type { Dialect } from '../queries.ts'
import type { Schema } from '../schema.ts'

/** What its queries are made with. */
export const dialect: Dialect = {
  textsOf: 'json_array_elements_text',
  listsOf: 'json_array_elements',
  // A step is the work of another process; what it costs here is its round trips.
  walkEntries: limits.walkEntriesElsewhere,
}

/** Kysely as a compiler of PostgreSQL's SQL; our own connections run what it writes. */
export function compileOnly(): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}
