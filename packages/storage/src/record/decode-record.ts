import { StorageError } from '../storage-error.ts'
import { type Block, blockOf } from './block.ts'
import { wordBytes, wordStarts } from './dictionary.ts'
import {
  ASCII,
  COPY,
  HEX,
  HEX_DIGITS,
  ID,
  LITERAL_LAST,
  LITERAL_FIRST,
  LONG_WORD_FIRST,
  NEGATIVE,
  NULL,
  packedCharacters,
  TEXT,
  UTF16,
  UTF8,
  VERSION,
  WORD_FIRST,
} from './format.ts'
import { limits } from '../limits.ts'
import { shortWords } from './words.ts'

/** The part of a record that is read next. */
interface Cursor {
  readonly record: Uint8Array
  at: number
}

/** More bytes of text than any token has, including the three that may follow a word. */
const TOKEN_SPACE = 256

/** The texts of a call, reused by the next one. */
const sharedText = blockOf(limits.recordBytes)

/**
 * The values of a record.
 *
 * @param id the id with which the record was encoded
 * @throws StorageError `incompatible` if the record is damaged or has another version; damage that leaves the form
 *   valid changes the values instead
 */
export function decodeRecord(record: Uint8Array, id: string): (string | number | null)[] {
  if (record[0] !== VERSION) throw new StorageError('incompatible', 'a stored record has an unknown version')
  const cursor: Cursor = { record, at: 1 }
  const first = readVarint(cursor, 0, 1)
  const encoding = first % 4
  const count = Math.floor(first / 4)
  const headsAt = cursor.at
  const length = readLength(cursor, count)
  if (length > record.length * TOKEN_SPACE) throw damaged()
  const text = readTexts(cursor, encoding, length, id)
  if (text.length !== length) throw damaged()

  cursor.at = headsAt
  const values: (string | number | null)[] = []
  let start = 0
  for (let index = 0; index < count; index++) {
    const head = readByte(cursor)
    const value = readHeadNumber(cursor, head)
    const kind = head & 3
    if (kind === TEXT) {
      values.push(text.slice(start, start + value))
      start += value
    } else values.push(kind === NULL ? null : kind === NEGATIVE ? -value : value)
  }
  return values
}

/** The length of all texts, in UTF-16 code units. */
function readLength(cursor: Cursor, count: number): number {
  let length = 0
  for (let index = 0; index < count; index++) {
    const head = readByte(cursor)
    const value = readHeadNumber(cursor, head)
    if ((head & 3) === TEXT) length += value
  }
  return length
}

const readHeadNumber = (cursor: Cursor, head: number): number => {
  const low = (head >>> 2) & 31
  return head < 0x80 ? low : readVarint(cursor, low, 32)
}

/** A number of 7 bits in each byte, whose lowest byte is worth `unit`, plus `low`. */
function readVarint(cursor: Cursor, low: number, unit: number): number {
  let value = low
  let factor = unit
  for (;;) {
    const byte = readByte(cursor)
    value += (byte & 0x7f) * factor
    if (!Number.isSafeInteger(value)) throw damaged()
    if (byte < 0x80) return value
    factor *= 128
  }
}

function readByte(cursor: Cursor): number {
  const byte = cursor.record[cursor.at]
  if (byte === undefined) throw damaged()
  cursor.at += 1
  return byte
}

function readTexts({ record, at }: Cursor, encoding: number, length: number, id: string): string {
  if (encoding === UTF16) {
    const bytes = Buffer.from(record.buffer, record.byteOffset + at, record.length - at)
    if (bytes.length !== length * 2) throw damaged()
    return bytes.toString('utf16le')
  }
  if (encoding !== ASCII && encoding !== UTF8) throw damaged()
  const bytesMax = encoding === ASCII ? length : length * 3
  const size = bytesMax + TOKEN_SPACE
  const block = size <= sharedText.bytes.length ? sharedText : blockOf(size)
  const { bytes } = block
  const end = readTokens(record, at, block, bytesMax, id)
  return encoding === ASCII ? bytes.toString('latin1', 0, end) : bytes.toString('utf8', 0, end)
}

const packedBytes = Buffer.from(packedCharacters, 'latin1')
const hexBytes = Buffer.from('0123456789abcdef', 'latin1')

/** Writes the text of the tokens to `bytes`, which has space for `bytesMax` and one token, and returns its length. */
function readTokens(record: Uint8Array, from: number, { bytes, view }: Block, bytesMax: number, id: string): number {
  const end = record.length
  let at = from
  let length = 0
  while (at < end) {
    const token = record[at++] ?? 0
    if (token >= WORD_FIRST) {
      let word = token - WORD_FIRST
      if (token >= LONG_WORD_FIRST) word = shortWords + ((token - LONG_WORD_FIRST) << 8) + (record[at++] ?? 0)
      const wordEnd = wordStarts[word + 1]
      if (wordEnd === undefined) throw damaged()
      const wordStart = wordStarts[word] ?? 0
      // Four bytes at a time, and up to three too many, which the next token overwrites.
      for (let i = 0; i < wordEnd - wordStart; i += 4) {
        view.setInt32(length + i, wordBytes.getInt32(wordStart + i, true), true)
      }
      length += wordEnd - wordStart
    } else if (token >= LITERAL_FIRST) {
      if (token > LITERAL_LAST) throw damaged()
      bytes[length++] = token
    } else if (token > COPY) {
      for (let i = 0; i < token; i += 2) {
        const pair = record[at++] ?? 0
        bytes[length++] = packedBytes[pair >>> 4] ?? 0
        if (i + 1 < token) bytes[length++] = packedBytes[pair & 15] ?? 0
      }
    } else if (token === ID) {
      length += bytes.write(id, length)
    } else if (token === COPY) {
      const stop = length + (record[at] ?? 0)
      const start = length - (((record[at + 1] ?? 0) << 8) | (record[at + 2] ?? 0))
      if (start < 0 || start === length) throw damaged()
      at += 3
      for (let i = start; length < stop; i++) bytes[length++] = bytes[i] ?? 0
    } else if (token === HEX) {
      for (const stop = at + HEX_DIGITS / 2; at < stop; at++) {
        const pair = record[at] ?? 0
        bytes[length++] = hexBytes[pair >>> 4] ?? 0
        bytes[length++] = hexBytes[pair & 15] ?? 0
      }
    } else {
      const stop = at + 1 + (record[at] ?? 0)
      for (at += 1; at < stop; at++) bytes[length++] = record[at] ?? 0
    }
    if (length > bytesMax || at > end) throw damaged()
  }
  return length
}

const damaged = (): StorageError => new StorageError('incompatible', 'a stored record is damaged')
