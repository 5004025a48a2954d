import { limits } from './limits.ts'
import type { Schema } from './schema.ts'
import type { SqlValue } from './sql-value.ts'
import { columnList } from './columns.ts'
import { unpackRow } from './packed-columns.ts'
import { tables } from './tables.ts'

/** The position of a row in the order of its table: the values of its key. Empty: the position before the first row. */
export type Key = readonly (string | number)[]

/** The rows that a column may refer to. `payment_transaction` includes roots and children. */
export type ReferenceTarget = keyof Schema | 'root transaction'

/** A column whose values, unless null, must refer to a row. */
export interface Reference {
  readonly table: keyof Schema
  readonly column: string
  readonly target: ReferenceTarget
  /** The rows to which the reference applies, as an SQL condition on the row `r`; all by default. */
  readonly condition?: string
}

/**
 * A read-only snapshot of a whole storage, for a move of the data to another storage or for an integrity scan. A
 * gateway may use the storage at the same time.
 */
export interface DataSet {
  /** The rows after `after` in the order of the key: at most `limits.pageRows`; none at the end. */
  rowsAfter<T extends keyof Schema>(table: T, after: Key): Promise<readonly Schema[T][]>
  count(table: keyof Schema): Promise<number>
  /** The keys of at most `max` rows with a column that refers to a missing row. */
  danglingReferences(reference: Reference, max: number): Promise<readonly string[]>
  /** Errors of the files, one line each, if the dialect detects any. */
  integrityErrors(): Promise<readonly string[]>
  /** Partitions that are needed and missing, one line each; none if the dialect has no partitions. */
  missingPartitions(): Promise<readonly string[]>
  /** Whether a move of data into this storage is incomplete. */
  hasUnfinishedMove(): Promise<boolean>
  close(): Promise<void>
}

/** The position of a row in the order of its table. */
export function keyOf(table: keyof Schema, row: object): Key {
  return tables[table].key.map((column): string | number => Reflect.get(row, column))
}

/** All rows of a table in the order of its key, read page by page. */
export async function* rowsOf<T extends keyof Schema>(
  dataSet: Pick<DataSet, 'rowsAfter'>,
  table: T,
): AsyncGenerator<Schema[T], void, undefined> {
  let page = await dataSet.rowsAfter(table, [])
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield* page
    page = await dataSet.rowsAfter(table, keyOf(table, last))
  }
}

type Source = (table: keyof Schema) => string

/** Runs a query, which has a `?` for each value. */
type Query = <Row extends object>(sql: string, values: readonly SqlValue[]) => Promise<Row[]>

/**
 * The reads of a data set, which the SQL dialects share.
 * @param source the SQL of the rows of a table; by default its name
 */
export function dataSetReads(
  query: Query,
  source: Source = (table) => `"${table}"`,
): Pick<DataSet, 'rowsAfter' | 'count' | 'danglingReferences'> {
  return {
    async rowsAfter<T extends keyof Schema>(table: T, after: Key) {
      const rows = await query<Schema[T]>(pageSql(source, table, after.length === 0), [...after, limits.pageRows])
      return rows.map((row) => unpackRow(table, row))
    },
    async count(table) {
      const [row] = await query<{ rows: number }>(`SELECT count(*) AS rows FROM ${source(table)} AS r`, [])
      return row?.rows ?? 0
    },
    async danglingReferences(reference, max) {
      const rows = await query<{ key: string }>(danglingReferencesSql(source, reference), [max])
      return rows.map(({ key }) => key)
    },
  }
}

/** A page of a table. Values: the key after which it begins, unless it is the first, and the number of rows. */
function pageSql(source: Source, table: keyof Schema, isFirst: boolean): string {
  const { key } = tables[table]
  const columns = key.map((column) => `"${column}"`).join(', ')
  const after = isFirst ? '' : `WHERE (${columns}) > (${key.map(() => '?').join(', ')})`
  return `SELECT ${columnList(table)} FROM ${source(table)} AS r ${after} ORDER BY ${columns} LIMIT ?`
}

/** The keys, each as one text, of rows with a column that refers to a missing row. Value: the number of rows. */
function danglingReferencesSql(source: Source, { table, column, target, condition = 'true' }: Reference): string {
  const key = tables[table].key.map((keyColumn) => `r."${keyColumn}"`).join(` || ' ' || `)
  return `SELECT ${key} AS "key" FROM ${source(table)} AS r WHERE r."${column}" IS NOT NULL AND (${condition})
    AND ${isMissingSql(source, target, `r."${column}"`)} LIMIT ?`
}

/** The condition that no row of the target has the value as its id. */
function isMissingSql(source: Source, target: ReferenceTarget, value: string): string {
  const notExists = (table: keyof Schema, condition: string) =>
    `NOT EXISTS (SELECT 1 FROM ${source(table)} AS t WHERE ${condition})`
  const noRoot = notExists('payment_transaction', `t.root_id = ${value} AND t.id = ${value}`)
  if (target === 'root transaction') return noRoot
  if (target !== 'payment_transaction') return notExists(target, `t.id = ${value}`)
  // One condition for roots and one for children, so that each has an index: the primary key begins with `root_id`, and
  // the index on `id` is partial, for rows with `id <> root_id`.
  return `${noRoot} AND ${notExists('payment_transaction', `t.id = ${value} AND t.id <> t.root_id`)}`
}
