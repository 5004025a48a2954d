import { columnList, storedColumnsOf } from './columns.ts'
import { isReplacing, type TableName, tables } from './tables.ts'

/** A statement that adds rows to a table. @param source the rows: VALUES or a SELECT, in the order of the columns */
const addTo = (table: TableName, source: string): string => `INSERT INTO "${table}" (${columnList(table)}) ${source}`

/** A statement that writes rows to a table; each row replaces the row with the same key. */
export function replaceIn(table: TableName, source: string): string {
  const { key } = tables[table]
  const changed = storedColumnsOf(table).filter(([column]) => !key.includes(column))
  const set = changed.map(([column]) => `"${column}" = excluded."${column}"`).join(', ')
  return `${addTo(table, source)} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set}`
}

/** A statement that writes rows of a unit; the table declares whether they are added or replace stored rows. */
export const insertInto = (table: TableName, source: string): string =>
  isReplacing(table) ? replaceIn(table, source) : addTo(table, source)
