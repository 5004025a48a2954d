import { words } from './words.ts'

/** The bytes of all words, in the order of their codes, and three more, so that words are read four bytes at a time. */
export const wordBytes: DataView = viewOf(`${words.join('')}\0\0\0`)

/** The position of each word in `wordBytes`, and at last their length. */
export const wordStarts: Uint32Array = startsOf(words)

function viewOf(text: string): DataView {
  return new DataView(Uint8Array.from(Buffer.from(text, 'latin1')).buffer)
}

function startsOf(texts: readonly string[]): Uint32Array {
  const starts = new Uint32Array(texts.length + 1)
  for (const [index, text] of texts.entries()) starts[index + 1] = (starts[index] ?? 0) + text.length
  return starts
}

const HASH_BITS = 12
const HASH_SHIFT = 32 - HASH_BITS

const hashOfEight = (low: number, high: number): number =>
  (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> HASH_SHIFT

const hashOfFour = (low: number): number => Math.imul(low, 0x9e3779b1) >>> HASH_SHIFT

/** The word after each word in its chain, plus 1; 0 at the end. */
const nextWords = new Uint16Array(words.length)
/** 1 at the hash of the first two bytes of each word, so that most other texts are not looked up. */
const beginnings = new Uint8Array(1 << HASH_BITS)
const eights = chainsOf(8, Number.POSITIVE_INFINITY)
const fours = chainsOf(4, 8)
const twos = chainsOf(2, 4)

/**
 * The first word of each hash of the first `prefix` bytes, plus 1; 0 if there is none. The words of one hash, of at
 * least `prefix` and less than `lengthMax` bytes, are a chain from the longest to the shortest.
 */
function chainsOf(prefix: 8 | 4 | 2, lengthMax: number): Uint16Array {
  const heads = new Uint16Array(1 << HASH_BITS)
  const codes = new Map<string, number>()
  for (const [code, word] of words.entries()) {
    // A word that is listed twice has the first of its codes, which is not the longer one.
    if (word.length >= prefix && word.length < lengthMax && !codes.has(word)) codes.set(word, code)
  }
  for (const [word, code] of [...codes].toSorted(([a], [b]) => a.length - b.length)) {
    const hash = hashAt(viewOf(word), 0, prefix)
    nextWords[code] = heads[hash] ?? 0
    heads[hash] = code + 1
    beginnings[hashAt(viewOf(word), 0, 2)] = 1
  }
  return heads
}

function hashAt(view: DataView, at: number, prefix: 8 | 4 | 2): number {
  if (prefix === 8) return hashOfEight(view.getInt32(at, true), view.getInt32(at + 4, true))
  return hashOfFour(prefix === 4 ? view.getInt32(at, true) : view.getUint16(at, true))
}

/**
 * The longest word at a position, or -1.
 *
 * @param bytes a text that ends with a zero byte, after which at least seven bytes of any content follow
 */
export function findWord(bytes: DataView, at: number): number {
  const low = bytes.getInt32(at, true)
  if (beginnings[hashOfFour(low & 0xffff)] === 0) return -1
  let word = findInChain(eights[hashOfEight(low, bytes.getInt32(at + 4, true))] ?? 0, bytes, at)
  if (word < 0) word = findInChain(fours[hashOfFour(low)] ?? 0, bytes, at)
  if (word < 0) word = findInChain(twos[hashOfFour(low & 0xffff)] ?? 0, bytes, at)
  return word
}

function findInChain(head: number, bytes: DataView, at: number): number {
  for (let link = head; link !== 0; link = nextWords[link - 1] ?? 0) {
    if (isWordAt(link - 1, bytes, at)) return link - 1
  }
  return -1
}

function isWordAt(word: number, bytes: DataView, at: number): boolean {
  const end = wordStarts[word + 1] ?? 0
  let from = wordStarts[word] ?? 0
  let i = at
  while (end - from >= 4) {
    if (wordBytes.getInt32(from, true) !== bytes.getInt32(i, true)) return false
    from += 4
    i += 4
  }
  while (from < end) {
    if (wordBytes.getUint8(from) !== bytes.getUint8(i)) return false
    from += 1
    i += 1
  }
  return true
}
