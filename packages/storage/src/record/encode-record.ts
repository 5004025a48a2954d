import { type Block, blockOf } from './block.ts'
import { findWord, wordStarts } from './dictionary.ts'
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
  PACKED_LAST,
  PACKED_FIRST,
  packedCharacters,
  POSITIVE,
  RAW,
  TEXT,
  TOKEN_BYTES,
  UTF16,
  UTF8,
  VERSION,
  WORD_FIRST,
} from './format.ts'
import { limits } from '../limits.ts'
import { StorageError } from '../storage-error.ts'
import { shortWords } from './words.ts'

/** Bytes that may be read after the end of a text: its final zero, and the first bytes of a word. */
const MARGIN = 16
/** Bytes of tokens for one byte of text at most: those of a single raw byte. */
const EXPANSION = 3
/** Bytes of a head: an integer of 53 bits, 5 in the first byte and 7 in each of the others. */
const HEAD_BYTES = 8

/** The texts of a call, reused by the next one. */
const sharedText = blockOf(limits.recordBytes)

/** Memory that records share, because a record with memory of its own costs a microsecond more. */
interface RecordMemory {
  readonly bytes: Uint8Array
  /** The end of the last record. */
  end: number
}

let sharedMemory: RecordMemory = { bytes: new Uint8Array(limits.recordBytes), end: 0 }

/** Memory with room for one more record. A large record has its own, so that little of shared memory stays unused. */
function memoryFor(recordMax: number): RecordMemory {
  if (recordMax > limits.recordBytes / 4) return { bytes: new Uint8Array(recordMax), end: 0 }
  if (recordMax > sharedMemory.bytes.length - sharedMemory.end) {
    sharedMemory = { bytes: new Uint8Array(limits.recordBytes), end: 0 }
  }
  return sharedMemory
}

/**
 * The values of a row as bytes. The record of an ordinary payment has a quarter of the bytes of its values.
 *
 * @param values texts of any content, safe integers, and null
 * @param id the id of the row, which its values may contain; the same is needed to decode the record
 * @throws StorageError `constraint` if a number is not a safe integer
 */
export function encodeRecord(values: readonly (string | number | null)[], id: string): Uint8Array {
  let text = `${id}\0`
  for (const value of values) if (typeof value === 'string') text += value
  const textMax = text.length * 3 + MARGIN
  const block = textMax <= sharedText.bytes.length ? sharedText : blockOf(textMax)
  const length = block.bytes.write(text)
  const encoding = encodingOf(text, length)
  // The end of the text, which no word contains.
  block.bytes[length] = 0
  const idLength = encoding === ASCII ? id.length : Buffer.byteLength(id)

  const recordMax = 1 + (values.length + 1) * HEAD_BYTES + text.length * 3 * EXPANSION
  const memory = memoryFor(recordMax)
  const { bytes: record, end: start } = memory
  record[start] = VERSION
  let at = writeVarint(record, start + 1, values.length * 4 + encoding)
  for (const value of values) at = writeHead(record, at, value)
  if (encoding === UTF16) at += writeUtf16(record, at, text.slice(id.length + 1))
  else at = writeTokens(record, at, block, idLength, length)
  memory.end = at
  return memory === sharedMemory ? record.subarray(start, at) : record.slice(start, at)
}

/** The encoding of a text with this length in UTF-8, which loses lone surrogates. */
function encodingOf(text: string, utf8Length: number): number {
  if (utf8Length === text.length) return ASCII
  return text.isWellFormed() ? UTF8 : UTF16
}

const writeUtf16 = (record: Uint8Array, at: number, text: string): number =>
  Buffer.from(record.buffer).write(text, at, 'utf16le')

function writeHead(record: Uint8Array, at: number, value: string | number | null): number {
  if (value === null) return writeKindAndNumber(record, at, NULL, 0)
  if (typeof value === 'string') return writeKindAndNumber(record, at, TEXT, value.length)
  if (!Number.isSafeInteger(value)) throw new StorageError('constraint', 'a number of a record is not a safe integer')
  const isNegative = value < 0 || Object.is(value, -0)
  return writeKindAndNumber(record, at, isNegative ? NEGATIVE : POSITIVE, Math.abs(value))
}

function writeKindAndNumber(record: Uint8Array, at: number, kind: number, value: number): number {
  if (value < 32) {
    record[at] = (value << 2) | kind
    return at + 1
  }
  record[at] = 0x80 | ((value % 32) << 2) | kind
  return writeVarint(record, at + 1, Math.floor(value / 32))
}

function writeVarint(record: Uint8Array, from: number, value: number): number {
  let at = from
  let rest = value
  while (rest >= 128) {
    record[at++] = 0x80 | (rest % 128)
    rest = Math.floor(rest / 128)
  }
  record[at] = rest
  return at + 1
}

const QUOTE = 0x22
const NONE = 0xff

/** 1 for letters and digits. A word is looked up where at least one of the two neighbouring bytes is another one. */
const alphanumeric = Uint8Array.from({ length: 256 }, (_, byte) => (/\w/.test(String.fromCharCode(byte)) ? 1 : 0))
/** The code of a packed character, or `NONE`. */
const packedCodes = codesOf(packedCharacters)
/** The value of a hexadecimal digit, or `NONE`. */
const hexCodes = codesOf('0123456789abcdef')

function codesOf(characters: string): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => characters.indexOf(String.fromCharCode(byte)) & 0xff)
}

/** The latest start of a string with each hash of its first bytes; 0 if there is none. */
const stringStarts = new Int32Array(256)
/** The shortest id that has a token. */
const SHORTEST_ID = 2
/** The shortest text that is copied: a copy takes four bytes. */
const SHORTEST_COPY = 6

function writeTokens(record: Uint8Array, from: number, { bytes, view }: Block, idLength: number, end: number): number {
  stringStarts.fill(0)
  const hasId = idLength >= SHORTEST_ID && idLength <= TOKEN_BYTES
  let at = from
  let i = idLength + 1
  // The end of the last token that is not a literal, where a word may begin even between two letters.
  let tokenEnd = i
  while (i < end) {
    const byte = bytes[i] ?? 0
    if (i === tokenEnd || alphanumeric[byte] === 0 || alphanumeric[bytes[i - 1] ?? 0] === 0) {
      const word = findWord(view, i)
      if (word >= 0) {
        at = writeWord(record, at, word)
        i += (wordStarts[word + 1] ?? 0) - (wordStarts[word] ?? 0)
        tokenEnd = i
        continue
      }
      if (hasId && byte === bytes[0] && equalBytes(bytes, i, 0, Math.min(idLength, end - i)) === idLength) {
        record[at++] = ID
        i += idLength
        tokenEnd = i
        continue
      }
      if (bytes[i - 1] === QUOTE) {
        const hash = Math.imul(view.getInt32(i, true), 0x9e3779b1) >>> 24
        const start = stringStarts[hash] ?? 0
        stringStarts[hash] = i
        if (start > 0 && i - start <= 0xffff) {
          const length = equalBytes(bytes, i, start, Math.min(TOKEN_BYTES, end - i))
          if (length >= SHORTEST_COPY) {
            record[at] = COPY
            record[at + 1] = length
            record[at + 2] = (i - start) >>> 8
            record[at + 3] = i - start
            at += 4
            i += length
            tokenEnd = i
            continue
          }
        }
      }
      if (hexCodes[byte] !== NONE && isHex(bytes, i)) {
        record[at++] = HEX
        for (let k = i; k < i + HEX_DIGITS; k += 2) {
          record[at++] = ((hexCodes[bytes[k] ?? 0] ?? 0) << 4) | (hexCodes[bytes[k + 1] ?? 0] ?? 0)
        }
        i += HEX_DIGITS
        tokenEnd = i
        continue
      }
    }
    if (packedCodes[byte] !== NONE) {
      let length = 1
      const lengthMax = Math.min(PACKED_LAST, end - i)
      while (length < lengthMax && packedCodes[bytes[i + length] ?? 0] !== NONE) length += 1
      if (length >= PACKED_FIRST) {
        record[at++] = length
        for (let k = i; k < i + length; k += 2) {
          const second = k + 1 < i + length ? (packedCodes[bytes[k + 1] ?? 0] ?? 0) : 0
          record[at++] = ((packedCodes[bytes[k] ?? 0] ?? 0) << 4) | second
        }
        i += length
        tokenEnd = i
      } else {
        for (const stop = i + length; i < stop; i++) record[at++] = bytes[i] ?? 0
      }
    } else if (isLiteral(byte)) {
      record[at++] = byte
      i += 1
    } else {
      let length = 1
      while (length < TOKEN_BYTES && i + length < end && !isLiteral(bytes[i + length] ?? 0)) length += 1
      record[at] = RAW
      record[at + 1] = length
      at += 2
      for (const stop = i + length; i < stop; i++) record[at++] = bytes[i] ?? 0
      tokenEnd = i
    }
  }
  return at
}

function writeWord(record: Uint8Array, at: number, word: number): number {
  if (word < shortWords) {
    record[at] = WORD_FIRST + word
    return at + 1
  }
  const rest = word - shortWords
  record[at] = LONG_WORD_FIRST + (rest >>> 8)
  record[at + 1] = rest
  return at + 2
}

const isLiteral = (byte: number): boolean => byte >= LITERAL_FIRST && byte <= LITERAL_LAST

/** The number of bytes, at most `lengthMax`, that are the same at both positions. */
function equalBytes(bytes: Uint8Array, at: number, other: number, lengthMax: number): number {
  let length = 0
  while (length < lengthMax && bytes[at + length] === bytes[other + length]) length += 1
  return length
}

function isHex(bytes: Uint8Array, at: number): boolean {
  for (let i = at; i < at + HEX_DIGITS; i++) if (hexCodes[bytes[i] ?? 0] === NONE) return false
  return true
}
