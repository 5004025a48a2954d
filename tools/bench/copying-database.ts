import { join } from 'node:path'
import { querySqlite, runSql, runSqlite } from '@tollgate/storage/testing'

/** A database whose rows are copied by its own statements, while no gateway uses it. */
export interface CopyingDatabase {
  readonly run: (sql: string) => Promise<void>
  readonly query: <Row extends object>(sql: string) => Promise<readonly Row[]>
  /** The SQL of a query of the columns of a table, in their order, as `name`. */
  readonly columnsSql: (table: string) => string
  /** The SQL of an integer as text of at least `length` characters, in hexadecimal or decimal. */
  readonly textSql: (integer: string, base: 'hex' | 'decimal', length: number) => string
  /** Statements that make writing faster and less safe, and those that end this and complete the copies. */
  readonly prepare: readonly string[]
  readonly complete: readonly string[]
}

/** @param data the folder of a gateway */
export function sqliteDatabase(data: string): CopyingDatabase {
  const file = join(data, 'tollgate.db')
  return {
    run: async (sql) => runSqlite(file, sql),
    query: (sql) => querySqlite(file, sql),
    columnsSql: (table) => `SELECT name FROM pragma_table_info('${table}') ORDER BY cid`,
    textSql: (integer, base, length) => `printf('%0${length}${base === 'hex' ? 'x' : 'd'}', ${integer})`,
    prepare: [],
    complete: ['ANALYZE'],
  }
}

/** Settings with which a server loads rows: after a crash all rows would be lost. */
const loadingSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_wal_size: "'4GB'",
  autovacuum: 'off',
} as const

const RELOAD = 'SELECT pg_reload_conf()'

/** @param url the address of the database, as the superuser */
export const postgresDatabase = (url: string): CopyingDatabase => ({
  run: async (sql) => void (await runSql(url, sql)),
  query: (sql) => runSql(url, sql),
  columnsSql: (table) =>
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  textSql: (integer, base, length) =>
    `lpad(${base === 'hex' ? `to_hex(${integer})` : `(${integer})::text`}, ${length}, '0')`,
  prepare: [...Object.entries(loadingSettings).map(([name, value]) => `ALTER SYSTEM SET ${name} = ${value}`), RELOAD],
  complete: [
    'VACUUM (ANALYZE)',
    ...Object.keys(loadingSettings).map((name) => `ALTER SYSTEM RESET ${name}`),
    RELOAD,
    'CHECKPOINT',
  ],
})
