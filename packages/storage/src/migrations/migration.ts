import type { Compilable, RawBuilder, SchemaModule } from 'kysely'

/** What a migration needs to know of the dialect that it runs on. */
export interface MigrationTarget {
  readonly schema: SchemaModule
  readonly types: {
    readonly text: RawBuilder<unknown>
    readonly integer: RawBuilder<unknown>
    readonly bytes: RawBuilder<unknown>
  }
  readonly layouts: Record<Layout, RawBuilder<unknown>>
  /** From now on other processes are told when the table changes; nothing where there are none. */
  readonly watch: (table: string) => readonly Compilable[]
  /** Rows are added to the table all the time, and hardly any ever change; nothing where that is all the same. */
  readonly grows: (table: string) => readonly Compilable[]
}

/**
 * heap: rows in order of arrival beside an index of their key; for long rows. clustered: rows inside the key's own
 * tree; for short ones. A dialect without the choice ignores it.
 */
export type Layout = 'heap' | 'clustered'

/** One step of the schema. Once released it is history: it is never edited, and it uses no table of today's code. */
export interface Migration {
  readonly name: string
  /** Why the schema changed; kept in the database beside the name. */
  readonly reason: string
  readonly steps: (on: MigrationTarget) => readonly Compilable[]
  /**
   * Indexes of tables that grow and were there before. To build one takes as long as the table is large: where other
   * processes write meanwhile it is built beside them, after the start, and queries are right, but slow, without it.
   */
  readonly indexes?: (schema: SchemaModule) => readonly Compilable[]
}

/** A migration as SQL of a dialect. */
export interface CompiledMigration {
  readonly name: string
  readonly reason: string
  readonly steps: readonly string[]
}
