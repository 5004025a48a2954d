import { columnsOf, packedColumnsOf, RECORD, storedColumnsOf } from './columns.ts'
import { decodeRecord } from './record/decode-record.ts'
import { encodeRecord } from './record/encode-record.ts'
import { StorageError } from './storage-error.ts'
import type { SqlValue } from './sql-value.ts'
import type { Prepare } from './statement.ts'
import { type TableName, tableNames } from './tables.ts'

// The packed columns of a row are stored in its column `record`, and as '' in their own. A row that was stored before
// the column existed has the values in their own columns, and no record.

/** The place of the id and of the packed columns among the values of a row, and the names of the packed columns. */
interface PackedPlaces {
  readonly id: number
  readonly packed: readonly number[]
  readonly names: readonly string[]
}

const packedTables = tableNames.filter((table) => packedColumnsOf(table).length > 0)

const placesByTable = new Map<TableName, PackedPlaces>(
  packedTables.map((table) => {
    const names = columnsOf(table).map(([column]) => column)
    const packedNames = packedColumnsOf(table)
    const packed = packedNames.map((column) => names.indexOf(column))
    return [table, { id: names.indexOf('id'), packed, names: packedNames }]
  }),
)

/** The values of the stored columns of a row. @param values those of its columns, in their order; changed in place */
export function storedValues(table: TableName, values: SqlValue[]): SqlValue[] {
  const places = placesByTable.get(table)
  if (!places) return values
  const record = recordOf(places, values)
  for (const place of places.packed) values[place] = ''
  values.push(record)
  return values
}

/** The values that `isStoredSql` compares. @param values those of the row's columns, in order; changed in place */
export function comparedValues(table: TableName, values: SqlValue[]): SqlValue[] {
  const places = placesByTable.get(table)
  if (places) values.push(recordOf(places, values))
  return values
}

const recordOf = ({ id, packed }: PackedPlaces, values: readonly SqlValue[]): Uint8Array =>
  encodeRecord(
    packed.map((place) => textAt(values, place)),
    textAt(values, id),
  )

const textAt = (values: readonly SqlValue[], place: number): string => {
  const value = values[place]
  return typeof value === 'string' ? value : ''
}

/**
 * The condition that a stored row equals `comparedValues` of a row, with or without a record.
 *
 * @param stored the prefix of the stored columns
 * @param valueOf the compared value of a stored column, by its name and its place from 1
 */
export function isStoredSql(
  table: TableName,
  stored: string,
  valueOf: (column: string, place: number) => string,
): string {
  const conditions = new Map(
    storedColumnsOf(table).map(([column], index) => [
      column,
      `${stored}"${column}" IS NOT DISTINCT FROM ${valueOf(column, index + 1)}`,
    ]),
  )
  const packed = new Set([RECORD, ...packedColumnsOf(table)])
  const ofColumns = (isPacked: boolean) =>
    [...conditions].flatMap(([column, condition]) => (packed.has(column) === isPacked ? [condition] : []))
  const plain = ofColumns(false).join(' AND ')
  const record = conditions.get(RECORD)
  if (record === undefined) return plain
  const texts = ofColumns(true).filter((condition) => condition !== record)
  return `${plain} AND (${record} OR ${stored}"${RECORD}" IS NULL AND ${texts.join(' AND ')})`
}

/**
 * Sets the packed columns of a stored row and removes its record. The row is changed in place: a driver returns rows of
 * which a copy takes several times as long as all else here.
 *
 * @throws StorageError `unavailable` if the record is damaged
 */
export function unpackRow<Row extends object>(table: TableName, row: Row): Row {
  const places = placesByTable.get(table)
  if (!places) return row
  const record: unknown = Reflect.get(row, RECORD)
  Reflect.deleteProperty(row, RECORD)
  if (record instanceof Uint8Array) {
    const values = decoded(table, String(Reflect.get(row, 'id')), record)
    for (const [index, column] of places.names.entries()) Reflect.set(row, column, values[index])
  }
  return row
}

function decoded(table: TableName, id: string, record: Uint8Array): readonly SqlValue[] {
  try {
    return decodeRecord(record, id)
  } catch (error) {
    throw new StorageError('unavailable', `${table} ${id}: the column record is damaged`, { cause: error })
  }
}

/** Prepares statements whose rows are unpacked. A statement selects the record of at most one table. */
export const unpacking =
  (prepare: Prepare): Prepare =>
  <Row extends object>(name: string, sql: string) => {
    const statement = prepare<Row>(name, sql)
    const table = sql.includes(`"${RECORD}"`) ? packedTables.find((each) => sql.includes(each)) : undefined
    if (!table) return statement
    const { one, all } = statement
    return {
      async one(...values) {
        const row = await one(...values)
        return row && unpackRow(table, row)
      },
      all: async (...values) => (await all(...values)).map((row) => unpackRow(table, row)),
    }
  }
