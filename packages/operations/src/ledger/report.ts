import { isCurrency, type SpreadsheetCell, spreadsheetLine } from '@tollgate/contract'
import { formatSum } from '@tollgate/domain'

/** A cell of a report; null: there is no value. */
export type Cell = SpreadsheetCell | null

/** The columns of a report, by name: the members of its rows in JSON, and the header of its CSV. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/** A document with rows, which are rendered page by page, so that its memory is that of a page. */
export interface Report {
  /** The pieces of a JSON object. */
  json(): AsyncIterable<string>
  /** The pieces of a CSV file for spreadsheets: its header, and a line for each row. */
  csv(): AsyncIterable<string>
}

/**
 * @param head the members of the JSON object before the rows
 * @param name the member with the rows
 * @param pages the rows; the pages are read once
 */
export function reportOf<Row>(
  head: Readonly<Record<string, unknown>>,
  name: string,
  columns: Columns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): Report {
  const cells = Object.entries(columns)
  const objectOf = (row: Row) => Object.fromEntries(cells.map(([column, cellOf]) => [column, jsonOf(cellOf(row))]))
  return {
    async *json() {
      yield `${JSON.stringify(head).slice(0, -1)}${Object.keys(head).length > 0 ? ',' : ''}${JSON.stringify(name)}:[`
      let separator = ''
      for await (const page of pages) {
        if (page.length === 0) continue
        yield separator + page.map((row) => JSON.stringify(objectOf(row))).join(',')
        separator = ','
      }
      yield ']}'
    },
    async *csv() {
      yield spreadsheetLine(Object.keys(columns))
      for await (const page of pages)
        if (page.length > 0)
          yield page.map((row) => spreadsheetLine(cells.map(([, cellOf]) => cellOf(row) ?? ''))).join('')
    },
  }
}

const jsonOf = (cell: Cell) => (typeof cell === 'object' && cell !== null ? cell.decimal : cell)

/** A sum of amounts as a cell; none without a currency. */
export const amountCell = (sumMinor: number, currency: string): Cell =>
  isCurrency(currency) ? { decimal: formatSum(sumMinor, currency) } : null
