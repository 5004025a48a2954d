import type { DataSet } from '../data-set.ts'
import type { Storage } from '../port.ts'
import type { PostgresOptions } from './open.ts'

/** As `openPostgres` of open.ts does; whoever opens none does not load the driver. */
export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const dialect = await import('./open.ts')
  return dialect.openPostgres(options)
}

/** As `openPostgresDataSet` of data-set.ts does. */
export async function openPostgresDataSet(url: string): Promise<DataSet> {
  const dialect = await import('./data-set.ts')
  return dialect.openPostgresDataSet(url)
}
