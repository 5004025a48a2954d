import { compareCodeUnits } from './compare-code-units.ts'

/**
 * The rows that satisfy a condition, sorted by a numeric column, if `column` is given, and then by key.
 * @param rows the rows by key
 */
export function select<Row>(
  rows: ReadonlyMap<string, Row>,
  matches: (row: Row) => boolean = () => true,
  column?: keyof Row,
): Row[] {
  const selected: [key: string, row: Row][] = []
  for (const [key, row] of rows) if (matches(row)) selected.push([key, row])
  const numberOf = (row: Row) => (column === undefined ? 0 : Number(row[column]))
  return selected
    .toSorted(([keyA, a], [keyB, b]) => numberOf(a) - numberOf(b) || compareCodeUnits(keyA, keyB))
    .map(([, row]) => row)
}
