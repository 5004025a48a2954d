/** What tests and benchmarks of other packages need of PostgreSQL. Nothing of the product uses it. */
export { migrateFurther } from './migrate-further.ts'
export { emptyDatabase, newDatabase, removeDatabase, runSql } from './postgres-database.ts'
export { findPrograms, type PostgresServer, startPostgres } from './postgres-server.ts'
export { emptySqlite, runSqlite } from './run-sqlite.ts'
