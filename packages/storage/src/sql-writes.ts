import { columnList, storedColumnsOf } from './columns.ts'
import { addedColumns, isAccumulating, isReplacing, type TableName, tables } from './tables.ts'

/** A statement that adds rows to a table. @param source the rows: VALUES or a SELECT, in the order of the columns */
const addTo = (table: TableName, source: string): string => `INSERT INTO "${table}" (${columnList(table)}) ${source}`

/** A statement that writes rows to a table; each row replaces the row with the same key. */
export function replaceIn(table: TableName, source: string): string {
  const { key } = tables[table]
  const changed = storedColumnsOf(table).filter(([column]) => !key.includes(column))
  const set = changed.map(([column]) => `"${column}" = excluded."${column}"`).join(', ')
  return `${addTo(table, source)} ON CONFLICT (${key.join(', ')}) ${set === '' ? 'DO NOTHING' : `DO UPDATE SET ${set}`}`
}

/** A statement that writes rows; the integers of each row are added to those of the stored row with the same key. */
function accumulateIn(table: TableName, source: string): string {
  const sums = addedColumns(table).map((column) => `"${column}" = ${table}."${column}" + excluded."${column}"`)
  return `${addTo(table, source)} ON CONFLICT (${tables[table].key.join(', ')}) DO UPDATE SET ${sums.join(', ')}`
}

/** A statement that writes rows of a unit; the table declares how they are written. */
export function insertInto(table: TableName, source: string): string {
  if (isAccumulating(table)) return accumulateIn(table, source)
  return isReplacing(table) ? replaceIn(table, source) : addTo(table, source)
}
