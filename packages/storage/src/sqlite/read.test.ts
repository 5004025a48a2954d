import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { queries } from '../queries.ts'
import { compileOnly } from './compile-only.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { openWriter } from './database.ts'
import { migrate } from './migrate.ts'

/** These load a whole table, which is small and read at the start. */
const wholeTables: ReadonlySet<string> = new Set(['entities', 'accessTokens'])

test('every query by an id or a name goes through an index', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-read-'))
  const database = openWriter(join(folder, 'test.db'))
  migrate(database, compiledMigrations())
  for (const [name, sql] of Object.entries(queries(compileOnly()))) {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(sql.includes('?') ? ['x'] : []))
    const scans = plan.filter(({ detail }) => detail.startsWith('SCAN'))
    expect(scans.length > 0, `${name}: ${plan.map(({ detail }) => detail).join('; ')}`).toBe(wholeTables.has(name))
  }
  database.close()
  rmSync(folder, { recursive: true })
})
