/**
 * Card numbers where none belong: in the holder's name, where shoppers type them, in memos, in the keys of maps. A card
 * number is a run of 12 to 19 digits that pass the Luhn check (ISO/IEC 7812-1), in groups with blanks or hyphens
 * between them.
 */
import { limits } from './limits.ts'

/** The fewest digits of a card number: no shorter text holds one. */
const { cardNumberDigitsMin: DIGITS_MIN, cardNumberDigitsMax: DIGITS_MAX } = limits

/** Digits of a text with nothing but separators of groups between them. */
interface Run {
  /** Offset of each digit in the text. */
  readonly offsets: number[]
  /** How many digits precede each group. */
  readonly bounds: number[]
  /**
   * Luhn sums of the digits before each: `sums[1]` doubles those at odd places, `sums[0]` those at even ones. The sum
   * of a number is the difference of two of them, so that each costs the same however long the run is.
   */
  readonly sums: readonly [even: number[], odd: number[]]
}

/** The text with every digit of a card number in it as an asterisk; the very same text where it holds none. */
export function maskCardNumbers(text: string): string {
  if (text.length < DIGITS_MIN) return text
  let masked: string[] | undefined
  let run = emptyRun()
  for (let i = 0; i <= text.length; i++) {
    const digit = digitOf(text.charCodeAt(i))
    if (digit >= 0) {
      const beginsGroup = run.offsets.length > 0 && digitOf(text.charCodeAt(i - 1)) < 0
      if (beginsGroup) run.bounds.push(run.offsets.length)
      add(run, i, digit)
    } else if (run.offsets.length > 0 && !SEPARATORS.has(text.charCodeAt(i))) {
      if (run.offsets.length >= DIGITS_MIN) masked = maskIn(run, text, masked)
      run = emptyRun()
    }
  }
  return masked?.join('') ?? text
}

const emptyRun = (): Run => ({ offsets: [], bounds: [0], sums: [[0], [0]] })

function add({ offsets, sums: [even, odd] }: Run, offset: number, digit: number): void {
  const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
  const isOdd = offsets.length % 2 === 1
  even.push((even.at(-1) ?? 0) + (isOdd ? digit : doubled))
  odd.push((odd.at(-1) ?? 0) + (isOdd ? doubled : digit))
  offsets.push(offset)
}

/** Masks the numbers that begin and end with a group of the run. */
function maskIn({ offsets, bounds, sums }: Run, text: string, before: string[] | undefined): string[] | undefined {
  let masked = before
  const ends = [...bounds.slice(1), offsets.length]
  for (const [group, start] of bounds.entries()) {
    for (let last = group; last < ends.length; last++) {
      const end = ends[last] ?? 0
      if (end - start < DIGITS_MIN) continue
      if (end - start > DIGITS_MAX) break
      // Every second digit is doubled, from the last but one on.
      const sum = sums[end % 2 === 0 ? 0 : 1]
      if (((sum[end] ?? 0) - (sum[start] ?? 0)) % 10 !== 0) continue
      masked ??= text.split('')
      for (let i = start; i < end; i++) masked[offsets[i] ?? 0] = '*'
    }
  }
  return masked
}

/** The value of a digit of the keyboards in use: European, Arabic, Persian, full-width; -1 for anything else. */
function digitOf(code: number): number {
  if (code < 0x30) return -1
  if (code < 0x3a) return code - 0x30
  for (const zero of OTHER_ZEROS) if (code >= zero && code < zero + 10) return code - zero
  return -1
}

const OTHER_ZEROS = [0x0660, 0x06f0, 0xff10]

/** Between groups: blanks and hyphens, also as word processors set them (unbreakable, narrow, as a dash), and tabs. */
const SEPARATORS: ReadonlySet<number> = new Set([
  0x09, 0x20, 0x2d, 0xa0, 0x202f, 0x2010, 0x2011, 0x2012, 0x2013, 0x2212,
])
