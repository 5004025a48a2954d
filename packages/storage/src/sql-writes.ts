import { columnList, columnsOf, isReplacing, type TableName, tables } from './tables.ts'

/** Adds rows to a table. @param source the rows: VALUES or a SELECT, in the order of the columns */
const addTo = (table: TableName, source: string): string => `INSERT INTO "${table}" (${columnList(table)}) ${source}`

/** Writes rows to a table; each row replaces the one with its key. */
export function replaceIn(table: TableName, source: string): string {
  const { key } = tables[table]
  const changed = columnsOf(table).filter(([column]) => !key.includes(column))
  const set = changed.map(([column]) => `"${column}" = excluded."${column}"`).join(', ')
  return `${addTo(table, source)} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set}`
}

/** Writes rows of a unit; the table declares whether they are added or replace others. */
export const insertInto = (table: TableName, source: string): string =>
  isReplacing(table) ? replaceIn(table, source) : addTo(table, source)
