import { limits } from '../limits.ts'
import type { Guard, Unit } from '../port.ts'
import type { RemovableTable, Schema, SwappableTable, UniqueKeyRow, WritableTable } from '../schema.ts'
import { columnsOf, swappableTables, writableTables } from '../tables.ts'
import type { SqlValue } from './database.ts'

/**
 * Units on their way to the writer, flattened because the cost of a message grows with its number of objects: one text,
 * one list of numbers, one block of bytes.
 *
 * `numbers` holds, unit after unit: the number of guards, then id, merchant and version of each; 1, the claim's id and
 * time and its row, or 0; the number of unique keys and these; the number of swaps, and of each its table's place in
 * the list, its row, and 1 and the row that it becomes, or 0; and for each writable table the number of its rows and
 * then the rows. Of a text it holds the length, of bytes too; the characters and bytes themselves stand one after the
 * other in `texts` and `block`. Bytes are copied, since a view would drag its whole buffer along, and with Node's
 * pooled buffers that may hold the secrets of others.
 */
export interface Pack {
  readonly numbers: (number | null)[]
  readonly texts: string[]
  block: Uint8Array<ArrayBuffer>
  blockBytes: number
  units: number
}

/** A pack as it travels. */
export interface Packed {
  readonly numbers: readonly (number | null)[]
  readonly text: string
  readonly block: Uint8Array<ArrayBuffer>
  readonly units: number
}

interface FlatClaim {
  readonly id: string
  readonly atMs: number
  readonly row: readonly SqlValue[]
}

interface FlatSwap {
  readonly table: SwappableTable | RemovableTable
  readonly from: readonly SqlValue[]
  readonly to: readonly SqlValue[] | undefined
}

/** A unit as the writer sees it, its rows in binding order. */
export interface FlatUnit {
  readonly guards: readonly Guard[]
  readonly claim: FlatClaim | undefined
  readonly unique: readonly UniqueKeyRow[]
  readonly swaps: readonly FlatSwap[]
  readonly rows: readonly { readonly table: WritableTable; readonly values: readonly SqlValue[] }[]
}

export function emptyPack(): Pack {
  return { numbers: [], texts: [], block: new Uint8Array(limits.packBytes), blockBytes: 0, units: 0 }
}

/** The pack as a message. */
export function seal({ numbers, texts, block, units }: Pack): Packed {
  return { numbers, text: texts.join(''), block, units }
}

/** Appends a checked unit. */
export function pack(into: Pack, unit: Unit): void {
  into.numbers.push(unit.guards.length)
  for (const { id, merchant, version } of unit.guards) {
    packCell(into, id)
    packCell(into, merchant)
    packCell(into, version)
  }
  into.numbers.push(unit.claim ? 1 : 0)
  if (unit.claim) {
    packCell(into, unit.claim.id)
    packCell(into, unit.claim.created_at_ms)
    packRow(into, 'idempotency_key', unit.claim)
  }
  packRows(into, 'unique_key', unit.unique)
  into.numbers.push(unit.swaps?.length ?? 0)
  for (const { table, from, to } of unit.swaps ?? []) {
    into.numbers.push(swappableTables.indexOf(table))
    packRow(into, table, from)
    packRows(into, table, to ? [to] : [])
  }
  for (const table of writableTables) packRows(into, table, unit.rows[table])
  into.units += 1
}

/** The units of a pack, in the order in which they were appended. */
export function unpack(from: Packed): FlatUnit[] {
  const cursor: Cursor = { from, number: 0, character: 0, byte: 0 }
  return Array.from({ length: from.units }, () => {
    const guards = Array.from({ length: nextCount(cursor) }, () => ({
      id: nextText(cursor),
      merchant: nextText(cursor),
      version: nextCount(cursor),
    }))
    const claim = nextCount(cursor) === 1 ? unpackClaim(cursor) : undefined
    const unique = Array.from({ length: nextCount(cursor) }, () => ({
      id: nextText(cursor),
      merchant: nextText(cursor),
      transaction_id: nextText(cursor),
      created_at_ms: nextCount(cursor),
      expires_at_ms: nextNumber(cursor),
    }))
    const swaps = Array.from({ length: nextCount(cursor) }, () => {
      const table = swappableTables[nextCount(cursor)] ?? 'account'
      const before = unpackRow(cursor, table)
      return { table, from: before, to: nextCount(cursor) === 1 ? unpackRow(cursor, table) : undefined }
    })
    const rows: { table: WritableTable; values: SqlValue[] }[] = []
    for (const table of writableTables) {
      const count = nextCount(cursor)
      for (let index = 0; index < count; index += 1) rows.push({ table, values: unpackRow(cursor, table) })
    }
    return { guards, claim, unique, swaps, rows }
  })
}

function unpackClaim(cursor: Cursor): FlatClaim {
  const [id, atMs] = [nextText(cursor), nextCount(cursor)]
  return { id, atMs, row: unpackRow(cursor, 'idempotency_key') }
}

function packRows(into: Pack, table: keyof Schema, rows: readonly object[] = []): void {
  into.numbers.push(rows.length)
  for (const row of rows) packRow(into, table, row)
}

function packRow(into: Pack, table: keyof Schema, row: object): void {
  for (const [column] of columnsOf(table)) packCell(into, Reflect.get(row, column))
}

function packCell(into: Pack, cell: SqlValue): void {
  if (typeof cell === 'string') {
    into.numbers.push(cell.length)
    into.texts.push(cell)
  } else if (cell === null || typeof cell === 'number') {
    into.numbers.push(cell)
  } else {
    into.numbers.push(cell.length)
    appendBytes(into, cell)
  }
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

interface Cursor {
  readonly from: Packed
  number: number
  character: number
  byte: number
}

function nextNumber(cursor: Cursor): number | null {
  const value = cursor.from.numbers[cursor.number] ?? null
  cursor.number += 1
  return value
}

const nextCount = (cursor: Cursor) => nextNumber(cursor) ?? 0

const nextText = (cursor: Cursor) => textOf(cursor, nextCount(cursor))

function textOf(cursor: Cursor, length: number): string {
  const start = cursor.character
  cursor.character += length
  return cursor.from.text.slice(start, cursor.character)
}

function bytesOf(cursor: Cursor, length: number): Uint8Array {
  const start = cursor.byte
  cursor.byte += length
  return cursor.from.block.subarray(start, cursor.byte)
}

function unpackRow(cursor: Cursor, table: keyof Schema): SqlValue[] {
  return columnsOf(table).map(([, type]) => {
    const number = nextNumber(cursor)
    if (number === null) return null
    switch (type) {
      case 'text':
      case 'text?':
        return textOf(cursor, number)
      case 'bytes':
      case 'bytes?':
        return bytesOf(cursor, number)
      case 'integer':
      case 'integer?':
        return number
    }
  })
}
