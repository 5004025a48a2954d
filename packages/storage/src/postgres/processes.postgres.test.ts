import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectedVersion, transaction } from '../testing/sample-rows.ts'
import type { CommittedUnits } from '../testing/commit-contended-units.ts'
import { newDatabase, removeDatabase, runSql } from '../testing/postgres-database.ts'
import { openPostgres } from './open.ts'

let database: string

beforeAll(async () => {
  database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
})

afterAll(() => removeDatabase(database))

/** The least number of units that each process commits. */
const unitsPerProcess = process.env['TOLLGATE_TEST_LONG'] === '1' ? 500 : 10
const program = new URL('../testing/commit-contended-units.js', import.meta.url).pathname

async function commitUnits(): Promise<CommittedUnits> {
  const child = spawn(process.execPath, [program, database, String(unitsPerProcess), '16'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(output)
}

test('four processes that write the same rows never deadlock, and each committed unit is written once', async () => {
  const storage = await openPostgres({ url: database })
  const ids = Array.from({ length: 100 }, (_, index) => `p${index}`)
  await Promise.all(
    ids.map((id) =>
      storage.commit({ id, expectedVersions: [expectedVersion(id)], rows: { payment_transaction: [transaction(id)] } }),
    ),
  )
  await storage.close()

  const results = await Promise.all(Array.from({ length: 4 }, commitUnits))
  const sum = (count: (result: CommittedUnits) => number) => results.reduce((total, result) => total + count(result), 0)
  expect(results.flatMap(({ faults }) => faults)).toEqual([])
  const [stored] = await runSql(
    database,
    `SELECT (SELECT sum(version - 1) FROM tree)::int AS steps,
      (SELECT count(*) FROM payment_transaction WHERE id <> root_id)::int AS rows,
      (SELECT count(*) FROM idempotency_key)::int + (SELECT count(*) FROM unique_key)::int AS keys,
      (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database())::int AS deadlocks`,
  )
  const count = sum(({ transactions }) => transactions)
  expect(count).toBeGreaterThanOrEqual(4 * unitsPerProcess)
  expect(stored).toEqual({ steps: count, rows: count, keys: sum(({ keys }) => keys), deadlocks: 0 })
})
