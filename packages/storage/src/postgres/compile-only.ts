import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Schema } from '../schema.ts'

/** Makes rows of a JSON list of texts, each in a column `value`. */
export const textsOf = 'json_array_elements_text'

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
