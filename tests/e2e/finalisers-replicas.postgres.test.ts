import { newDatabase, removeDatabase } from '@tollgate/storage/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Ended,
  endAtOnce,
  expectOneEventEach,
  kindNames,
  roundCount,
  startOtherSide,
} from '../support/finalisers.ts'
import { cleanUp, startGateway, temporaryFolder } from '../support/process.ts'
import { subscribeReceiver } from '../support/receiver.ts'

let database: string

beforeAll(async () => (database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])))
afterAll(async () => {
  await cleanUp()
  await removeDatabase(database)
})

test('a hundred concurrent finalisers at two processes end a pending payment once', async () => {
  const other = await startOtherSide()
  const env = { TOLLGATE_DATABASE_URL: database, TOLLGATE_SIMULATOR_URL: other.url }
  const setup = { data: temporaryFolder(), env }
  const gateways = [await startGateway(setup), await startGateway(setup)] as const
  other.notified = gateways
  const receiver = await subscribeReceiver(gateways[0])
  const surroundings = { gateways, other, receiver }
  const ended: Ended[] = []
  for (let round = 0; round < roundCount(2); round += 1) {
    const kind = kindNames[round % kindNames.length] ?? 'paid'
    ended.push(await endAtOnce(surroundings, kind))
  }
  await expectOneEventEach(surroundings, ended)
  expect(new Set(ended.map(({ finalisers }) => finalisers))).toEqual(new Set([100]))
  await receiver.close()
  await other.close()
})
