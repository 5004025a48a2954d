import { type ColumnType, type TableName, tableNames, tables } from './tables.ts'

const columnsByTable = new Map(tableNames.map((name) => [name, Object.entries(tables[name].columns)]))

/** The columns of a table as [name, type], in binding order. */
export function columnsOf(name: TableName): readonly (readonly [string, ColumnType])[] {
  return columnsByTable.get(name) ?? []
}

/** The columns of a table as a list in SQL. */
export const columnList = (name: TableName, prefix = ''): string =>
  columnsOf(name)
    .map(([column]) => `${prefix}"${column}"`)
    .join(', ')
