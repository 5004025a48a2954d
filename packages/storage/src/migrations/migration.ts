import type { Compilable, RawBuilder, SchemaModule } from 'kysely'

/** The parts of a dialect from which a migration builds its steps. */
export interface MigrationTarget {
  readonly schema: SchemaModule
  readonly types: {
    readonly text: RawBuilder<unknown>
    readonly integer: RawBuilder<unknown>
    readonly bytes: RawBuilder<unknown>
  }
  readonly layouts: Record<Layout, RawBuilder<unknown>>
  /** The steps after which peers are notified of changes of the table; none for a dialect without peers. */
  readonly watch: (table: string) => readonly Compilable[]
  /** The steps that tune a table with many inserts and few updates; none if the dialect needs no tuning. */
  readonly tuneForInserts: (table: string) => readonly Compilable[]
  /** Steps in the SQL of PostgreSQL; none for another dialect. */
  readonly onServer: (steps: readonly string[]) => readonly Compilable[]
}

/**
 * heap: rows in order of arrival, with a separate index of their key; for long rows. clustered: rows inside the index
 * of their key; for short rows. PostgreSQL has only one layout, and ignores the choice.
 */
export type Layout = 'heap' | 'clustered'

/**
 * A change of the schema to its next version. A released migration is never edited, so it lists its own columns and
 * does not use `tables`, which describes the newest version.
 */
export interface Migration {
  readonly name: string
  /** The reason of the change; stored in the database beside the name. */
  readonly reason: string
  readonly steps: (target: MigrationTarget) => readonly Compilable[]
  /**
   * Indexes of existing tables that grow. PostgreSQL builds them after the start, while other processes write; until
   * then queries are correct, but slow. SQLite, which has no other processes, builds them with the steps.
   */
  readonly indexes?: (schema: SchemaModule) => readonly Compilable[]
}

/** A migration as SQL of a dialect. */
export interface CompiledMigration {
  readonly name: string
  readonly reason: string
  readonly steps: readonly string[]
}
