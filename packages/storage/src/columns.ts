import { type ColumnType, type StoredType, type TableName, tableNames, tables } from './tables.ts'

type Columns<Type> = readonly (readonly [name: string, type: Type])[]

const columnsByTable = new Map(tableNames.map((name) => [name, Object.entries(tables[name].columns)]))

/** The columns of a table as [name, type], in binding order. */
export function columnsOf(name: TableName): Columns<ColumnType> {
  return columnsByTable.get(name) ?? []
}

/** The names of the packed columns of a table. */
export const packedColumnsOf = (name: TableName): readonly string[] =>
  columnsOf(name).flatMap(([column, type]) => (type === 'packed' ? [column] : []))

/** The column with the values of the packed columns. */
export const RECORD = 'record'

const storedByTable = new Map(tableNames.map((name) => [name, storedColumns(name)]))

function storedColumns(name: TableName): Columns<StoredType> {
  const columns = columnsOf(name).map(([column, type]) => [column, type === 'packed' ? 'text' : type] as const)
  return packedColumnsOf(name).length === 0 ? columns : [...columns, [RECORD, 'bytes?']]
}

/** The columns of a table in the database: those of its rows and, if some of them are packed, the record. */
export function storedColumnsOf(name: TableName): Columns<StoredType> {
  return storedByTable.get(name) ?? []
}

/** The columns of a table in the database as a list in SQL. */
export const columnList = (name: TableName, prefix = ''): string =>
  storedColumnsOf(name)
    .map(([column]) => `${prefix}"${column}"`)
    .join(', ')
