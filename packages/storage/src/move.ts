import { createHash } from 'node:crypto'
import { type DataSet, keyOf, rowsOf } from './data-set.ts'
import type { Schema } from './schema.ts'
import { checkExists, nameFileInErrors, openSqliteDataSet } from './sqlite/data-set.ts'
import { takeOwnership } from './sqlite/owner-lock.ts'
import { differences, digestOf, type TableDigest } from './table-digest.ts'
import { tableNames } from './tables.ts'
import type { MoveTarget } from './postgres/move-target.ts'

/** Called as a move proceeds: `rows` of `total` rows of a table have been moved, or compared. */
export type MoveProgress = (step: 'moved' | 'compared', table: keyof Schema, rows: number, total: number) => void

/** The result of a move: the digests of all tables, or descriptions of the differences of unequal tables. */
export type MoveResult =
  | { readonly kind: 'moved'; readonly tables: Readonly<Record<string, TableDigest>> }
  | { readonly kind: 'different'; readonly tables: Readonly<Record<string, readonly string[]>> }

/**
 * Copies a SQLite database into an empty PostgreSQL database and compares the two. A gateway can use the target only
 * after a comparison without differences. The file is not changed, and no gateway can use it during the move. The next
 * run continues an interrupted move.
 *
 * @param file as in openSqlite
 * @param url as in openPostgres
 * @throws StorageError as takeOwnership, openSqliteDataSet and openMoveTarget do
 */
export async function moveToPostgres(file: string, url: string, progress: MoveProgress): Promise<MoveResult> {
  const { source, release } = openSource(file)
  try {
    const totals = await totalsOf(source)
    const [{ openMoveTarget }, { timesOfRows }] = await Promise.all([
      import('./postgres/move-target.ts'),
      import('./postgres/partitions.ts'),
    ])
    const [oldestMs] = timesOfRows(await source.rowsAfter('payment_transaction', []))
    const target = await openMoveTarget(url, await identityOf(source, totals), oldestMs)
    try {
      for (const [table, total] of totals)
        await copy(source, target, table, (rows) => progress('moved', table, rows, total))
      return await compare(source, target, (table) =>
        progress('compared', table, totals.get(table) ?? 0, totals.get(table) ?? 0),
      )
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
    release()
  }
}

/** Takes ownership of the file and then opens it, so that a previous owner has completed its writes. */
function openSource(file: string): { readonly source: DataSet; readonly release: () => void } {
  checkExists(file)
  const release = nameFileInErrors(file, () => takeOwnership(file))
  try {
    return { source: openSqliteDataSet(file), release }
  } catch (error) {
    release()
    throw error
  }
}

async function totalsOf(source: DataSet): Promise<ReadonlyMap<keyof Schema, number>> {
  const totals = new Map<keyof Schema, number>()
  for (const table of tableNames) totals.set(table, await source.count(table))
  return totals
}

/**
 * Identifies the data by a hash of the installation's values and the row counts, which a later run of the same move
 * computes again. The comparison finds other changes.
 */
async function identityOf(source: DataSet, totals: ReadonlyMap<keyof Schema, number>): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([...totals]))
  for await (const row of rowsOf(source, 'installation')) hash.update(JSON.stringify(row))
  return hash.digest('hex')
}

/** Copies a table. The next page is read while the server stores the current one. */
async function copy(
  source: DataSet,
  target: MoveTarget,
  table: keyof Schema,
  onProgress: (rows: number) => void,
): Promise<void> {
  let { lastKey, rows } = await target.progressOf(table)
  let page = await source.rowsAfter(table, lastKey)
  for (let last = page.at(-1); last; last = page.at(-1)) {
    lastKey = keyOf(table, last)
    const added = target.add(table, page, lastKey)
    const [next] = await Promise.all([source.rowsAfter(table, lastKey), added])
    rows += page.length
    page = next
    onProgress(rows)
  }
}

async function compare(
  source: DataSet,
  target: MoveTarget,
  onCompared: (table: keyof Schema) => void,
): Promise<MoveResult> {
  const tables: Record<string, TableDigest> = {}
  const different: Record<string, readonly string[]> = {}
  for (const table of tableNames) {
    const [sourceDigest, targetDigest] = await Promise.all([digestOf(source, table), digestOf(target.dataSet, table)])
    const tableDifferences = differences(sourceDigest, targetDigest)
    tables[table] = sourceDigest
    if (tableDifferences.length > 0) different[table] = tableDifferences
    onCompared(table)
  }
  if (Object.keys(different).length > 0) return { kind: 'different', tables: different }
  await target.finish()
  return { kind: 'moved', tables }
}
