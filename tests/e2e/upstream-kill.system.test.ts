import { join } from 'node:path'
import { afterEach, test } from 'vitest'
import { databaseName } from '../support/durability.ts'
import { cleanUp } from '../support/process.ts'
import { sqliteQuery } from '../support/settled.ts'
import { killBehindUpstream, upstreamVictims } from '../support/upstream-kill.ts'

afterEach(cleanUp)

test.each(upstreamVictims)(
  'the books of a gateway and of the one behind it are equal after a kill under load of: %s',
  async (victim) => {
    const query = (data: string) => sqliteQuery(join(data, databaseName))
    console.log(JSON.stringify(await killBehindUpstream(victim, { env: {}, query })))
  },
  3_600_000,
)
