import type { Field, Message } from '../field.ts'
import { isBytesField } from '../field.ts'
import type { Spec } from '../spec.ts'

/** A source of integers: a number from 0 to below the bound. */
export type Random = (bound: number) => number

/** The integers of a seed (mulberry32). A million messages are generated in half a minute. */
export function randomOf(seed: number): Random {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}

const FIELDS_MAX = 12
/** The longest value of most fields. Values of full length would take most of the time. */
const SHORT = 24
/** The number of fields for each one whose length is drawn from all that its row permits. */
const LONG_EVERY = 8

const digits = '0123456789'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))
const special = printable.replaceAll(/[A-Za-z]/g, '')

const alphabets = {
  n: digits,
  an: `${digits}${letters} `,
  ans: printable,
  ns: special,
  xn: digits,
  z: `${digits}=`,
} as const

function textOf(alphabet: string, length: number, random: Random): string {
  let text = ''
  for (let index = 0; index < length; index += 1) text += alphabet.charAt(random(alphabet.length))
  return text
}

function lengthOf({ length, lengthDigits, kind }: Field, random: Random): number {
  if (lengthDigits === 0) return length
  const longest = kind === 'b' ? Math.min(length, 499) : length
  return random(1 + (random(LONG_EVERY) === 0 ? longest : Math.min(longest, SHORT)))
}

function valueOf(field: Field, random: Random): string | Uint8Array {
  const { kind } = field
  const length = lengthOf(field, random)
  if (kind === 'b') return Uint8Array.from({ length }, () => random(256))
  const sign = kind === 'xn' ? textOf('CD', 1, random) : ''
  const text = `${sign}${textOf(alphabets[kind], length, random)}`
  return isBytesField(field) ? Uint8Array.from(Buffer.from(text, 'latin1')) : text
}

/** A message of a specification with up to twelve fields, whose values have the full length of fixed fields. */
export function randomMessage(spec: Spec, random: Random): Message {
  const rows = Object.entries<Field>(spec.fields)
  const fields: Record<string, string | Uint8Array> = {}
  for (let left = random(FIELDS_MAX + 1); left > 0; left -= 1) {
    const [number, field] = rows[random(rows.length)] ?? []
    if (number !== undefined && field) fields[number] = valueOf(field, random)
  }
  return { type: textOf(digits, 4, random), fields }
}
