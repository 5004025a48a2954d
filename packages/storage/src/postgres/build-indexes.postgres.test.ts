import { afterAll, beforeAll, expect, test } from 'vitest'
import { job } from '../testing/sample-rows.ts'
import { newDatabase, removeDatabase, runSql } from '../testing/postgres-database.ts'
import { compiledIndexes } from './compiled-migrations.ts'
import { openPostgres } from './open.ts'

let url: string

beforeAll(async () => {
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
})
afterAll(() => removeDatabase(url))

const names = compiledIndexes().map(({ name }) => name)
const validNames = async () => {
  const rows = await runSql<{ name: string }>(
    url,
    `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indisvalid`,
  )
  return names.filter((name) => rows.some((row) => row.name === name))
}

test('indexes are built after starts, and again after an interrupted build; reads work meanwhile', async () => {
  const processes = await Promise.all([openPostgres({ url }), openPostgres({ url }), openPostgres({ url })])
  await expect.poll(validNames, { timeout: 20_000 }).toEqual(names)
  await Promise.all(processes.map((each) => each.close()))

  for (const name of names) {
    await runSql(url, `UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${name}'::regclass`)
  }
  expect(await validNames()).toEqual([])
  const storage = await openPostgres({ url })
  const waiting = job('j1', { line: 'p1', line_place: 1 })
  await storage.commit({ id: 'u1', expectedVersions: [], rows: { job: [waiting] } })
  expect(await storage.firstInOrder('delivery', 'w1', 'p1', 0)).toEqual(waiting)
  await expect.poll(validNames, { timeout: 20_000 }).toEqual(names)
  await storage.close()
})
