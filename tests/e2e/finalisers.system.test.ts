import { afterAll, expect, test } from 'vitest'
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

afterAll(cleanUp)

test('a hundred concurrent finalisers end a pending payment once', async () => {
  const other = await startOtherSide()
  const gateway = await startGateway({ data: temporaryFolder(), env: { TOLLGATE_SIMULATOR_URL: other.url } })
  const gateways = [gateway]
  other.notified = gateways
  const receiver = await subscribeReceiver(gateway)
  const surroundings = { gateways, other, receiver }
  const ended: Ended[] = []
  for (let round = 0; round < roundCount(1); round += 1) {
    const kind = kindNames[round % kindNames.length] ?? 'paid'
    ended.push(await endAtOnce(surroundings, kind))
  }
  await expectOneEventEach(surroundings, ended)
  expect(new Set(ended.map(({ finalisers }) => finalisers))).toEqual(new Set([100]))
  await receiver.close()
  await other.close()
})
