import { createHash } from 'node:crypto'
import { type DataSet, rowsOf } from './data-set.ts'
import type { Schema } from './schema.ts'
import { columnsOf } from './columns.ts'

/** A summary of the rows of a table, for comparison. */
export interface TableDigest {
  readonly rows: number
  /** The sum of each integer column; a null counts as 0. */
  readonly sums: Readonly<Record<string, string>>
  /** Sums of amounts, in minor units, by currency, and by type and status if the table has these columns. */
  readonly amounts: Readonly<Record<string, string>>
  /** SHA-256 (hex) of all values of all rows, in the order of the key. */
  readonly sha256: string
}

/** The digest of a whole table, which is read page by page. */
export async function digestOf(dataSet: Pick<DataSet, 'rowsAfter'>, table: keyof Schema): Promise<TableDigest> {
  const columns = columnsOf(table)
  const integers = columns.filter(([, type]) => type.startsWith('integer')).map(([column]) => column)
  const hash = createHash('sha256')
  const sums = new Map(integers.map((column) => [column, 0n]))
  const amounts = new Map<string, bigint>()
  let rows = 0
  for await (const row of rowsOf(dataSet, table)) {
    rows += 1
    const cells = columns.map(([column]): unknown => Reflect.get(row, column))
    hash.update(JSON.stringify(cells.map((cell) => (cell instanceof Uint8Array ? { hex: hexOf(cell) } : cell))))
    for (const column of integers) addTo(sums, column, Reflect.get(row, column))
    if (!('amount_minor' in row) || row.currency === null) continue
    const kind = 'status' in row ? ` ${row.type} ${row.status}` : ''
    addTo(amounts, `${row.currency}${kind}`, row.amount_minor)
  }
  return { rows, sums: sortedTexts(sums), amounts: sortedTexts(amounts), sha256: hash.digest('hex') }
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')

function addTo(sums: Map<string, bigint>, name: string, value: number | null): void {
  if (value !== null) sums.set(name, (sums.get(name) ?? 0n) + BigInt(value))
}

/** The sums as texts, in the order of their names. */
function sortedTexts(sums: ReadonlyMap<string, bigint>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => [name, String(sum)]),
  )
}

/**
 * Describes the differences between a table of a SQLite file and the same table of the PostgreSQL database to which it
 * was moved; none if both contain the same rows.
 */
export function differences(source: TableDigest, target: TableDigest): readonly string[] {
  const descriptions =
    source.rows === target.rows ? [] : [`${source.rows} rows in the file, ${target.rows} in the database`]
  for (const part of ['sums', 'amounts'] as const) {
    const names = new Set([...Object.keys(source[part]), ...Object.keys(target[part])])
    for (const name of names) {
      const [sourceSum, targetSum] = [source[part][name] ?? '0', target[part][name] ?? '0']
      if (sourceSum === targetSum) continue
      descriptions.push(`sum of ${name}: ${sourceSum} in the file, ${targetSum} in the database`)
    }
  }
  if (descriptions.length === 0 && source.sha256 !== target.sha256) descriptions.push('some rows have other values')
  return descriptions
}
