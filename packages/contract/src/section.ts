import { amount, boolean, exactAmount, legacyAmount, legacyBoolean } from './format.ts'
import type { Format, Need, Row, Section, Surface } from './row.ts'

/** The optional members of a row, except its note. */
type Extra = Partial<Omit<Row, 'name' | 'format' | 'need' | 'note'>>

/**
 * One row of a parameter table. By default every value except a secret is echoed, and card numbers in free text are
 * masked; `extra` or the section may define otherwise.
 */
export function row<Name extends string>(
  name: Name,
  format: Format,
  need: Need,
  note = '',
  extra: Extra = {},
): Row<Name> {
  const pan = format.kind === 'text' ? 'mask' : 'accept'
  return { name, format, need, note, echo: extra.secret === undefined, pan, ...legacyFormats.get(format), ...extra }
}

/** Formats with a wider variant on legacy channels, where all amounts have the same format. */
const legacyFormats: ReadonlyMap<Format, Pick<Row, 'legacy'>> = new Map([
  [amount, { legacy: legacyAmount }],
  [exactAmount, { legacy: legacyAmount }],
  [boolean, { legacy: legacyBoolean }],
])

/** Rows that differ only in the last word of their name. */
export const rows = <Prefix extends string, Word extends string>(
  prefix: Prefix,
  words: readonly Word[],
  format: Format,
  need: Need,
  extra: Extra = {},
): readonly Row<`${Prefix}${Word}`>[] => words.map((word) => row(`${prefix}${word}`, format, need, '', extra))

/**
 * The parameter is refused if its value contains a card number. The value is the name of a person or company, or its
 * format excludes the asterisks of a masked number.
 */
export const NO_PAN = { pan: 'refuse' } as const

/**
 * The value is a number, a reference or another text that may look like a card number by chance, such as a URL. It is
 * never masked.
 */
export const REFERENCE = { pan: 'accept' } as const

/** A section of the contract's parameter document, or a table of parameters that the contract does not list. */
export const section = <Name extends string>(
  title: string,
  surface: Surface,
  sectionRows: readonly Row<Name>[],
): Section<Name> => ({ title, surface, rows: sectionRows })

/** Rows that answers do not echo: the service renders these values itself, or they are instructions to the service. */
export const unechoed = <Name extends string>(sectionRows: readonly Row<Name>[]): readonly Row<Name>[] =>
  sectionRows.map((sectionRow) => ({ ...sectionRow, echo: false }))

/** The same rows, all of them optional: for a structure inside another one. */
export const optional = <Name extends string>(sectionRows: readonly Row<Name>[]): readonly Row<Name>[] =>
  sectionRows.map((sectionRow) => ({ ...sectionRow, need: 'O' }))
