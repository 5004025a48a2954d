import type { DataSet } from '../data-set.ts'
import type { Storage } from '../port.ts'
import type { Archive } from './archive.ts'
import type { PostgresOptions } from './open.ts'

/** `openPostgres` of open.ts, loaded with the driver on the first call. */
export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const dialect = await import('./open.ts')
  return dialect.openPostgres(options)
}

/** `openPostgresDataSet` of data-set.ts, loaded with the driver on the first call. */
export async function openPostgresDataSet(url: string): Promise<DataSet> {
  const dialect = await import('./data-set.ts')
  return dialect.openPostgresDataSet(url)
}

/** `openPostgresArchive` of archive.ts, loaded with the driver on the first call. */
export async function openPostgresArchive(url: string): Promise<Archive> {
  const dialect = await import('./archive.ts')
  return dialect.openPostgresArchive(url)
}
