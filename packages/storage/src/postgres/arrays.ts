import type { ColumnType } from '../tables.ts'
import type { SqlValue } from '../sql-value.ts'

/** The type of the items of an array: that of a column, or the place of a unit in its batch. */
export type ItemType = ColumnType | 'place'

interface Item {
  /** The name in SQL. */
  readonly sql: 'text' | 'bigint' | 'bytea' | 'integer'
  /** The id in the protocol (pg_type.oid). */
  readonly oid: number
}

const text: Item = { sql: 'text', oid: 25 }
const integer: Item = { sql: 'bigint', oid: 20 }
const bytes: Item = { sql: 'bytea', oid: 17 }

/** PostgreSQL's types of the items. */
export const itemTypes: Record<ItemType, Item> = {
  text,
  integer,
  bytes,
  'text?': text,
  'integer?': integer,
  'bytes?': bytes,
  place: { sql: 'integer', oid: 23 },
}

const headerBytes = 20
const lengthBytes = 4

/**
 * Values in PostgreSQL's binary form of an array (`array_send` of src/backend/utils/adt/arrayfuncs.c), which needs no
 * quoting on either side.
 */
export function arrayOf(type: ItemType, values: readonly SqlValue[]): Buffer {
  const { oid } = itemTypes[type]
  const integerBytes = type === 'place' ? 4 : 8
  let size = headerBytes
  for (const value of values) size += lengthBytes + sizeOf(value, integerBytes)

  const array = Buffer.allocUnsafe(size)
  // Dimensions, whether there may be nulls, the type of the items, their number, and the index of the first.
  let at = 0
  for (const number of [1, 1, oid, values.length, 1]) at = array.writeInt32BE(number, at)
  for (const value of values) {
    if (value === null) {
      at = array.writeInt32BE(-1, at)
    } else if (typeof value === 'string') {
      const written = array.write(value, at + lengthBytes)
      at = array.writeInt32BE(written, at) + written
    } else if (typeof value === 'number') {
      at = array.writeInt32BE(integerBytes, at)
      if (integerBytes === 8) at = array.writeInt32BE(Math.floor(value / 2 ** 32), at)
      at = array.writeUInt32BE(value >>> 0, at)
    } else {
      at = array.writeInt32BE(value.length, at)
      array.set(value, at)
      at += value.length
    }
  }
  return array
}

function sizeOf(value: SqlValue, integerBytes: number): number {
  if (value === null) return 0
  if (typeof value === 'string') return Buffer.byteLength(value)
  return typeof value === 'number' ? integerBytes : value.length
}
