import type { Compilable, RawBuilder, SchemaModule } from 'kysely'

/** The dialect of a migration. */
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
}

/**
 * heap: rows in order of arrival, with a separate index of their key; for long rows. clustered: rows inside the index
 * of their key; for short rows. A dialect without layouts ignores it.
 */
export type Layout = 'heap' | 'clustered'

/** One step of the schema. A released migration is never edited, and uses no table of the current code. */
export interface Migration {
  readonly name: string
  /** The reason of the change; stored in the database beside the name. */
  readonly reason: string
  readonly steps: (target: MigrationTarget) => readonly Compilable[]
  /**
   * Indexes of existing tables that grow. PostgreSQL builds them after the start, while other processes write; until
   * then queries are correct, but slow.
   */
  readonly indexes?: (schema: SchemaModule) => readonly Compilable[]
}

/** A migration as SQL of a dialect. */
export interface CompiledMigration {
  readonly name: string
  readonly reason: string
  readonly steps: readonly string[]
}
