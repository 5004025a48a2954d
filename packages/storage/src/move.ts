import { createHash } from 'node:crypto'
import { type DataSet, keyOf, rowsOf, tableNames } from './data-set.ts'
import type { Schema } from './schema.ts'
import { checkIsThere, openSqliteDataSet, reading } from './sqlite/data-set.ts'
import { takeOwnership } from './sqlite/owner-lock.ts'
import { differences, digestOf, type TableDigest } from './table-digest.ts'
import type { MoveTarget } from './postgres/move-target.ts'

/** What is told of a move while it lasts: `rows` of `total` are moved, or compared. */
export type MoveProgress = (step: 'moved' | 'compared', table: keyof Schema, rows: number, total: number) => void

/** What a move came to: equal tables, or each that is not, with what differs: here, and there. */
export type MoveResult =
  | { readonly kind: 'moved'; readonly tables: Readonly<Record<string, TableDigest>> }
  | { readonly kind: 'different'; readonly tables: Readonly<Record<string, readonly string[]>> }

/**
 * Copies everything that a SQLite file holds into an empty PostgreSQL database, compares the two, and only then lets a
 * gateway use the database. The file is not changed, and no gateway may use it meanwhile. A run that was ended in any
 * way is taken up by the next one.
 *
 * @param file as openSqlite has it
 * @param url as openPostgres has it
 * @throws StorageError for whatever stands against it; its kind says which side it is of only where it is `in-use`
 */
export async function moveToPostgres(file: string, url: string, progress: MoveProgress): Promise<MoveResult> {
  const { source, giveUp } = openSource(file)
  try {
    const totals = await totalsOf(source)
    const { openMoveTarget } = await import('./postgres/move-target.ts')
    const target = await openMoveTarget(url, await nameOf(source, totals))
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
    giveUp()
  }
}

/** Owned before it is read: whoever had it before has then written its last. */
function openSource(file: string): { readonly source: DataSet; readonly giveUp: () => void } {
  checkIsThere(file)
  const giveUp = reading(file, () => takeOwnership(file))
  try {
    return { source: openSqliteDataSet(file), giveUp }
  } catch (error) {
    giveUp()
    throw error
  }
}

async function totalsOf(source: DataSet): Promise<ReadonlyMap<keyof Schema, number>> {
  const totals = new Map<keyof Schema, number>()
  for (const table of tableNames) totals.set(table, await source.count(table))
  return totals
}

/** The same for the same data: by its keys, and by how many rows it has. What this overlooks the comparison finds. */
async function nameOf(source: DataSet, totals: ReadonlyMap<keyof Schema, number>): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([...totals]))
  for await (const row of rowsOf(source, 'installation')) hash.update(JSON.stringify(row))
  return hash.digest('hex')
}

/** While the server stores a page the next one is read. */
async function copy(
  source: DataSet,
  target: MoveTarget,
  table: keyof Schema,
  tell: (rows: number) => void,
): Promise<void> {
  let { after, rows } = await target.moved(table)
  let page = await source.rowsAfter(table, after)
  for (let last = page.at(-1); last; last = page.at(-1)) {
    after = keyOf(table, last)
    const added = target.add(table, page, after)
    const [next] = await Promise.all([source.rowsAfter(table, after), added])
    rows += page.length
    page = next
    tell(rows)
  }
}

async function compare(source: DataSet, target: MoveTarget, tell: (table: keyof Schema) => void): Promise<MoveResult> {
  const tables: Record<string, TableDigest> = {}
  const different: Record<string, readonly string[]> = {}
  for (const table of tableNames) {
    const [here, there] = await Promise.all([digestOf(source, table), digestOf(target.dataSet, table)])
    const found = differences(here, there)
    tables[table] = here
    if (found.length > 0) different[table] = found
    tell(table)
  }
  if (Object.keys(different).length > 0) return { kind: 'different', tables: different }
  await target.finish()
  return { kind: 'moved', tables }
}
