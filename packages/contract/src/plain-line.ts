import { CSV_SEPARATOR } from './csv.ts'
import { InvariantError } from './invariant-error.ts'
import type { Format, Need } from './row.ts'

interface PlainColumn {
  readonly column: { readonly format: Format; readonly need: Need }
}

/** Characters of the basic plane that need no quotes: a UTF-16 code unit is then a character. */
const PLAIN_CHARACTER = String.raw`[^\u0000-\u001F;"\u007F\uD800-\uDFFF]`

const YEAR = '(?:19|20)[0-9]{2}'
/** The days that every year has. */
const DAY = [
  '(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])',
  '(?:0[13-9]|1[0-2])-(?:29|30)',
  '(?:0[13578]|1[02])-31)',
].join('|')
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]'

/**
 * Expressions of values that a format accepts and that are written unchanged, by its kind. They need not match all such
 * values.
 */
const expressions: Readonly<Record<string, (format: Format) => string>> = {
  text: ({ schema: { minLength, maxLength } }) => `${PLAIN_CHARACTER}{${minLength},${maxLength}}`,
  characters: withoutAnchors,
  pattern: withoutAnchors,
  enum: oneOfCodes,
  currency: oneOfCodes,
  date: () => `${YEAR}-${DAY}`,
  timestamp: () => `${YEAR}-${DAY} ${TIME}`,
}

/**
 * Compiles the columns of a CSV file to an expression of lines. If it matches the values of a line, joined by the
 * separator, each value has the format of its column, none needs quotes, and no text exceeds its maximum. Values of
 * other lines can be right, too: they must be checked one after the other.
 *
 * @throws {InvariantError} if there is no expression for the format of a column
 */
export const plainLine = (columns: readonly PlainColumn[]): RegExp =>
  new RegExp(`^${columns.map(plainField).join(CSV_SEPARATOR)}$`)

function plainField({ column: { format, need } }: PlainColumn): string {
  const expressionOf = expressions[format.kind]
  if (!expressionOf) throw new InvariantError(`no expression for the format ${format.kind}`)
  return need === 'R' ? `(?:${expressionOf(format)})` : `(?:${expressionOf(format)})?`
}

/** The expression of a format, which begins with ^ and ends with $. Its values contain no separator. */
function withoutAnchors({ schema: { pattern = '' } }: Format): string {
  return pattern.slice(1, -1)
}

function oneOfCodes({ codes = new Map() }: Format): string {
  return [...codes.keys()].join('|')
}
