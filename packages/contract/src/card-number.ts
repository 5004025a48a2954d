/**
 * Finds card numbers in parameters for other data: in the holder's name, into which shoppers type them, in memos and in
 * keys of maps. A card number is a sequence of 12 to 19 digits that pass the Luhn check (ISO/IEC 7812-1), in groups
 * separated by blanks or hyphens.
 */
import { limits } from './limits.ts'

const { cardNumberDigitsMin: DIGITS_MIN, cardNumberDigitsMax: DIGITS_MAX } = limits

/** Consecutive digits of a text, with no other characters between them than separators of groups. */
interface DigitSequence {
  /** Offset of each digit in the text. */
  readonly offsets: number[]
  /** Index of the first digit of each group. */
  readonly groupStarts: number[]
  /**
   * Luhn sums of the first n digits, for every n: `sums[1]` doubles digits at odd positions, `sums[0]` at even ones.
   * The sum of a number is the difference of two of these, so its cost does not depend on the length of the sequence.
   */
  readonly sums: readonly [even: number[], odd: number[]]
}

/** Replaces every digit of a card number in a text by an asterisk; returns the same string if there is none. */
export function maskCardNumbers(text: string): string {
  if (!hasDigits(text, DIGITS_MIN)) return text
  let masked: string[] | undefined
  let sequence = emptySequence()
  for (let i = 0; i <= text.length; i++) {
    const digit = digitOf(text.charCodeAt(i))
    if (digit >= 0) {
      const beginsGroup = sequence.offsets.length > 0 && digitOf(text.charCodeAt(i - 1)) < 0
      if (beginsGroup) sequence.groupStarts.push(sequence.offsets.length)
      addDigit(sequence, i, digit)
    } else if (sequence.offsets.length > 0 && !SEPARATORS.has(text.charCodeAt(i))) {
      if (sequence.offsets.length >= DIGITS_MIN) masked = maskSequence(sequence, text, masked)
      sequence = emptySequence()
    }
  }
  return masked?.join('') ?? text
}

/** Whether a text contains at least `count` digits. */
function hasDigits(text: string, count: number): boolean {
  if (text.length < count) return false
  let missing = count
  for (let i = 0; i < text.length && missing > 0; i++) if (digitOf(text.charCodeAt(i)) >= 0) missing--
  return missing === 0
}

const emptySequence = (): DigitSequence => ({ offsets: [], groupStarts: [0], sums: [[0], [0]] })

function addDigit({ offsets, sums: [even, odd] }: DigitSequence, offset: number, digit: number): void {
  const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
  const isOdd = offsets.length % 2 === 1
  even.push((even.at(-1) ?? 0) + (isOdd ? digit : doubled))
  odd.push((odd.at(-1) ?? 0) + (isOdd ? doubled : digit))
  offsets.push(offset)
}

/** Masks each card number that begins at the start of a group and ends at the end of a group. */
function maskSequence(
  { offsets, groupStarts, sums }: DigitSequence,
  text: string,
  before: string[] | undefined,
): string[] | undefined {
  let masked = before
  const ends = [...groupStarts.slice(1), offsets.length]
  for (const [group, start] of groupStarts.entries()) {
    for (let last = group; last < ends.length; last++) {
      const end = ends[last] ?? 0
      if (end - start < DIGITS_MIN) continue
      if (end - start > DIGITS_MAX) break
      // Every second digit is doubled, starting with the last but one.
      const sum = sums[end % 2 === 0 ? 0 : 1]
      if (((sum[end] ?? 0) - (sum[start] ?? 0)) % 10 !== 0) continue
      masked ??= text.split('')
      for (let i = start; i < end; i++) masked[offsets[i] ?? 0] = '*'
    }
  }
  return masked
}

/** The value of a European, Arabic, Persian or full-width digit, as keyboards produce them; -1 for other characters. */
function digitOf(code: number): number {
  if (code < 0x30) return -1
  if (code < 0x3a) return code - 0x30
  for (const zero of OTHER_ZEROS) if (code >= zero && code < zero + 10) return code - zero
  return -1
}

const OTHER_ZEROS = [0x0660, 0x06f0, 0xff10]

/** Separators of groups: spaces, hyphens, tabs, and the no-break and narrow spaces and dashes of word processors. */
const SEPARATORS: ReadonlySet<number> = new Set([
  0x09, 0x20, 0x2d, 0xa0, 0x202f, 0x2010, 0x2011, 0x2012, 0x2013, 0x2212,
])
