import type { SqlValue } from './sql-value.ts'

/** A statement that a dialect has prepared. A failed call throws a StorageError, never of the kind `unknown`. */
export interface Statement<Row> {
  /** The first row; undefined if there is none. */
  readonly one: (...values: SqlValue[]) => Promise<Row | undefined>
  readonly all: (...values: SqlValue[]) => Promise<Row[]>
}

/** @param sql has a `?` for each value */
export type Prepare = <Row extends object>(name: string, sql: string) => Statement<Row>
