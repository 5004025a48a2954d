import { compareCodeUnits } from './compare-code-units.ts'

/**
 * The rows that satisfy a condition, sorted by a column of numbers, if one is given, and then by their keys.
 * @param rows by their keys
 */
export function select<Row>(
  rows: ReadonlyMap<string, Row>,
  matches: (row: Row) => boolean = () => true,
  column?: keyof Row,
): Row[] {
  const found: [key: string, row: Row][] = []
  for (const [key, row] of rows) if (matches(row)) found.push([key, row])
  const numberOf = (row: Row) => (column === undefined ? 0 : Number(row[column]))
  return found
    .toSorted(([a, one], [b, other]) => numberOf(one) - numberOf(other) || compareCodeUnits(a, b))
    .map(([, row]) => row)
}
