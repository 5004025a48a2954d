import { resultCodes } from '@tollgate/contract'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { sandboxIds, sandboxToken } from '../directory/sandbox.ts'
import {
  cardPayment,
  comparableBody,
  type Parameters,
  summary,
  type TestAnswer,
  testGateway,
  simulatorOf,
} from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, gateway, manage } = tollgate

const headersWithRights = async (...rights: readonly string[]): Promise<Parameters> => {
  const { body } = await manage('POST', '/tokens', { entityId: sandboxIds.merchant, rights })
  return { authorization: `Bearer ${body.token}` }
}
const chargebackHeaders = await headersWithRights('chargeback')
const systemHeaders = await headersWithRights('system')

const pay = async (paymentType = 'DB'): Promise<string> =>
  (await send('POST', '/v1/payments', cardPayment({ paymentType }))).body.id
const followUp = (
  id: string,
  paymentType: string,
  amount: string,
  headers: Parameters = chargebackHeaders,
  changes: Parameters = {},
): Promise<TestAnswer> =>
  send('POST', `/v1/payments/${id}`, { paymentType, amount, currency: 'EUR', ...changes }, headers)

describe('the result code of a chargeback', () => {
  const reasons = Array.from({ length: 100 }, (_, reason) => `000.100.2${String(reason).padStart(2, '0')}`)

  test.each(reasons)('is the reason that was sent: %s', async (chargebackResultCode) => {
    const { status, body } = await followUp(await pay(), 'CB', '92.00', chargebackHeaders, { chargebackResultCode })
    const result = { code: chargebackResultCode, description: expect.stringMatching(/./) }
    expect([status, body.result]).toEqual([200, result])
  })

  test('is 000.100.200 without a reason', async () => {
    expect(summary(await followUp(await pay(), 'CB', '92.00'))).toEqual([200, '000.100.200'])
  })

  test.each(['000.100.110', '000.100.2', '000.100.2000', 'x'])(
    'cannot be %s: the reason is refused',
    async (chargebackResultCode) => {
      const { status, body } = await followUp(await pay(), 'CB', '92.00', chargebackHeaders, { chargebackResultCode })
      expect([status, body.result.code]).toEqual([400, '200.300.404'])
      expect(body.result.parameterErrors).toMatchObject([{ name: 'chargebackResultCode' }])
    },
  )
})

test('the answer to a chargeback has every field of a follow-up, and a read returns the same fields', async () => {
  const id = await pay()
  const sendSpy = vi.spyOn(simulatorOf(gateway), 'send')
  const answer = await followUp(id, 'CB', '50.00', chargebackHeaders, { merchantTransactionId: 'dispute-1' })
  expect(sendSpy).not.toHaveBeenCalled()
  sendSpy.mockRestore()
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    referencedId: id,
    paymentType: 'CB',
    paymentBrand: 'VISA',
    amount: '50.00',
    currency: 'EUR',
    descriptor: expect.any(String),
    merchantTransactionId: 'dispute-1',
    result: { code: '000.100.200', description: resultCodes['000.100.200'].text },
    resultDetails: { ExtendedDescription: expect.stringContaining('no request was sent to the acquirer') },
    card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
    merchant: { bankAccount: expect.anything() },
    buildNumber: expect.any(String),
    timestamp: expect.any(String),
    ndc: expect.any(String),
  })
  // An ordinary token can read the chargeback.
  expect(comparableBody(await send('GET', `/v1/payments/${answer.body.id}`))).toEqual(comparableBody(answer))
})

test('a second chargeback after a reversal cannot be reversed, and an open chargeback prevents refunds', async () => {
  const id = await pay()
  const first = await followUp(id, 'CB', '92.00', chargebackHeaders, { chargebackResultCode: '000.100.220' })
  expect(summary(await followUp(id, 'RF', '1.00'))).toEqual([400, '700.300.600'])
  const reversal = await followUp(first.body.id, 'CR', '92.00')
  expect(summary(reversal)).toEqual([200, '000.100.105'])
  const second = await followUp(reversal.body.id, 'CB', '92.00', chargebackHeaders, {
    chargebackResultCode: '000.100.220',
  })
  expect(summary(second)).toEqual([200, '000.100.220'])
  expect(summary(await followUp(second.body.id, 'CR', '92.00'))).toEqual([400, '700.400.411'])
  expect(summary(await followUp(id, 'RF', '1.00'))).toEqual([400, '700.300.600'])
})

test('an amount can be refunded after the reversal of its chargeback', async () => {
  const id = await pay()
  const { body } = await followUp(id, 'CB', '92.00')
  await followUp(body.id, 'CR', '92.00')
  expect(summary(await followUp(id, 'RF', '92.00'))).toEqual([200, '000.100.110'])
})

test('a receipt is recorded and can be refunded', async () => {
  const id = await pay('PA')
  const received = await followUp(id, 'RC', '92.00', systemHeaders)
  expect(summary(received)).toEqual([200, '000.000.000'])
  expect(received.body.resultDetails).toEqual({ ExtendedDescription: expect.any(String) })
  expect(summary(await followUp(received.body.id, 'RF', '92.00'))).toEqual([200, '000.100.110'])
})

describe('rights', () => {
  const sandboxHeaders = { authorization: `Bearer ${sandboxToken}` }

  test('of the system include the recording of chargebacks', async () => {
    expect(summary(await followUp(await pay(), 'CB', '1.00', systemHeaders))).toEqual([200, '000.100.200'])
  })

  test('for chargebacks and receipts do not belong to an ordinary token', async () => {
    const id = await pay()
    const { body } = await followUp(id, 'CB', '1.00')
    expect(summary(await followUp(id, 'RC', '1.00', sandboxHeaders))).toEqual([400, '700.400.562'])
    expect(summary(await followUp(id, 'CB', '1.00', sandboxHeaders))).toEqual([400, '700.400.402'])
    expect(summary(await followUp(body.id, 'CR', '1.00', sandboxHeaders))).toEqual([400, '700.400.402'])
    expect((await gateway.storage.treeOf(id))?.transactions).toHaveLength(2)
  })

  test('are revoked with their token', async () => {
    const { body } = await manage('POST', '/tokens', { entityId: sandboxIds.merchant, rights: ['chargeback'] })
    await manage('DELETE', `/tokens/${body.id}`)
    const headers = { authorization: `Bearer ${body.token}` }
    expect((await followUp(await pay(), 'CB', '1.00', headers)).status).toBe(403)
  })
})

test('only one of fifty concurrent chargebacks is accepted', async () => {
  const id = await pay()
  const answers = await Promise.all(Array.from({ length: 50 }, () => followUp(id, 'CB', '1.00')))
  const codes = answers.map((answer): string => answer.body.result.code)
  expect(codes.filter((code) => code === '000.100.200')).toHaveLength(1)
  expect(codes.filter((code) => code === '700.300.500')).toHaveLength(49)
})
