import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSqlite } from '../testing/run-sqlite.ts'
import { backUpSqlite, restoreSqlite } from './backup.ts'
import { openReader } from './database.ts'
import { openSqlite } from './open.ts'
import { takeOwnership } from './owner-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-'))
const pathOf = (...names: readonly string[]) => join(folder, ...names)
const file = pathOf('tollgate.db')

beforeAll(async () => {
  const storage = await openSqlite({ file })
  await storage.close()
  // Enough rows for a slow copy.
  runSqlite(
    file,
    `CREATE TABLE bulk (bytes blob);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
    INSERT INTO bulk SELECT randomblob(2000) FROM n`,
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Bytes of the temporary files of a copy in progress. */
const partialBytes = (name: string): number =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.startsWith(`${name}.partial`) && existsSync(pathOf(path)))
    .reduce((sum, path) => sum + statSync(pathOf(path)).size, 0)
const partialFilesOf = (name: string) => readdirSync(folder).filter((path) => path.startsWith(`${name}.partial`))
const rowsIn = (copy: string): number => {
  const database = openReader(copy)
  const { rows }: { rows: number } = database.prepare('SELECT count(*) AS rows FROM bulk').get()
  database.close()
  return rows
}

test('a backup removes the files of a killed backup of the same name, and succeeds', async () => {
  const module = new URL('./backup.js', import.meta.url).href
  const call = `backUpSqlite(${JSON.stringify(file)}, ${JSON.stringify(pathOf('killed.db'))})`
  const code = `(await import('${module}')).${call}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
  await expect.poll(() => partialBytes('killed.db'), { timeout: 20_000, interval: 1 }).toBeGreaterThan(1_000_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect([existsSync(pathOf('killed.db')), partialFilesOf('killed.db').length]).toEqual([false, 1])
  backUpSqlite(file, pathOf('killed.db'))
  expect([rowsIn(pathOf('killed.db')), partialFilesOf('killed.db')]).toEqual([30_000, []])
})

test('a backup removes neither files of a running backup nor unrelated files', () => {
  const running = pathOf('copy.db.partial-running')
  mkdirSync(running)
  writeFileSync(pathOf('copy.db.partial'), 'of an older version')
  writeFileSync(pathOf('copy.db.partial-journal'), 'of an older version')
  const release = takeOwnership(join(running, 'copy.db'))
  backUpSqlite(file, pathOf('copy.db'))
  expect(partialFilesOf('copy.db')).toEqual(['copy.db.partial', 'copy.db.partial-journal', 'copy.db.partial-running'])
  expect(statSync(pathOf('copy.db')).mode & 0o777).toBe(0o600)
  release()
  rmSync(pathOf('copy.db'))
  backUpSqlite(file, pathOf('copy.db'))
  expect(partialFilesOf('copy.db')).toEqual(['copy.db.partial', 'copy.db.partial-journal'])
})

test('a killed restore does not prevent the next one', async () => {
  backUpSqlite(file, pathOf('good.db'))
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    writeFileSync(pathOf(`restored.db.restoring${suffix}`), 'half a file')
  await restoreSqlite(pathOf('good.db'), pathOf('restored.db'), async () => undefined)
  expect(rowsIn(pathOf('restored.db'))).toBe(30_000)
  expect(readdirSync(folder).filter((name) => name.startsWith('restored.db.restoring'))).toEqual([])
})
