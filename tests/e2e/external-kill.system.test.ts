import { join } from 'node:path'
import { afterEach, test } from 'vitest'
import { databaseName } from '../support/durability.ts'
import { killLoads, killUnderLoad } from '../support/external-kill.ts'
import { cleanUp } from '../support/process.ts'
import { sqliteQuery } from '../support/settled.ts'

afterEach(cleanUp)

test.each(killLoads)(
  'the books of gateway and acquirer are equal after kills under load: $name',
  async (load) => {
    const query = (data: string) => sqliteQuery(join(data, databaseName))
    console.log(JSON.stringify(await killUnderLoad(load, { env: {}, query })))
  },
  3_600_000,
)
