import { openSqliteDataSet } from '@tollgate/storage'
import { runSqlite } from '@tollgate/storage/testing'
import { join } from 'node:path'
import { afterEach, test } from 'vitest'
import { clearingKills, endLeasesSql, killClearing } from '../support/clearing-kill.ts'
import { databaseName } from '../support/durability.ts'
import { cleanUp } from '../support/process.ts'
import { sqliteQuery } from '../support/settled.ts'

afterEach(cleanUp)

test.each(clearingKills)(
  'every transaction is posted exactly once although the process is killed: $duringPayments and $duringClearing times',
  async (kills) => {
    const figures = await killClearing(kills, {
      env: {},
      gateways: 1,
      query: (data) => sqliteQuery(join(data, databaseName)),
      endLeases: async (data) => runSqlite(join(data, databaseName), endLeasesSql),
      openDataSet: async (data) => openSqliteDataSet(join(data, databaseName)),
    })
    console.log(JSON.stringify(figures))
  },
  7_200_000,
)
