import type { Schema } from './schema.ts'
import type { SqlValue } from './sql-value.ts'
import { columnsOf } from './columns.ts'
import { tables } from './tables.ts'

/** The key of a row within its table as a text, without the merchant, because no two merchants share an id. */
export function keyText<T extends keyof Schema>(table: T, row: Schema[T]): string {
  let key = ''
  for (const column of tables[table].key) {
    if (column === 'merchant') continue
    const value = String(Reflect.get(row, column))
    key = key === '' ? value : `${key} ${value}`
  }
  return key
}

/** The values of a row in the order of the columns. Bytes are copied. */
export const valuesOf = (table: keyof Schema, row: object): SqlValue[] =>
  columnsOf(table).map(([column]) => {
    const value: SqlValue = Reflect.get(row, column)
    return value instanceof Uint8Array ? Uint8Array.from(value) : value
  })

/** Whether two rows of one table have the same value in every column. */
export const areSame = (a: readonly SqlValue[], b: readonly SqlValue[]): boolean =>
  a.every((value, index) => {
    const otherValue = b[index]
    const areBytes = value instanceof Uint8Array && otherValue instanceof Uint8Array
    return areBytes ? Buffer.compare(value, otherValue) === 0 : value === otherValue
  })
