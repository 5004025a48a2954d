import { amount, boolean, exactAmount, legacyAmount, legacyBoolean } from './format.ts'
import type { Format, Need, Row, Section, Surface } from './row.ts'

/** Rare members of a row. */
type Extra = Partial<Omit<Row, 'name' | 'format' | 'need' | 'note'>>

/**
 * One row of a parameter table. Unless the row or its section says otherwise, everything but secrets is echoed, and
 * card numbers are masked in free text.
 */
export function row<Name extends string>(
  name: Name,
  format: Format,
  need: Need,
  note = '',
  extra: Extra = {},
): Row<Name> {
  const pan = format.kind === 'text' ? 'mask' : 'accept'
  return { name, format, need, note, echo: extra.secret === undefined, pan, ...widened.get(format), ...extra }
}

/** Formats with a wider form on older platforms: there, all amounts have the same form. */
const widened: ReadonlyMap<Format, Pick<Row, 'legacy'>> = new Map([
  [amount, { legacy: legacyAmount }],
  [exactAmount, { legacy: legacyAmount }],
  [boolean, { legacy: legacyBoolean }],
])

/** Rows that differ in the last word of their name only. */
export const alike = <Prefix extends string, Word extends string>(
  prefix: Prefix,
  words: readonly Word[],
  format: Format,
  need: Need,
  extra: Extra = {},
): readonly Row<`${Prefix}${Word}`>[] => words.map((word) => row(`${prefix}${word}`, format, need, '', extra))

/** No card number is allowed: names of people and companies, addresses in a format without asterisks. */
export const NO_PAN = { pan: 'refuse' } as const

/** A number or reference that may look like a card number and must be echoed unchanged. */
export const REFERENCE = { pan: 'accept' } as const

/** A section of the contract's parameter document. */
export const section = <Name extends string>(
  title: string,
  surface: Surface,
  rows: readonly Row<Name>[],
): Section<Name> => ({ title, surface, rows })

/** Rows that no answer carries back: the service renders them itself, or they are instructions to the service. */
export const unechoed = <Name extends string>(rows: readonly Row<Name>[]): readonly Row<Name>[] =>
  rows.map((each) => ({ ...each, echo: false }))

/** The same rows, all of them optional: those of a structure inside another one. */
export const optional = <Name extends string>(rows: readonly Row<Name>[]): readonly Row<Name>[] =>
  rows.map((each) => ({ ...each, need: 'O' }))
