/** Databases for tests and benchmarks of other packages. The product does not use this module. */
export { applyLaterMigration } from './apply-later-migration.ts'
export { freePort } from './free-port.ts'
export { newDatabase, openSqlConnection, removeDatabase, runSql, type SqlConnection } from './postgres-database.ts'
export { findPrograms, type PostgresServer, startPostgres } from './postgres-server.ts'
export { type ReusableStorage, reusablePostgres, reusableSqlite } from './reusable-storage.ts'
export { settlementFile, settlementRow } from './sample-ledger-rows.ts'
export { querySqlite, runSqlite, sqliteTableBytes } from './run-sqlite.ts'
