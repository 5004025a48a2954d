import { createIds } from '@tollgate/operations'
import { openPostgresDataSet } from '@tollgate/storage'
import { newDatabase, openSqlConnection, removeDatabase, runSql, type SqlConnection } from '@tollgate/storage/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearingKills, endLeasesSql, killClearing } from '../support/clearing-kill.ts'
import { cleanUp } from '../support/process.ts'

let database: string
let connection: SqlConnection

beforeEach(async () => {
  database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  connection = await openSqlConnection(database)
})

afterEach(async () => {
  await cleanUp()
  await connection.close()
  await removeDatabase(database)
})

/** Copies a transaction in a commit that stays open for some seconds, as that of a suspended process does. */
const holdOpen = (id: string): Promise<unknown> => {
  const ownId = createIds({ now: Date.now }).ordered()
  const changed = JSON.stringify({ id: ownId, root_id: ownId, created_at_ms: Date.now() })
  return runSql(
    database,
    `BEGIN; INSERT INTO payment_transaction SELECT (jsonb_populate_record(t, '${changed}')).*
      FROM payment_transaction t WHERE id = '${id}' AND root_id = '${id}'; SELECT pg_sleep(8); COMMIT`,
  )
}

test.each(clearingKills)(
  'two processes with clocks a minute apart post each transaction once, killed $duringPayments + $duringClearing times',
  async (kills) => {
    const figures = await killClearing(kills, {
      env: { TOLLGATE_DATABASE_URL: database },
      gateways: 2,
      query: () => connection.query,
      openDataSet: () => openPostgresDataSet(database),
      endLeases: () => connection.query(endLeasesSql),
      holdOpen,
    })
    console.log(JSON.stringify(figures))
    expect(figures.heldOpen).toBeGreaterThan(0)
  },
  7_200_000,
)
