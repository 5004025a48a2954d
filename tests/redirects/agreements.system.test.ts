import { createRedirectConnector, type Exchange } from '@tollgate/connectors'
import { type Parameters, type TestAnswer, testGateway } from '@tollgate/gateway/testing'
import { type RunningSimulators, startSimulators } from '@tollgate/simulators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const approved = [200, '000.100.110']
const shop = 'https://shop.example/done'

/** The number of requests to the provider. */
let requestCount = 0
/** Whether the next answer is lost. */
let isNextAnswerLost = false

const exchange: Exchange = async (method, url, body) => {
  requestCount += 1
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  const isLost = isNextAnswerLost
  isNextAnswerLost = false
  return isLost ? { status: 0, body: '', sent: true } : { status: answer.status, body: text, sent: true }
}

let simulators: RunningSimulators
let tollgate: Awaited<ReturnType<typeof testGateway>>

beforeAll(async () => {
  simulators = await startSimulators({ host: '127.0.0.1', port: 0 })
  tollgate = await testGateway({ redirects: createRedirectConnector(simulators.url, exchange) })
})
afterAll(async () => {
  await tollgate.close()
  await simulators.close()
})

const summary = ({ status, body }: TestAnswer) => [status, body.result.code]
const read = (id: string): Promise<TestAnswer> => tollgate.send('GET', `/v1/payments/${id}`)

const pay = (changes: Parameters = {}): Promise<TestAnswer> =>
  tollgate.send('POST', '/v1/payments', {
    amount: '92.00',
    currency: 'EUR',
    paymentType: 'DB',
    paymentBrand: 'PAYPAL',
    createRegistration: 'true',
    shopperResultUrl: shop,
    ...changes,
  })

async function choose(choice: 'pay' | 'cancel', { body }: TestAnswer): Promise<TestAnswer> {
  const form = { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' } as const
  const response = await fetch(body.redirect.url, form)
  await tollgate.server.inject({ method: 'GET', url: new URL(response.headers.get('location') ?? '').pathname })
  return read(body.id)
}

const charge = (registrationId: string, changes: Parameters = {}): Promise<TestAnswer> =>
  tollgate.send('POST', `/v1/registrations/${registrationId}/payments`, {
    amount: '10.00',
    currency: 'EUR',
    paymentType: 'DB',
    ...changes,
  })

const storeAgreement = async (changes: Parameters = {}): Promise<string> =>
  (await choose('pay', await pay(changes))).body.registrationId

describe('createRegistration=true with a method that supports agreements', () => {
  test.each(['PAYPAL', 'ALIPAY'])(
    '%s: the agreement is stored only after the shopper has confirmed it',
    async (paymentBrand) => {
      const pending = await pay({ paymentBrand })
      expect([summary(pending), pending.body.registrationId]).toEqual([[200, '000.200.000'], undefined])
      const paid = await choose('pay', pending)
      expect([summary(paid), paid.body.registrationId]).toEqual([approved, expect.stringMatching(/^[0-9a-z]{32}$/i)])
      const registration = await tollgate.send('GET', `/v1/registrations/${paid.body.registrationId}`)
      expect(summary(registration)).toEqual(approved)
      expect(registration.body.virtualAccount).toEqual({
        accountId: expect.stringMatching(/^[*]{3}[0-9a-f]{4}$/),
        agreement: 'true',
      })
      expect((await read(paid.body.id)).body.registrationId).toBe(paid.body.registrationId)
    },
  )

  test('a charge is one request to the provider, without a redirect, and can be refunded or captured', async () => {
    const registrationId = await storeAgreement()
    const earlierRequests = requestCount
    const charged = await charge(registrationId)
    expect([summary(charged), charged.body.redirect, requestCount - earlierRequests]).toEqual([approved, undefined, 1])
    const refund = { paymentType: 'RF', amount: '10.00', currency: 'EUR' }
    expect(summary(await tollgate.send('POST', `/v1/payments/${charged.body.id}`, refund))).toEqual(approved)
    const preauthorised = await charge(registrationId, { paymentType: 'PA' })
    expect(preauthorised.body.resultDetails.ExtendedDescription).toBe('The amount is held.')
    const capture = { paymentType: 'CP', amount: '10.00', currency: 'EUR' }
    expect(summary(await tollgate.send('POST', `/v1/payments/${preauthorised.body.id}`, capture))).toEqual(approved)
    const { ConnectorTxID1 } = charged.body.resultDetails
    const paymentAtProvider: unknown = await (await fetch(`${simulators.url}/bank/payments/${ConnectorTxID1}`)).json()
    expect(paymentAtProvider).toMatchObject({ state: 'refunded', refundedAmount: '10.00' })
  })

  test('the agreement can be charged by the merchant and by a schedule', async () => {
    const registrationId = await storeAgreement({
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.source': 'CIT',
    })
    const merchantInitiated = {
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.source': 'MIT',
    }
    expect(summary(await charge(registrationId, merchantInitiated))).toEqual(approved)
    const schedule = await tollgate.send('POST', '/scheduling/v1/schedules', {
      registrationId,
      amount: '10.00',
      currency: 'EUR',
      paymentType: 'DB',
      'job.dayOfMonth': '1',
      'job.month': '*',
    })
    expect(summary(schedule)).toEqual(approved)
    await tollgate.gateway.jobs.fastForward(Date.UTC(2026, 5, 2))
    const merchantTransactionId = `${schedule.body.id}-20260601000000`
    const { body } = await tollgate.send('GET', '/v1/query', { merchantTransactionId })
    expect(body.payments).toMatchObject([{ result: { code: '000.100.110' }, paymentBrand: 'PAYPAL' }])
  })

  test('a charge whose answer is lost is answered as reversed', async () => {
    const registrationId = await storeAgreement()
    isNextAnswerLost = true
    const answer = await charge(registrationId)
    expect(summary(answer)).toEqual([400, '900.100.301'])
  })

  test('payouts and rebills are refused before any request', async () => {
    const registrationId = await storeAgreement()
    const charged = await charge(registrationId)
    const earlierRequests = requestCount
    expect(summary(await charge(registrationId, { paymentType: 'CD' }))).toEqual([400, '600.200.310'])
    const rebill = { paymentType: 'RB', amount: '1.00', currency: 'EUR' }
    expect(summary(await tollgate.send('POST', `/v1/payments/${charged.body.id}`, rebill))).toEqual([
      400,
      '600.200.310',
    ])
    expect(requestCount).toBe(earlierRequests)
  })

  test('the agreement can be charged after concurrent returns', async () => {
    const pending = await pay()
    const form = { method: 'POST', body: new URLSearchParams({ choice: 'pay' }), redirect: 'manual' } as const
    const response = await fetch(pending.body.redirect.url, form)
    const url = new URL(response.headers.get('location') ?? '').pathname
    await Promise.all(Array.from({ length: 20 }, () => tollgate.server.inject({ method: 'GET', url })))
    const { registrationId } = (await read(pending.body.id)).body
    expect(summary(await charge(registrationId))).toEqual(approved)
  })

  test('neither a cancelled payment nor a payment without createRegistration stores an agreement', async () => {
    const cancelled = await choose('cancel', await pay())
    expect([summary(cancelled), cancelled.body.registrationId]).toEqual([[200, '100.396.101'], undefined])
    const notStored = await choose('pay', await pay({ createRegistration: undefined }))
    expect([summary(notStored), notStored.body.registrationId]).toEqual([approved, undefined])
  })

  test('a checkout stores the agreement', async () => {
    const parameters = { amount: '92.00', currency: 'EUR', paymentType: 'DB', createRegistration: 'true' }
    const { body } = await tollgate.send('POST', '/v1/checkouts', { ...parameters, shopperResultUrl: shop })
    const submitted = await tollgate.request({
      method: 'POST',
      url: `/v1/checkouts/${body.id}/payment`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'paymentBrand=PAYPAL',
    })
    await choose('pay', submitted)
    const status = await tollgate.send('GET', `/v1/checkouts/${body.id}/payment`)
    expect(summary(await charge(status.body.registrationId))).toEqual(approved)
  })

  test('a deleted agreement cannot be charged', async () => {
    const registrationId = await storeAgreement()
    await tollgate.send('DELETE', `/v1/registrations/${registrationId}`)
    expect(summary(await charge(registrationId))).toEqual([400, '100.150.202'])
  })
})

describe('a registration that the method does not support', () => {
  test.each(['IDEAL', 'SOFORTUEBERWEISUNG', 'OXXO', 'KLARNA_PAYMENTS_PAYLATER', 'WECHAT_PAY'])(
    'a payment by %s with createRegistration=true is refused before any request',
    async (paymentBrand) => {
      const earlierRequests = requestCount
      const { body } = await pay({ paymentBrand })
      expect([body.result.code, body.redirect, requestCount]).toEqual(['600.200.310', undefined, earlierRequests])
      expect(body.resultDetails.ExtendedDescription).toContain('no account or agreement')
    },
  )

  test.each(['PAYPAL', 'IDEAL'])(
    'a registration by %s without a payment is refused before any request',
    async (paymentBrand) => {
      const earlierRequests = requestCount
      const registered = await tollgate.send('POST', '/v1/registrations', { paymentBrand, shopperResultUrl: shop })
      expect([summary(registered), requestCount]).toEqual([[400, '600.200.310'], earlierRequests])
    },
  )
})
