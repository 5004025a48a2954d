import { newDatabase, removeDatabase } from '@tollgate/storage/testing'
import { afterEach, beforeEach, test } from 'vitest'
import { killLoads, killUnderLoad } from '../support/external-kill.ts'
import { cleanUp } from '../support/process.ts'
import { postgresQuery } from '../support/settled.ts'

let database: string

beforeEach(async () => {
  database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
})

afterEach(async () => {
  await cleanUp()
  await removeDatabase(database)
})

test.each(killLoads)(
  'the books of gateway and acquirer are equal after kills under load: $name',
  async (load) => {
    const query = postgresQuery(database)
    const setup = {
      env: { TOLLGATE_DATABASE_URL: database },
      query: () => query,
      endLeases: () => query('UPDATE job SET held_until_ms = NULL WHERE held_until_ms IS NOT NULL'),
    }
    console.log(JSON.stringify(await killUnderLoad(load, setup)))
  },
  3_600_000,
)
