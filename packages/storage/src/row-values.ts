import type { Schema } from './schema.ts'
import type { SqlValue } from './sql-value.ts'
import { columnsOf } from './columns.ts'
import { type TableName, tableNames, tables } from './tables.ts'

/**
 * The places of the key's columns among the columns. A merchant after an id is left out, because no two merchants share
 * an id.
 */
const keyPlaces = new Map(
  tableNames.map((table) => {
    const names = columnsOf(table).map(([column]) => column)
    const key = tables[table].key.filter((column, place) => column !== 'merchant' || place === 0)
    return [table, key.map((column) => names.indexOf(column))]
  }),
)

/** The key of a row within its table as a text, without the merchant. @param values those of its columns, in order */
export function keyTextOf(table: TableName, values: readonly SqlValue[]): string {
  let key = ''
  for (const place of keyPlaces.get(table) ?? []) {
    const value = String(values[place])
    key = key === '' ? value : `${key} ${value}`
  }
  return key
}

/** As `keyTextOf`, of a row. */
export const keyText = <T extends keyof Schema>(table: T, row: Schema[T]): string =>
  keyTextOf(table, valuesOf(table, row))

/** The values of a row in the order of the columns. Bytes are copied. */
export const valuesOf = (table: TableName, row: object): SqlValue[] =>
  columnsOf(table).map(([column]) => copyOfValue(Reflect.get(row, column)))

/** The same values. Bytes are copied. */
export const copyOfValues = (values: readonly SqlValue[]): SqlValue[] => values.map(copyOfValue)

const copyOfValue = (value: SqlValue): SqlValue => (value instanceof Uint8Array ? new Uint8Array(value) : value)

/** Whether two rows of one table have the same value in every column. */
export const areSame = (a: readonly SqlValue[], b: readonly SqlValue[]): boolean =>
  a.every((value, index) => {
    const otherValue = b[index]
    const areBytes = value instanceof Uint8Array && otherValue instanceof Uint8Array
    return areBytes ? Buffer.compare(value, otherValue) === 0 : value === otherValue
  })
