import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { limits } from '../limits.ts'
import type { Dialect } from '../queries.ts'
import type { Schema } from '../schema.ts'

/** What its queries are made with. */
export const dialect: Dialect = {
  textsOf: 'json_each',
  listsOf: 'json_each',
  // A step holds up the thread that payments are answered in.
  walkEntries: limits.walkEntries,
}

/** Kysely as a compiler of SQLite's SQL; our own connections run what it writes. */
export function compileOnly(): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}
