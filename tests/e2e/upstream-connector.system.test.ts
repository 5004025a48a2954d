import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import { cardPayment, summary, type TestGateway, testGateway } from '@tollgate/gateway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'

// A connector to another gateway, which an operator sets up and changes while payments proceed.

let upstream: GatewayProcess
let tollgate: TestGateway

const manage: TestGateway['manage'] = (...request) => tollgate.manage(...request)
const APPROVED = [200, '000.100.110']

beforeAll(async () => {
  upstream = await startGateway({ data: temporaryFolder() })
  tollgate = await testGateway()
  tollgate.gateway.connectors.open()
})
afterAll(async () => {
  await tollgate.gateway.connectors.close()
  await tollgate.close()
  await cleanUp()
})

const pay = () => tollgate.send('POST', '/v1/payments', cardPayment())
const setRoutes = (...connectors: readonly string[]) => {
  const targets = connectors.map((connector) => ({ connector }))
  const routes = [{ name: 'all', when: { testModes: ['INTERNAL', 'EXTERNAL'] }, targets }]
  return manage('PUT', `/entities/${sandboxIds.channel}/routes`, { routes })
}

test('payments follow their route to another gateway, and refunds follow their payment', async () => {
  const settings = { baseUrl: upstream.url, entityId: sandboxIds.channel, verificationCurrency: 'EUR' }
  const credentials = { accessToken: sandboxToken }
  const created = await manage('POST', '/connectors', { name: 'provider', kind: 'upstream', settings, credentials })
  expect([created.status, created.text.includes(sandboxToken)]).toEqual([201, false])
  await setRoutes('provider')
  const paid = await pay()
  expect(summary(paid)).toEqual(APPROVED)
  expect((await upstream.get(paid.body.resultDetails.ConnectorTxID1)).status).toBe(200)

  await setRoutes('simulator')
  await manage('PATCH', '/connectors/provider', { state: 'disabled' })
  const refund = await tollgate.send('POST', `/v1/payments/${paid.body.id}`, {
    paymentType: 'RF',
    amount: '92.00',
    currency: 'EUR',
  })
  expect(summary(refund)).toEqual(APPROVED)
  expect((await upstream.get(refund.body.resultDetails.ConnectorTxID1)).status).toBe(200)
  await manage('PATCH', '/connectors/provider', { state: 'enabled' })
})

test('with a wrong token nothing is sent, and the next connector of the route is tried', async () => {
  const rotate = (accessToken: string) =>
    manage('POST', '/connectors/provider/credentials', { credentials: { accessToken } })
  await rotate('no-token')
  await setRoutes('provider')
  expect((await pay()).body.result.code).toBe('900.100.600')
  await setRoutes('provider', 'simulator')
  const paid = await pay()
  expect(summary(paid)).toEqual(APPROVED)
  const { body } = await manage('GET', `/payments/${paid.body.id}/attempts`)
  expect(JSON.stringify(body)).toContain('simulator')
  expect(tollgate.logged).toContainEqual(expect.objectContaining({ acquirer: 'provider', alert: 'notAuthorised' }))
  await rotate(sandboxToken)
  await setRoutes('provider')
  expect(summary(await pay())).toEqual(APPROVED)
})
