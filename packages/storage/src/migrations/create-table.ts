import type { Compilable, CreateTableBuilder } from 'kysely'
import type { StoredType } from '../tables.ts'
import type { Layout, MigrationTarget } from './migration.ts'

interface NewTable {
  readonly name: string
  readonly layout: Layout
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, StoredType>>
}

/** CREATE TABLE for any dialect, with the columns in the given order; columns without `?` are NOT NULL. */
export function createTable(target: MigrationTarget, table: NewTable): Compilable {
  let statement: CreateTableBuilder<string, string> = target.schema
    .createTable(table.name)
    .modifyEnd(target.layouts[table.layout])
  for (const [name, type] of Object.entries(table.columns)) {
    const { base, isNullable } = typeParts[type]
    statement = statement.addColumn(name, target.types[base], (column) => (isNullable ? column : column.notNull()))
  }
  return statement.addPrimaryKeyConstraint(`${table.name}_pkey`, [...table.key])
}

const typeParts: Record<StoredType, { base: 'text' | 'integer' | 'bytes'; isNullable: boolean }> = {
  text: { base: 'text', isNullable: false },
  integer: { base: 'integer', isNullable: false },
  bytes: { base: 'bytes', isNullable: false },
  'text?': { base: 'text', isNullable: true },
  'integer?': { base: 'integer', isNullable: true },
  'bytes?': { base: 'bytes', isNullable: true },
}
