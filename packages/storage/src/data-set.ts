import type { Schema } from './schema.ts'
import { columnsOf, tables } from './tables.ts'

/** Where a row stands in the order of its table: the cells of its key; none of them: before all rows. */
export type Key = readonly (string | number)[]

/** What a column may name. A transaction is found by its id, be it a root or not. */
export type Named = keyof Schema | 'root transaction'

/** A column whose values must name a row, where they are not null. */
export interface Reference {
  readonly table: keyof Schema
  readonly column: string
  readonly names: Named
  /** Which rows it holds for, as SQL about the row `r`; all unless given. */
  readonly of?: string
}

/**
 * Everything that a storage holds, as it was at one moment, for what walks through all of it: a move, a check. It is
 * read beside the gateway, and nothing is ever written.
 */
export interface DataSet {
  /** The rows after `after` in the order of the table's key: at most `limits.pageRows`; none at its end. */
  rowsAfter<T extends keyof Schema>(table: T, after: Key): Promise<readonly Schema[T][]>
  count(table: keyof Schema): Promise<number>
  /** The keys of at most `max` rows whose column names a row that is not there. */
  strays(reference: Reference, max: number): Promise<readonly string[]>
  /** What is wrong with the files themselves, a line each, where the dialect can tell. */
  damages(): Promise<readonly string[]>
  /** Whether it was begun to be filled by a move that has not ended. */
  isUnfinished(): Promise<boolean>
  close(): Promise<void>
}

/** Every table, in the order in which they are moved and checked. */
export const tableNames: readonly (keyof Schema)[] = Object.keys(tables).filter(isTable)

function isTable(name: string): name is keyof Schema {
  return Object.hasOwn(tables, name)
}

/** Where a row stands. */
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

/** A page of a table; binds the key, where it is not the first, and the number of rows. */
export function pageSql(table: keyof Schema, isFirst: boolean, bind: (place: number) => string): string {
  const key = tables[table].key.map((column) => `"${column}"`).join(', ')
  const columns = columnsOf(table).map(([column]) => `"${column}"`)
  const values = tables[table].key.map((_, index) => bind(index + 1)).join(', ')
  const after = isFirst ? '' : `WHERE (${key}) > (${values}) `
  return (
    `SELECT ${columns.join(', ')} FROM "${table}" ${after}ORDER BY ${key} ` +
    `LIMIT ${bind(isFirst ? 1 : tables[table].key.length + 1)}`
  )
}

/** The rows whose column names nothing: their keys as one text; binds the number of rows. */
export function straysSql({ table, column, names, of = 'true' }: Reference, bind: (place: number) => string): string {
  const key = tables[table].key.map((each) => `r."${each}"`).join(` || ' ' || `)
  const missing = conditions[names === 'root transaction' || names === 'payment_transaction' ? names : 'other']
  return (
    `SELECT ${key} AS "key" FROM "${table}" AS r WHERE r."${column}" IS NOT NULL AND (${of}) ` +
    `AND ${missing(names, `r."${column}"`)} LIMIT ${bind(1)}`
  )
}

const noRoot = (value: string) =>
  `NOT EXISTS (SELECT 1 FROM payment_transaction AS t WHERE t.root_id = ${value} AND t.id = ${value})`

/** A child is found by the partial index that holds no roots. */
const noChild = (value: string) =>
  `NOT EXISTS (SELECT 1 FROM payment_transaction AS t WHERE t.id = ${value} AND t.id <> t.root_id)`

const conditions: Readonly<Record<'root transaction' | 'payment_transaction' | 'other', MissingSql>> = {
  'root transaction': (_names, value) => noRoot(value),
  payment_transaction: (_names, value) => `${noRoot(value)} AND ${noChild(value)}`,
  other: (names, value) => `NOT EXISTS (SELECT 1 FROM "${names}" AS t WHERE t.id = ${value})`,
}

type MissingSql = (names: Named, value: string) => string
