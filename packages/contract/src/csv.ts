import { InvariantError } from './invariant-error.ts'

/** The separator of fields in all CSV files of the service (contract, Reconciliation record). */
export const CSV_SEPARATOR = ';'

const QUOTE = 0x22
const SEMICOLON = 0x3b
const LF = 0x0a
const CR = 0x0d

/** A field of a CSV file (RFC 4180): quoted only if it contains a semicolon, a quote or a line break. */
export const csvField = (value: string): string => (needsQuotes(value) ? `"${value.replaceAll('"', '""')}"` : value)

function needsQuotes(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i)
    if (unit === SEMICOLON || unit === QUOTE || unit === LF || unit === CR) return true
  }
  return false
}

/**
 * A cell of a file for spreadsheets. A string is text of any origin. A number, or decimal digits such as the amount
 * `-12.34`, is a number that the service has computed.
 */
export type SpreadsheetCell = string | number | { readonly decimal: string }

/**
 * A line of a CSV file that people open in a spreadsheet, with its LF. Text that a spreadsheet would evaluate as a
 * formula is preceded by an apostrophe (OWASP, CSV injection). Numbers are written unchanged, so that negative ones
 * remain numbers.
 */
export const spreadsheetLine = (cells: readonly SpreadsheetCell[]): string =>
  `${cells.map(spreadsheetField).join(CSV_SEPARATOR)}\n`

/** The first characters of formulas, also in full width, and the white space that spreadsheets skip before them. */
const FORMULA_START = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

const DECIMAL = /^-?\d{1,20}(\.\d{1,10})?$/

function spreadsheetField(cell: SpreadsheetCell): string {
  if (typeof cell === 'string') return csvField(FORMULA_START.test(cell) ? `'${cell}` : cell)
  const text = typeof cell === 'number' ? String(cell) : cell.decimal
  if (!DECIMAL.test(text)) throw new InvariantError('a number in a spreadsheet consists of decimal digits')
  return text
}
