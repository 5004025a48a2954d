import type { StoredType } from '../tables.ts'
import type { SqlValue } from '../sql-value.ts'

/**
 * The type of the items of an array: the type of a column, or `place`, the place of a unit in its batch or of a unique
 * key in its unit.
 */
export type ItemType = StoredType | 'place'

interface PostgresType {
  /** The name in SQL. */
  readonly sql: 'text' | 'bigint' | 'bytea' | 'integer'
  /** The id in the protocol (pg_type.oid). */
  readonly oid: number
}

const text: PostgresType = { sql: 'text', oid: 25 }
const integer: PostgresType = { sql: 'bigint', oid: 20 }
const bytes: PostgresType = { sql: 'bytea', oid: 17 }

/** PostgreSQL's types of the items. */
export const itemTypes: Record<ItemType, PostgresType> = {
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
const integerBytesMax = 8
/** Bytes of a character, which is one UTF-16 code unit. */
const utf8BytesMax = 3
const loopCharacters = 64

/**
 * Values in PostgreSQL's binary form of an array (`array_send` of src/backend/utils/adt/arrayfuncs.c), which needs no
 * quoting on either side.
 */
export function arrayOf(type: ItemType, values: readonly SqlValue[]): Buffer {
  const { oid } = itemTypes[type]
  const integerBytes = type === 'place' ? 4 : 8
  let sizeMax = headerBytes
  for (const value of values) sizeMax += lengthBytes + sizeMaxOf(value)

  const array = Buffer.allocUnsafe(sizeMax)
  // The number of dimensions, whether there may be nulls, the type of the items, their number, the index of the first.
  let offset = 0
  for (const number of [1, 1, oid, values.length, 1]) offset = array.writeInt32BE(number, offset)
  for (const value of values) {
    if (value === null) {
      offset = array.writeInt32BE(-1, offset)
    } else if (typeof value === 'string') {
      const written = writeText(array, value, offset + lengthBytes)
      offset = array.writeInt32BE(written, offset) + written
    } else if (typeof value === 'number') {
      offset = array.writeInt32BE(integerBytes, offset)
      if (integerBytes === 8) offset = array.writeInt32BE(Math.floor(value / 2 ** 32), offset)
      offset = array.writeUInt32BE(value >>> 0, offset)
    } else {
      offset = array.writeInt32BE(value.length, offset)
      array.set(value, offset)
      offset += value.length
    }
  }
  return array.subarray(0, offset)
}

/** A bound of the size of an item, which is found without encoding its text. */
function sizeMaxOf(value: SqlValue): number {
  if (value === null) return 0
  if (typeof value === 'string') return utf8BytesMax * value.length
  return typeof value === 'number' ? integerBytesMax : value.length
}

/** Writes a text in UTF-8. Short texts of ASCII are written by a loop, which is faster. @returns the number of bytes */
function writeText(array: Buffer, value: string, offset: number): number {
  const { length } = value
  if (length > loopCharacters) return array.write(value, offset)
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i)
    if (code > 127) return array.write(value, offset)
    array[offset + i] = code
  }
  return length
}
