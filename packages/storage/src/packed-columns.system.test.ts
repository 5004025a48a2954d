import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from './port.ts'
import { openPostgres } from './postgres/open.ts'
import { openSqlite } from './sqlite/open.ts'
import { newDatabase, removeDatabase, runSql, runSqlite } from './testing/index.ts'
import { expectedVersion, transaction } from './testing/sample-rows.ts'

const server = process.env['TOLLGATE_TEST_DATABASE_URL']

interface TestedDatabase {
  readonly storage: Storage
  readonly run: (sql: string) => unknown
  readonly remove: () => unknown
}

async function sqlite(): Promise<TestedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-storage-'))
  const file = join(folder, 'test.db')
  const storage = await openSqlite({ file })
  return { storage, run: (sql) => runSqlite(file, sql), remove: () => rmSync(folder, { recursive: true }) }
}

async function postgres(): Promise<TestedDatabase> {
  const url = await newDatabase(server)
  return { storage: await openPostgres({ url }), run: (sql) => runSql(url, sql), remove: () => removeDatabase(url) }
}

const pending = transaction('p1', 'p1', {
  status: 'PENDING',
  facts: '{"numberOfCaptures":2}',
  echo: '{"customer":{"surname":"Müller"}}',
  outcome: '{"result":{"code":"000.200.000"}}',
})
const approved = { ...pending, status: 'ACK', outcome: '{"result":{"code":"000.000.000"}}' }

/** Stores the texts of `pending` in columns of their own, as in a database that was written before the record. */
const withoutRecord = `UPDATE payment_transaction SET record = NULL, facts = '${pending.facts}',
  echo = '${pending.echo}', outcome = '${pending.outcome}'`

describe.each([['SQLite', sqlite] as const, ...(server ? [['PostgreSQL', postgres] as const] : [])])(
  '%s',
  (_, open) => {
    let database: TestedDatabase
    beforeEach(async () => {
      database = await open()
      const unit = { id: 'u1', expectedVersions: [expectedVersion('p1')], rows: { payment_transaction: [pending] } }
      expect(await database.storage.commit(unit)).toEqual({ kind: 'committed' })
    })
    afterEach(async () => {
      await database.storage.close()
      await database.remove()
    })

    const change = (from: typeof pending, to = approved) =>
      database.storage.commit({
        id: 'u2',
        expectedVersions: [],
        compareAndSets: [{ table: 'payment_transaction', from, to }],
        rows: {},
      })

    const forms = ['with a record', 'without a record'] as const
    const storeAs = async (form: (typeof forms)[number]) => form === 'with a record' || database.run(withoutRecord)

    test.each(forms)('a row %s is read as it was written', async (form) => {
      await storeAs(form)
      expect(await database.storage.transactions(['p1'])).toEqual([pending])
      expect(await database.storage.treeOf('p1')).toMatchObject({ version: 1, transactions: [pending] })
    })

    test.each(forms)('a row %s changes if it equals the expected row', async (form) => {
      await storeAs(form)
      expect(await change(pending)).toEqual({ kind: 'committed' })
      expect(await database.storage.transactions(['p1'])).toEqual([approved])
    })

    test.each(
      forms.flatMap((form) => (['facts', 'echo', 'outcome'] as const).map((column) => [form, column] as const)),
    )('a row %s does not change if its %s differs', async (form, column) => {
      await storeAs(form)
      expect(await change({ ...pending, [column]: '{}' })).toEqual({ kind: 'stale' })
      expect(await database.storage.transactions(['p1'])).toEqual([pending])
    })

    test('a damaged record is an error that names the transaction', async () => {
      await database.run(`UPDATE payment_transaction SET record = substr(record, 1, 4)`)
      await expect(database.storage.transactions(['p1'])).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('p1'),
      })
    })
  },
)
