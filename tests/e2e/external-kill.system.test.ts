import { join } from 'node:path'
import { afterEach, test } from 'vitest'
import { databaseName } from '../support/durability.ts'
import { killUnderLoad } from '../support/external-kill.ts'
import { cleanUp } from '../support/process.ts'
import { sqliteQuery } from '../support/settled.ts'

afterEach(cleanUp)

test.each(['gateway', 'host', 'gateway and host'] as const)(
  'the books of gateway and acquirer are equal after kills of %s under load',
  async (victim) => {
    const query = (data: string) => sqliteQuery(join(data, databaseName))
    console.log(JSON.stringify(await killUnderLoad(victim, { env: {}, query })))
  },
  3_600_000,
)
