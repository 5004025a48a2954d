import { afterAll, describe, expect, test } from 'vitest'
import { testGateway } from '@tollgate/gateway/testing'
import { money } from '../testing/registration-requests.ts'
import { accountRequests, card, encryptedCard, terminalParameters } from '../testing/sample-accounts.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { pay, register } = accountRequests(tollgate)
const { send } = tollgate

describe('a terminal', () => {
  const receiptFields = {
    clearing: {
      authorizationAcquirerCode: '00',
      authorizationIssuerCode: expect.stringMatching(/^[0-9A-Z]{6}$/),
      identifier: expect.stringMatching(/^\d{12}$/),
    },
    merchantId: 'TOLLGATE0000001',
    statusText: expect.stringMatching(/^AUTHCODE[0-9A-Z]{6}$/),
    timestamp: '2026-05-04 03:02:01',
  }

  test.each(['MANUAL', 'MAGSTRIPE', 'MAGSTRIPE_AS_FALLBACK', 'ICC', 'NFC_ICC', 'NFC_MAGSTRIPE'])(
    'receives the fields for its receipt: %s',
    async (entryMode) => {
      const { body } = await pay({ ...card, ...terminalParameters, 'pos.entryMode': entryMode })
      expect(body.pos).toEqual(receiptFields)
      expect(body.pos.statusText).toBe(`AUTHCODE${body.resultDetails.AuthCode}`)
    },
  )

  test('receives the response for the chip if it sent chip data', async () => {
    const { body } = await pay(encryptedCard)
    const iccDataResponse = expect.stringMatching(/^8A023030910A[0-9A-F]{16}3030$/)
    expect(body.pos).toEqual({ ...receiptFields, iccDataResponse })
  })

  test('receives the fields of a decline and of a refund', async () => {
    const declined = await pay({ ...card, ...terminalParameters }, { amount: '88805.00' })
    expect(declined.body.pos).toMatchObject({
      clearing: { authorizationAcquirerCode: '05' },
      statusText: 'NOTAUTHORISED',
    })
    const { body } = await pay({ ...card, ...terminalParameters })
    const refund = { ...money, ...terminalParameters, paymentType: 'RF' }
    expect((await send('POST', `/v1/payments/${body.id}`, refund)).body.pos).toEqual({
      ...receiptFields,
      clearing: { authorizationAcquirerCode: '00', identifier: expect.stringMatching(/^\d{12}$/) },
      statusText: 'APPROVED',
    })
  })
})

test('a terminal that registers a card receives the fields for its receipt only if the card is verified', async () => {
  const { status, body } = await register({ ...card, ...terminalParameters, amount: '0.00', currency: 'EUR' })
  expect([status, body.pos.clearing.authorizationAcquirerCode]).toEqual([200, '85'])
  expect(body.pos.statusText).toBe(`AUTHCODE${body.resultDetails.AuthCode}`)
  expect((await register({ ...card, ...terminalParameters })).body).not.toHaveProperty('pos')
})
