import { newDatabase, removeDatabase } from '@tollgate/storage/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type CompletionResult,
  completeConcurrently,
  expectOneEventPerPayment,
  caseNames,
  roundCount,
} from '../support/concurrent-completion.ts'
import { startCounterparties } from '../support/counterparties.ts'
import { cleanUp, startGateway, temporaryFolder } from '../support/process.ts'
import { subscribeReceiver } from '../support/receiver.ts'

let database: string

beforeAll(async () => (database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])))
afterAll(async () => {
  await cleanUp()
  await removeDatabase(database)
})

test('a hundred concurrent requests to two processes complete a pending payment once', async () => {
  const counterparties = await startCounterparties()
  const env = { TOLLGATE_DATABASE_URL: database, TOLLGATE_SIMULATOR_URL: counterparties.url }
  const options = { data: temporaryFolder(), env }
  const gateways = [await startGateway(options), await startGateway(options)] as const
  counterparties.notifiedGateways = gateways
  const receiver = await subscribeReceiver(gateways[0])
  const setup = { gateways, counterparties, receiver }
  const completed: CompletionResult[] = []
  for (let round = 0; round < roundCount(2); round += 1) {
    const caseName = caseNames[round % caseNames.length] ?? 'paid'
    completed.push(await completeConcurrently(setup, caseName))
  }
  await expectOneEventPerPayment(setup, completed)
  expect(new Set(completed.map(({ requestCount }) => requestCount))).toEqual(new Set([100]))
  await receiver.close()
  await counterparties.close()
})
