import { columnsOf } from '../columns.ts'
import type { FlatClaim, FlatUnit } from '../flat-unit.ts'
import { limits } from '../limits.ts'
import { comparedValues, storedValues } from '../packed-columns.ts'
import { valuesOf } from '../row-values.ts'
import type { SqlValue } from '../sql-value.ts'
import { StorageError } from '../storage-error.ts'
import { changeableTables, type ColumnType, type TableName, writableTables } from '../tables.ts'

/**
 * Units for the writer thread, flattened because the cost of a message grows with its number of objects: a text, an
 * array of numbers and a block of bytes. The latter two are transferred, not copied.
 *
 * `numbers` contains for each unit: the number of expected versions, and id, merchant and version of each; 1 and id,
 * time and row of the claim, or 0; the number of unique keys and their rows; the number of compare-and-sets, and of
 * each the index of its table, the row, and 1 and the new row, or 0; the number of rows, and of each the index of its
 * table and the row. A text or bytes are represented by their length, and concatenated in `text` and `block`; null by
 * NaN. The bytes of a unit are copied into `block`, because their own buffer could only be transferred as a whole, and
 * a pooled buffer of Node may contain secrets of other requests.
 */
export interface Pack {
  numbers: Float64Array<ArrayBuffer>
  numberCount: number
  text: string
  block: Uint8Array<ArrayBuffer>
  blockBytes: number
  units: number
}

/** A pack as a message. */
export interface PackMessage {
  readonly numbers: Float64Array<ArrayBuffer>
  readonly text: string
  readonly block: Uint8Array<ArrayBuffer>
  readonly units: number
}

export function emptyPack(): Pack {
  return {
    numbers: new Float64Array(limits.packNumbers),
    numberCount: 0,
    text: '',
    block: new Uint8Array(limits.packBytes),
    blockBytes: 0,
    units: 0,
  }
}

/** The pack as a message, and its buffers to transfer. */
export function toMessage({ numbers, text, block, units }: Pack): readonly [PackMessage, readonly ArrayBuffer[]] {
  return [{ numbers, text, block, units }, [numbers.buffer, block.buffer]]
}

/** Appends a checked unit. */
export function pack(into: Pack, { expectedVersions, claim, unique, compareAndSets, rows }: FlatUnit): void {
  packNumber(into, expectedVersions.length)
  for (const { id, merchant, version } of expectedVersions) {
    packCell(into, id)
    packCell(into, merchant)
    packCell(into, version)
  }
  packNumber(into, claim ? 1 : 0)
  if (claim) {
    packCell(into, claim.id)
    packCell(into, claim.atMs)
    packRow(into, claim.values)
  }
  packNumber(into, unique.length)
  for (const row of unique) packRow(into, valuesOf('unique_key', row))
  packNumber(into, compareAndSets.length)
  for (const { table, from, to } of compareAndSets) {
    packNumber(into, changeableTables.indexOf(table))
    packRow(into, from)
    packNumber(into, to ? 1 : 0)
    if (to) packRow(into, to)
  }
  packNumber(into, rows.length)
  for (const { table, values } of rows) {
    packNumber(into, writableTables.indexOf(table))
    packRow(into, values)
  }
  into.units += 1
}

/** The units of a pack, in the order in which they were appended. */
export function unpack(message: PackMessage): FlatUnit[] {
  const { numbers, text, block, units } = message
  const cursor: Cursor = { numbers, text, block, units, number: 0, character: 0, byte: 0 }
  return Array.from({ length: units }, () => {
    const expectedVersions = Array.from({ length: nextInteger(cursor) }, () => ({
      id: nextText(cursor),
      merchant: nextText(cursor),
      version: nextInteger(cursor),
    }))
    const claim = nextInteger(cursor) === 1 ? unpackClaim(cursor) : undefined
    const unique = Array.from({ length: nextInteger(cursor) }, () => ({
      id: nextText(cursor),
      merchant: nextText(cursor),
      transaction_id: nextText(cursor),
      created_at_ms: nextInteger(cursor),
      expires_at_ms: nextNumber(cursor),
    }))
    const compareAndSets = Array.from({ length: nextInteger(cursor) }, () => {
      const table = changeableTables[nextInteger(cursor)] ?? 'account'
      const from = comparedValues(table, unpackRow(cursor, table))
      const to = nextInteger(cursor) === 1 ? storedValues(table, unpackRow(cursor, table)) : undefined
      return { table, from, to }
    })
    const rows = Array.from({ length: nextInteger(cursor) }, () => {
      const table = writableTables[nextInteger(cursor)]
      if (!table) throw new StorageError('unavailable', 'a pack contains an unknown table')
      return { table, values: storedValues(table, unpackRow(cursor, table)) }
    })
    return { expectedVersions, claim, unique, compareAndSets, rows }
  })
}

function unpackClaim(cursor: Cursor): FlatClaim {
  const [id, atMs] = [nextText(cursor), nextInteger(cursor)]
  return { id, atMs, values: unpackRow(cursor, 'idempotency_key') }
}

function packRow(into: Pack, values: readonly SqlValue[]): void {
  for (const value of values) packCell(into, value)
}

function packCell(into: Pack, cell: SqlValue): void {
  if (typeof cell === 'string') {
    packNumber(into, cell.length)
    into.text += cell
  } else if (cell === null || typeof cell === 'number') {
    packNumber(into, cell ?? NaN)
  } else {
    packNumber(into, cell.length)
    appendBytes(into, cell)
  }
}

function packNumber(into: Pack, number: number): void {
  if (into.numberCount === into.numbers.length) {
    const larger = new Float64Array(2 * into.numbers.length)
    larger.set(into.numbers)
    into.numbers = larger
  }
  into.numbers[into.numberCount] = number
  into.numberCount += 1
}

function appendBytes(into: Pack, bytes: Uint8Array): void {
  const end = into.blockBytes + bytes.length
  if (end > into.block.length) {
    const larger = new Uint8Array(Math.max(end, 2 * into.block.length))
    larger.set(into.block)
    into.block = larger
  }
  into.block.set(bytes, into.blockBytes)
  into.blockBytes = end
}

/** The next positions in the numbers, the text and the block of a message. */
interface Cursor extends PackMessage {
  number: number
  character: number
  byte: number
}

function nextNumber(cursor: Cursor): number | null {
  const value = cursor.numbers[cursor.number] ?? NaN
  cursor.number += 1
  return Number.isNaN(value) ? null : value
}

const nextInteger = (cursor: Cursor) => nextNumber(cursor) ?? 0

const nextText = (cursor: Cursor) => textOf(cursor, nextInteger(cursor))

function textOf(cursor: Cursor, length: number): string {
  const start = cursor.character
  cursor.character += length
  return cursor.text.slice(start, cursor.character)
}

function bytesOf(cursor: Cursor, length: number): Uint8Array {
  const start = cursor.byte
  cursor.byte += length
  return cursor.block.subarray(start, cursor.byte)
}

function unpackRow(cursor: Cursor, table: TableName): SqlValue[] {
  const values: SqlValue[] = []
  for (const [, type] of columnsOf(table)) values.push(unpackCell(cursor, type))
  return values
}

function unpackCell(cursor: Cursor, type: ColumnType): SqlValue {
  const number = nextNumber(cursor)
  if (number === null) return null
  switch (type) {
    case 'text':
    case 'packed':
    case 'text?':
      return textOf(cursor, number)
    case 'bytes':
    case 'bytes?':
      return bytesOf(cursor, number)
    case 'integer':
    case 'integer?':
      return number
  }
}
