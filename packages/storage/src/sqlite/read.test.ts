import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compiledMigrations } from './compiled-migrations.ts'
import { openWriter } from './database.ts'
import { migrate } from './migrate.ts'
import { readsOn } from './read.ts'

/** Reads of a whole small table, at the start, after changes and for management requests. */
const wholeTableReads: ReadonlySet<string> = new Set([
  'entities',
  'riskRules',
  'routeLists',
  'connectors',
  'accessTokens',
  'feePlans',
  'sftpKeys',
  'sftpAccounts',
  'merchantTerms',
  'webhooks',
  'webhookKeys',
  'terminals',
])

/** Scans of few rows: a page read from an index, dead-lettered jobs up to a limit, and lists that are parameters. */
const boundedScans: ReadonlySet<string> = new Set([
  'SCAN page',
  'SCAN entry',
  'SCAN parent',
  'SCAN job USING INDEX job_parked',
  'SCAN settlement_row USING INDEX settlement_row_chargeback',
  'SCAN json_each VIRTUAL TABLE INDEX 1:',
  'SCAN queue VIRTUAL TABLE INDEX 1:',
])

/** A value for each parameter: a text, or 1 for the limit of a page. */
const valuesFor = (sql: string) =>
  Array.from(sql.matchAll(/LIMIT \?|\?/g), ([parameter]) => (parameter === '?' ? 'x' : 1))

/** The statements of all reads by their names. */
function statements(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  readsOn((name, sql) => {
    texts.set(name, sql)
    return { one: async () => undefined, all: async () => [] }
  })
  return texts
}

test('every query with parameters uses an index', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-read-'))
  const database = openWriter(join(folder, 'test.db'))
  migrate(database, compiledMigrations())
  for (const [name, sql] of statements()) {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...valuesFor(sql))
    const scans = plan.filter(({ detail }) => detail.startsWith('SCAN') && !boundedScans.has(detail))
    expect(scans.length > 0, `${name}: ${plan.map(({ detail }) => detail).join('; ')}`).toBe(wholeTableReads.has(name))
    // Trees are small. Counters, scans, references and delivery orders may be large, and are read up to a limit,
    // without a sort.
    if (/^(velocity|\w+Entry|\w+RowsBefore|transactionsOf|firstInOrder)$/.test(name))
      expect(plan.map(({ detail }) => detail)).not.toContain('USE TEMP B-TREE FOR ORDER BY')
    // Almost all files are in one state: the neighbours of a statement are found by its number.
    if (/^statement(Before|After|sWaiting)$/.test(name))
      expect(plan.map(({ detail }) => detail).join()).toContain('INDEX settlement_file_statement')
  }
  database.close()
  rmSync(folder, { recursive: true })
})
