import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guard, transaction } from '../sample-rows.ts'
import type { Won } from '../testing/hot-roots.ts'
import { newDatabase, removeDatabase, runSql } from '../testing/postgres-database.ts'
import { openPostgres } from './open.ts'

let database: string

beforeAll(async () => {
  database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
})

afterAll(() => removeDatabase(database))

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const program = new URL('../testing/hot-roots.js', import.meta.url).pathname

async function wantRows(): Promise<Won> {
  const child = spawn(process.execPath, [program, database, isLong ? '60000' : '1000', '16'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(said)
}

test('four processes that want the same rows never lock each other out, and each win is written once', async () => {
  const storage = await openPostgres({ url: database })
  const ids = Array.from({ length: 100 }, (_, index) => `p${index}`)
  await Promise.all(
    ids.map((id) =>
      storage.commit({ id, expectedVersions: [guard(id)], rows: { payment_transaction: [transaction(id)] } }),
    ),
  )
  await storage.close()

  const won = await Promise.all(Array.from({ length: 4 }, wantRows))
  const sum = (count: (each: Won) => number) => won.reduce((total, each) => total + count(each), 0)
  expect(won.flatMap(({ faults }) => faults)).toEqual([])
  const [stored] = await runSql(
    database,
    `SELECT (SELECT sum(version - 1) FROM tree)::int AS steps,
      (SELECT count(*) FROM payment_transaction WHERE id <> root_id)::int AS rows,
      (SELECT count(*) FROM idempotency_key)::int + (SELECT count(*) FROM unique_key)::int AS keys,
      (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database())::int AS deadlocks`,
  )
  const roots = sum((each) => each.roots)
  expect(roots).toBeGreaterThan(100)
  expect(stored).toEqual({ steps: roots, rows: roots, keys: sum((each) => each.keys), deadlocks: 0 })
})
