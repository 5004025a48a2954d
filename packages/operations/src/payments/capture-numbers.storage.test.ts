import type { AcquirerRequest, RemoteConnector } from '@tollgate/connectors'
import { cardPayment, type TestAnswer, type TestGateway, testGateway } from '@tollgate/gateway/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let tollgate: TestGateway
const details = { ExtendedDescription: 'Approved.' }
let received: AcquirerRequest[] = []

beforeAll(async () => {
  const external: RemoteConnector = {
    kind: 'remote',
    name: 'external',
    references: async () => '{}',
    async send(request) {
      received.push(request)
      return { status: 'approved', code: '000.100.112', amountMinor: request.amountMinor, details }
    },
    reverse: async () => ({ kind: 'reversed' }),
  }
  tollgate = await testGateway({ external: () => external })
})
afterAll(() => tollgate.close())
beforeEach(() => {
  received = []
})

const authorise = (changes: Readonly<Record<string, string>>): Promise<TestAnswer> =>
  tollgate.send('POST', '/v1/payments', cardPayment({ testMode: 'EXTERNAL', paymentType: 'PA', ...changes }))

test.each([
  ['that the merchant permits', { numberOfCaptures: '2' }, 2],
  ['that the brand permits', {}, 98],
])('the acquirer receives the number of a capture, and the number %s', async (_, changes, capturesMax) => {
  const { body } = await authorise(changes)
  for (const amount of ['10.00', '20.00'])
    await tollgate.send('POST', `/v1/payments/${body.id}`, { paymentType: 'CP', amount, currency: 'EUR' })
  expect(received.slice(1).map(({ original }) => [original?.captureSequence, original?.capturesMax])).toEqual([
    [1, capturesMax],
    [2, capturesMax],
  ])
})
