/**
 * Durable state behind one port, which commits units of work and reads rows. Each dialect (SQLite, PostgreSQL, memory)
 * is a folder, and all share one suite of tests. Storage contains no rule of payments.
 */
export { type DataSet, keyOf, type Reference, rowsOf } from './data-set.ts'
export { type MemoryDisk, memoryDisk } from './memory/disk.ts'
export type { LedgerSums, SentMessage } from './ledger-reads.ts'
export { openMemory } from './memory/open.ts'
export { type MoveProgress, type MoveResult, moveToPostgres } from './move.ts'
export type * from './port.ts'
export { newestFirst, positionAt, positionOf, timeOf } from './position.ts'
export type { ArchivableRow, Archive, OldPartition } from './postgres/archive.ts'
export { openPostgres, openPostgresArchive, openPostgresDataSet } from './postgres/load.ts'
export type { PostgresOptions } from './postgres/open.ts'
export type { AccountDigits, AccountKeys, DeadLetteredJobs } from './reads.ts'
export { listOf } from './declare-read.ts'
export type * from './schema.ts'
export type { RecordRow, SettlementDay } from './settlement-reads.ts'
export { backUpSqlite, restoreSqlite } from './sqlite/backup.ts'
export { openSqliteDataSet } from './sqlite/data-set.ts'
export { openSqlite, type SqliteOptions } from './sqlite/open.ts'
export { StorageError, type StorageErrorKind } from './storage-error.ts'
export { tableNames } from './tables.ts'
export { TRANSACTIONS } from './transaction-feed.ts'
