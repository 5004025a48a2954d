import { columnList } from './columns.ts'
import { copyOf, type KeyedRows, type KeyedTable, type MemoryDisk } from './memory/disk.ts'
import type { Schema } from './schema.ts'
import type { SqlValue } from './sql-value.ts'

/**
 * A read of one statement, and so of one snapshot of the database.
 *
 * `sql` is the same for every dialect and has a `?` for each argument. It names its columns: a newer program may have
 * added a column, `SELECT *` would then return it, and PostgreSQL refuses a prepared statement whose result changes.
 */
export interface Read<Arguments extends readonly SqlValue[], Result> {
  readonly sql: string
  /** one: the first row, if any. all: every row. value: the column `value` of the first row, unless it is null. */
  readonly result: 'one' | 'all' | 'value'
  /** The same read of rows in memory. The result contains copies. */
  inMemory(disk: MemoryDisk, ...values: Arguments): Result
}

/** A condition, that a column has one of the values of a list, which is one argument: each dialect has its own SQL. */
export const IN_LIST = 'IN LIST(?)'

/** A list of values as the argument of a read. */
export const listOf = (values: Iterable<string>): string => JSON.stringify([...values])

/** The values of `listOf`. */
export function setOf(list: string): ReadonlySet<unknown> {
  const values: unknown[] = JSON.parse(list)
  return new Set(values)
}

export function query<Arguments extends SqlValue[], Result>(
  sql: string,
  inMemory: Read<Arguments, Result>['inMemory'],
  result: Read<Arguments, Result>['result'] = 'all',
): Read<Arguments, Result> {
  return { sql, result, inMemory }
}

export function value<Arguments extends SqlValue[], Result>(
  sql: string,
  inMemory: Read<Arguments, Result>['inMemory'],
): Read<Arguments, Result> {
  return query(sql, inMemory, 'value')
}

function selectFrom(table: keyof Schema, rest: string): string {
  return `SELECT ${columnList(table)} FROM ${table} ${rest}`
}

export function one<T extends keyof Schema, Arguments extends SqlValue[]>(
  table: T,
  rest: string,
  find: (disk: MemoryDisk, ...values: Arguments) => Schema[T] | undefined,
): Read<Arguments, Schema[T] | undefined> {
  const inMemory = (disk: MemoryDisk, ...values: Arguments) => {
    const row = find(disk, ...values)
    return row && copyOf(table, row)
  }
  return query(selectFrom(table, rest), inMemory, 'one')
}

export function all<T extends keyof Schema, Arguments extends SqlValue[]>(
  table: T,
  rest: string,
  find: (disk: MemoryDisk, ...values: Arguments) => readonly Schema[T][],
): Read<Arguments, readonly Schema[T][]> {
  return query(selectFrom(table, rest), (disk, ...values: Arguments) =>
    find(disk, ...values).map((row) => copyOf(table, row)),
  )
}

/** A read of the row of a table by its id. */
export function byId<T extends KeyedTable>(table: T): Read<[id: string], Schema[T] | undefined> {
  return one(table, 'WHERE id = ?', (disk: KeyedRows, id: string) => disk[table].get(id))
}
