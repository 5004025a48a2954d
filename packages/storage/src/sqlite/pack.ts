import type { Guard, Unit } from '../port.ts'
import type { Schema, WritableTable } from '../schema.ts'
import { columnsOf, writableTables } from '../tables.ts'
import type { SqlValue } from './database.ts'

/**
 * Units on their way to the writer, flattened because the cost of a message grows with its number of objects.
 *
 * `values` holds, unit after unit: the number of guards, then id, merchant and version of each; 1 and the claim's row,
 * or 0; and for each writable table the number of its rows and then the rows. Bytes stand in `block` one after the
 * other, with their length among the values: a copy, since a view would drag its whole buffer along, and with Node's
 * pooled buffers that may hold the secrets of others.
 */
export interface Packed {
  readonly values: (string | number | null)[]
  block: Uint8Array<ArrayBuffer>
  blockBytes: number
  units: number
}

/** A unit as the writer sees it, its rows in binding order. */
export interface FlatUnit {
  readonly guards: readonly Guard[]
  readonly claim: readonly SqlValue[] | undefined
  readonly rows: readonly { readonly table: WritableTable; readonly values: readonly SqlValue[] }[]
}

const firstBlockBytes = 4096

export function emptyPack(): Packed {
  return { values: [], block: new Uint8Array(firstBlockBytes), blockBytes: 0, units: 0 }
}

/** Appends a checked unit. */
export function pack(into: Packed, unit: Unit): void {
  into.values.push(unit.guards.length)
  for (const { id, merchant, version } of unit.guards) into.values.push(id, merchant, version)
  into.values.push(unit.claim ? 1 : 0)
  if (unit.claim) packRow(into, 'idempotency_key', unit.claim)
  for (const table of writableTables) {
    const rows = unit.rows[table] ?? []
    into.values.push(rows.length)
    for (const row of rows) packRow(into, table, row)
  }
  into.units += 1
}

/** The units of a pack, in the order in which they were appended. */
export function unpack(from: Packed): FlatUnit[] {
  const cursor: Cursor = { from, value: 0, byte: 0 }
  return Array.from({ length: from.units }, () => {
    const guards = Array.from({ length: nextInteger(cursor) }, () => ({
      id: nextText(cursor),
      merchant: nextText(cursor),
      version: nextInteger(cursor),
    }))
    const claim = nextInteger(cursor) === 1 ? unpackRow(cursor, 'idempotency_key') : undefined
    const rows: { table: WritableTable; values: SqlValue[] }[] = []
    for (const table of writableTables) {
      const count = nextInteger(cursor)
      for (let index = 0; index < count; index += 1) rows.push({ table, values: unpackRow(cursor, table) })
    }
    return { guards, claim, rows }
  })
}

function packRow(into: Packed, table: keyof Schema, row: object): void {
  for (const [column] of columnsOf(table)) {
    const cell: SqlValue = Reflect.get(row, column)
    if (cell instanceof Uint8Array) {
      into.values.push(cell.length)
      appendBytes(into, cell)
    } else {
      into.values.push(cell)
    }
  }
}

function appendBytes(into: Packed, bytes: Uint8Array): void {
  const end = into.blockBytes + bytes.length
  if (end > into.block.length) {
    const larger = new Uint8Array(Math.max(end, 2 * into.block.length))
    larger.set(into.block)
    into.block = larger
  }
  into.block.set(bytes, into.blockBytes)
  into.blockBytes = end
}

interface Cursor {
  readonly from: Packed
  value: number
  byte: number
}

function next(cursor: Cursor): string | number | null {
  const value = cursor.from.values[cursor.value] ?? null
  cursor.value += 1
  return value
}

const nextText = (cursor: Cursor) => String(next(cursor))
const nextInteger = (cursor: Cursor) => Number(next(cursor))

function unpackRow(cursor: Cursor, table: keyof Schema): SqlValue[] {
  return columnsOf(table).map(([, type]) => {
    const value = next(cursor)
    if ((type !== 'bytes' && type !== 'bytes?') || value === null) return value
    const start = cursor.byte
    cursor.byte += Number(value)
    return cursor.from.block.subarray(start, cursor.byte)
  })
}
