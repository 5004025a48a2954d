import { afterAll, expect, test } from 'vitest'
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

afterAll(cleanUp)

test('a hundred concurrent requests complete a pending payment once', async () => {
  const counterparties = await startCounterparties()
  const gateway = await startGateway({ data: temporaryFolder(), env: { TOLLGATE_SIMULATOR_URL: counterparties.url } })
  const gateways = [gateway]
  counterparties.notifiedGateways = gateways
  const receiver = await subscribeReceiver(gateway)
  const setup = { gateways, counterparties, receiver }
  const completed: CompletionResult[] = []
  for (let round = 0; round < roundCount(1); round += 1) {
    const caseName = caseNames[round % caseNames.length] ?? 'paid'
    completed.push(await completeConcurrently(setup, caseName))
  }
  await expectOneEventPerPayment(setup, completed)
  expect(new Set(completed.map(({ requestCount }) => requestCount))).toEqual(new Set([100]))
  await receiver.close()
  await counterparties.close()
})
