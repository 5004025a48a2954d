import type { SqlValue } from './sql-value.ts'

/** A statement that a dialect has prepared. Both throw a StorageError `unavailable`. */
export interface Statement<Row> {
  /** The first row. */
  readonly one: (...values: SqlValue[]) => Promise<Row | undefined>
  readonly all: (...values: SqlValue[]) => Promise<Row[]>
}

/** @param sql has a `?` for each value */
export type Prepare = <Row extends object>(name: string, sql: string) => Statement<Row>
