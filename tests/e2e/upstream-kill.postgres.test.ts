import { newDatabase, removeDatabase } from '@tollgate/storage/testing'
import { afterEach, beforeEach, test } from 'vitest'
import { cleanUp } from '../support/process.ts'
import { postgresQuery } from '../support/settled.ts'
import { killBehindUpstream } from '../support/upstream-kill.ts'

let database: string

beforeEach(async () => {
  database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
})

afterEach(async () => {
  await cleanUp()
  await removeDatabase(database)
})

test('the books of a gateway and of the one behind it are equal after a kill of the gateway under load', async () => {
  const setup = { env: { TOLLGATE_DATABASE_URL: database }, query: () => postgresQuery(database) }
  console.log(JSON.stringify(await killBehindUpstream('gateway', setup)))
}, 3_600_000)
