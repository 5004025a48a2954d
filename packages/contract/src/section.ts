import { amount, boolean, exactAmount, legacyAmount, legacyBoolean } from './format.ts'
import type { Format, Need, Row, Section, Surface } from './row.ts'

/** What few rows need beyond name, format, need and note. */
type Extra = Partial<Omit<Row, 'name' | 'format' | 'need' | 'note'>>

/**
 * One row of a parameter table. Unless the row or its section says otherwise, everything but secrets is echoed, and
 * card numbers are masked in free text.
 */
export function row(name: string, format: Format, need: Need, note = '', extra: Extra = {}): Row {
  const pan = format.kind === 'text' ? 'mask' : 'accept'
  return { name, format, need, note, echo: extra.secret === undefined, pan, ...widened.get(format), ...extra }
}

/** Formats that older platforms take in a wider form, wherever they stand: all amounts are of one form there. */
const widened: ReadonlyMap<Format, Pick<Row, 'legacy'>> = new Map([
  [amount, { legacy: legacyAmount }],
  [exactAmount, { legacy: legacyAmount }],
  [boolean, { legacy: legacyBoolean }],
])

/** Rows that differ in the last word of their name only. */
export const alike = (prefix: string, names: readonly string[], format: Format, need: Need, extra: Extra = {}): Row[] =>
  names.map((name) => row(prefix + name, format, need, '', extra))

/** Where no card number has a place: the names of people and companies, addresses of a form without asterisks. */
export const NO_PAN = { pan: 'refuse' } as const

/** A number or a reference, which may pass for a card number and must come back as it was sent. */
export const REFERENCE = { pan: 'accept' } as const

/** A section of the contract's parameter document. */
export const section = (title: string, surface: Surface, rows: readonly Row[]): Section => ({ title, surface, rows })

/** Rows that no answer carries back: the service renders them itself, or they are instructions to the service. */
export const unechoed = (rows: readonly Row[]): readonly Row[] => rows.map((each) => ({ ...each, echo: false }))

/** The same rows in another structure, where all of them are optional. */
export const moved = (rows: readonly Row[], from: string, to: string): readonly Row[] =>
  rows.map((each) => ({ ...each, name: to + each.name.slice(from.length), need: 'O' }))
