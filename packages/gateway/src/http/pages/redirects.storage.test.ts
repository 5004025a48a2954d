import { brands, DAY_MS, isBrand, MINUTE_MS } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxIds } from '@tollgate/operations'
import { testBank } from '../../testing/bank.ts'
import {
  FORM,
  formOf,
  type Parameters,
  summary,
  type TestAnswer,
  type TestGateway,
  testGateway,
} from '../../testing/test-gateway.ts'

const bank = testBank()
let tollgate: TestGateway

beforeAll(async () => (tollgate = await testGateway({ redirects: bank.connector })))
afterAll(() => tollgate.close())

const usesPostgres = process.env['TOLLGATE_TEST_STORAGE'] === 'postgres'
const shop = 'https://shop.example/done?order=1'
const payment = { amount: '92.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'PAYPAL', shopperResultUrl: shop }

const pay = (changes: Parameters = {}): Promise<TestAnswer> =>
  tollgate.send('POST', '/v1/payments', { ...payment, ...changes })

const read = async (id: string): Promise<TestAnswer> => tollgate.send('GET', `/v1/payments/${id}`)

const pathOf = (url: string): string => new URL(url).pathname

/** The shopper's browser returns from the bank. */
const returnFromBank = (url = bank.lastPayment().returnUrl) =>
  tollgate.server.inject({ method: 'GET', url: pathOf(url) })

/** The bank sends a notification about the payment. */
const notify = (url = bank.lastPayment().notificationUrl) =>
  tollgate.server.inject({ method: 'POST', url: pathOf(url), payload: { id: bank.lastPayment().id } })

/** Fast-forwards in up to five steps, because on a slow machine a week of polls exceeds the time bound of one step. */
async function fastForward(ms: number): Promise<void> {
  const toMs = tollgate.gateway.clock.now() + ms
  for (let step = 0; step < 5; step += 1) if ((await tollgate.gateway.jobs.fastForward(toMs)).isComplete) return
}

test('a shopper is redirected to the bank, confirms, and returns to the shop', async () => {
  const pending = await pay()
  expect(summary(pending)).toEqual([200, '000.200.000'])
  expect(pending.body.redirect).toEqual({
    url: `https://bank.example/bank/${bank.lastPayment().id}`,
    method: 'GET',
    parameters: [],
  })
  const { id } = pending.body
  expect(summary(await read(id))).toEqual([200, '000.200.000'])
  bank.lastPayment().state = 'paid'
  const back = await returnFromBank()
  expect(back.statusCode).toBe(303)
  expect(back.headers['location']).toBe(`${shop}&id=${id}&resourcePath=%2Fv1%2Fpayments%2F${id}`)
  const paid = await read(id)
  expect([summary(paid), paid.body.redirect, paid.body.amount]).toEqual([[200, '000.100.110'], undefined, '92.00'])
})

test.each([
  ['failed', '800.100.152'],
  ['cancelled', '100.396.101'],
] as const)('the state %s at the bank completes a payment with %s when the shopper returns', async (state, code) => {
  const { body } = await pay()
  bank.lastPayment().state = state
  const back = await returnFromBank()
  const location = `${shop}&id=${body.id}&resourcePath=%2Fv1%2Fpayments%2F${body.id}`
  expect([back.statusCode, back.headers['location']]).toEqual([303, location])
  expect(summary(await read(body.id))).toEqual([200, code])
})

test('a payment whose shopper returns before the bank has decided is pending until the notification', async () => {
  const { body } = await pay()
  bank.lastPayment().state = 'pending'
  await returnFromBank()
  expect(summary(await read(body.id))).toEqual([200, '800.400.500'])
  bank.lastPayment().state = 'paid'
  expect((await notify()).statusCode).toBe(204)
  expect(summary(await read(body.id))).toEqual([200, '000.100.110'])
})

test('the bank is polled if the shopper does not return and no notification arrives', async () => {
  const { body } = await pay()
  bank.lastPayment().state = 'paid'
  await fastForward(MINUTE_MS)
  expect(summary(await read(body.id))).toEqual([200, '000.100.110'])
})

test('an outcome in the parameters of the browser is ignored', async () => {
  const { body } = await pay()
  const forged = `${pathOf(bank.lastPayment().returnUrl)}?state=paid&result=000.100.110`
  expect((await tollgate.server.inject({ method: 'GET', url: forged })).statusCode).toBe(303)
  expect(summary(await read(body.id))).toEqual([200, '000.200.000'])
})

test.each([
  ['another amount is approved, but for review', { state: 'paid', amount: '9.20' }, '000.400.040', '9.20'],
  ['a payment in another currency fails', { state: 'paid', currency: 'USD' }, '100.390.101', '92.00'],
  ['a payment with a malformed amount fails', { state: 'paid', amount: 'much' }, '100.390.101', '92.00'],
  ['the amount of a failed payment is ignored', { state: 'failed', amount: '9.20' }, '800.100.152', '92.00'],
])('%s', async (_title, bankState, code, amount) => {
  const { body } = await pay()
  Object.assign(bank.lastPayment(), bankState)
  await returnFromBank()
  const answer = await read(body.id)
  expect([...summary(answer), answer.body.amount]).toEqual([200, code, amount])
})

describe('after 30 minutes', () => {
  test('a payment has expired; a late approval is accepted', async () => {
    const { body } = await pay()
    await fastForward(30 * MINUTE_MS)
    expect(summary(await read(body.id))).toEqual([200, '100.396.103'])
    bank.lastPayment().state = 'paid'
    await notify()
    expect(summary(await read(body.id))).toEqual([200, '000.600.000'])
    const refund = { paymentType: 'RF', amount: '92.00', currency: 'EUR' }
    expect(summary(await tollgate.send('POST', `/v1/payments/${body.id}`, refund))).toEqual([200, '000.100.110'])
  })

  test('a late decline is reported', async () => {
    const { body } = await pay()
    await fastForward(30 * MINUTE_MS)
    bank.lastPayment().state = 'failed'
    await notify()
    expect(summary(await read(body.id))).toEqual([200, '100.397.102'])
  })

  test('a late approval is reversed on a channel with lateApproval=reverse', async () => {
    const settings = { lateApproval: 'reverse' }
    await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings })
    const { body } = await pay()
    await fastForward(30 * MINUTE_MS)
    bank.lastPayment().state = 'paid'
    await notify()
    expect(summary(await read(body.id))).toEqual([200, '100.396.103'])
    await fastForward(MINUTE_MS)
    expect(bank.lastPayment().state).toBe('cancelled')
    await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { lateApproval: null } })
  })

  // Skipped with PostgreSQL: the test makes hundreds of polls, which all storages store in the same way.
  test.skipIf(usesPostgres)('a payment that the bank has accepted is pending for days, then expires', async () => {
    const { body } = await pay()
    bank.lastPayment().state = 'pending'
    await returnFromBank()
    await fastForward(5 * DAY_MS)
    expect(summary(await read(body.id))).toEqual([200, '800.400.500'])
    await fastForward(3 * DAY_MS)
    expect(summary(await read(body.id))).toEqual([200, '100.396.103'])
  })
})

test('99 concurrent returns, notifications and reads complete a payment once', async () => {
  const { body } = await pay()
  bank.lastPayment().state = 'paid'
  const before = bank.statusRequests
  const requests = [async () => returnFromBank(), async () => notify(), async () => read(body.id)]
  await Promise.all(Array.from({ length: 99 }, async (_, index) => requests[index % 3]?.()))
  expect(summary(await read(body.id))).toEqual([200, '000.100.110'])
  const tree = await tollgate.gateway.storage.treeOf(body.id)
  expect([tree?.transactions.length, tree?.version]).toEqual([1, 1])
  expect(bank.statusRequests - before).toBeLessThanOrEqual(3)
})

test('a pending payment cannot be refunded', async () => {
  const { body } = await pay()
  const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR' }
  expect(summary(await tollgate.send('POST', `/v1/payments/${body.id}`, refund))).toEqual([400, '700.400.570'])
})

test('a unique merchantTransactionId can be used again after its payment is cancelled or has expired', async () => {
  const settings = { uniqueMerchantTransactionId: true }
  await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings })
  const parameters = { merchantTransactionId: 'order-0815' }
  await pay(parameters)
  expect(summary(await pay(parameters))).toEqual([400, '800.130.100'])
  bank.lastPayment().state = 'cancelled'
  await returnFromBank()
  expect(summary(await pay(parameters))).toEqual([200, '000.200.000'])

  // The id can also be used again after the payment has expired. A late decline of the expired payment does not release
  // the id, which then belongs to the next payment.
  const expired = bank.lastPayment()
  await fastForward(30 * MINUTE_MS)
  const next = await pay(parameters)
  expect(summary(next)).toEqual([200, '000.200.000'])
  expired.state = 'failed'
  await notify(expired.notificationUrl)
  expect(summary(await read(expired.reference))).toEqual([200, '100.397.102'])
  expect(summary(await pay(parameters))).toEqual([400, '800.130.100'])
  await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { uniqueMerchantTransactionId: null } })
})

test('a payment at an unreachable bank is reversed', async () => {
  bank.isReachable = false
  const timedOut = await pay()
  bank.isReachable = true
  expect(summary(timedOut)).toEqual([400, '900.100.300'])
  await fastForward(5 * MINUTE_MS)
  expect(summary(await read(timedOut.body.id))).toEqual([200, '900.100.301'])
})

describe('details of the shopper', () => {
  /** Parameter, value, and the name of the field at the provider. */
  const fields = [
    ['bankAccount.country', 'nl', 'bankCountry'],
    ['bankAccount.bankName', 'ING_TEST', 'bankName'],
    ['bankAccount.bic', 'INGBNL2A', 'bic'],
    ['bankAccount.iban', 'NL00ABNA0417164300', 'iban'],
    ['bankAccount.holder', 'Jane Jones', 'accountHolder'],
    ['customer.email', 'jane@example.com', 'email'],
    ['billing.country', 'DE', 'country'],
    ['merchantTransactionId', 'order-0001', 'merchantReference'],
  ] as const
  const details = Object.fromEntries(fields)
  const redirectBrands = Object.keys(brands)
    .filter(isBrand)
    .filter((code) => brands[code].flow === 'async')
  const identified = {
    'customer.givenName': 'Jane',
    'customer.surname': 'Jones',
    'customer.identificationDocType': 'TAXSTATEMENT',
    'customer.identificationDocId': '12345678909',
  }

  test.each(fields)('are sent to the provider, even if the request contains only %s', async (name, value, provider) => {
    for (const entityId of [sandboxIds.channel, sandboxIds.legacyChannel]) {
      const { body } = await pay({ paymentBrand: 'IDEAL', entityId, [name]: value })
      expect([body.result.code, bank.lastPayment().order]).toEqual([
        '000.200.000',
        expect.objectContaining({ [provider]: value }),
      ])
    }
  })

  test('are accepted with all redirect brands on two channels; no account number is shown or stored', async () => {
    for (const paymentBrand of redirectBrands) {
      for (const entityId of [sandboxIds.channel, sandboxIds.legacyChannel]) {
        const { identification } = brands[paymentBrand]
        const document = identification && entityId === sandboxIds.channel ? identified : {}
        const paid = await pay({ paymentBrand, entityId, ...details, ...document })
        expect([paymentBrand, ...summary(paid)]).toEqual([paymentBrand, 200, '000.200.000'])
        expect(paid.body.bankAccount).toMatchObject({ holder: 'Jane Jones', bankName: 'ING_TEST', last4Digits: '4300' })
        expect(paid.text).not.toContain('0417164300')
        expect((await tollgate.gateway.storage.account(paid.body.id))?.sealed ?? null).toBeNull()
      }
    }
  })

  test('must include an identity document if the brand requires one', async () => {
    const refused = await pay({ paymentBrand: 'BOLETO' })
    expect(refused.body.result.parameterErrors.map(({ name }: { name: string }) => name)).toEqual([
      'customer.identificationDocType',
      'customer.identificationDocId',
    ])
    expect(summary(await pay({ paymentBrand: 'BOLETO', ...identified }))).toEqual([200, '000.200.000'])
  })

  test('must include the customer’s name if they contain the customer’s status', async () => {
    const { body } = await pay({ 'customer.email': 'jane@example.com', 'customer.status': 'NEW' })
    const missing = body.result.parameterErrors.map(({ name }: { name: string }) => name)
    expect(missing).toEqual(['customer.givenName', 'customer.surname'])
  })

  test('are accepted from the shopper of a checkout', async () => {
    const { amount, currency, paymentType, shopperResultUrl } = payment
    const { body } = await tollgate.send('POST', '/v1/checkouts', { amount, currency, paymentType, shopperResultUrl })
    const { merchantTransactionId: _merchants, ...shopperDetails } = details
    const submitted = await tollgate.request({
      method: 'POST',
      url: `/v1/checkouts/${body.id}/payment`,
      headers: { 'content-type': FORM },
      payload: formOf({ paymentBrand: 'GIROPAY', ...shopperDetails }),
    })
    expect(summary(submitted)).toEqual([200, '000.200.000'])
  })
})

test.each([
  ['without shopperResultUrl', { shopperResultUrl: undefined }, '200.300.404'],
  ['as a payout', { paymentType: 'CD' }, '600.200.310'],
])('a redirect payment %s is refused', async (_name, changes, code) => {
  expect(summary(await pay(changes))).toEqual([400, code])
})

test('a return or notification of an unknown session is answered with 404', async () => {
  const answer = await returnFromBank(`https://x.example/pages/return/${'0'.repeat(32)}`)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect((await notify(`https://x.example/pages/notify/${'0'.repeat(32)}`)).statusCode).toBe(404)
})

describe('a redirect payment of a checkout', () => {
  const submit = (id: string) =>
    tollgate.request({
      method: 'POST',
      url: `/v1/checkouts/${id}/payment`,
      headers: { 'content-type': FORM },
      payload: formOf({ paymentBrand: 'PAYPAL' }),
    })
  const create = async () => {
    const { amount, currency, paymentType, shopperResultUrl } = payment
    const { body } = await tollgate.send('POST', '/v1/checkouts', { amount, currency, paymentType, shopperResultUrl })
    return String(body.id)
  }

  test('prevents another payment while it is pending; the shopper returns with the id of the checkout', async () => {
    const id = await create()
    expect(summary(await submit(id))).toEqual([200, '000.200.000'])
    expect(summary(await submit(id))).toEqual([400, '800.600.100'])
    bank.lastPayment().state = 'paid'
    const back = await returnFromBank()
    expect(back.headers['location']).toBe(`${shop}&id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fpayment`)
    expect(summary(await tollgate.send('GET', `/v1/checkouts/${id}/payment`))).toEqual([200, '000.100.110'])
  })

  test('can be followed by another payment once it is cancelled', async () => {
    const id = await create()
    await submit(id)
    bank.lastPayment().state = 'cancelled'
    await returnFromBank()
    expect(summary(await submit(id))).toEqual([200, '000.200.000'])
  })

  describe('that the shopper cancels in the form', () => {
    const viewOf = async (id: string) => (await tollgate.server.inject({ url: `/pages/checkouts/${id}` })).json()
    const cancel = async (id: string) => {
      const answer = await tollgate.server.inject({ method: 'POST', url: `/pages/checkouts/${id}/cancel?locale=de` })
      expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, '*'])
      return answer.json()
    }

    test('is cancelled at the bank, and the checkout is open again', async () => {
      const id = await create()
      await submit(id)
      expect(await viewOf(id)).toMatchObject({ state: 'pending', cancellable: true })
      const view = await cancel(id)
      expect(view).toMatchObject({ state: 'open', cancellable: false, declined: 'cancelled', language: 'de' })
      expect(bank.lastPayment().state).toBe('cancelled')
      const { body } = await tollgate.send('GET', `/v1/checkouts/${id}/payment`)
      expect(body.result.code).toBe('100.396.101')
      expect(summary(await submit(id))).toEqual([200, '000.200.000'])
    })

    test('is not refunded if it was paid before', async () => {
      const id = await create()
      await submit(id)
      bank.lastPayment().state = 'paid'
      expect(await cancel(id)).toMatchObject({ state: 'done', cancellable: false })
      expect(bank.lastPayment().state).toBe('paid')
    })

    test('stays pending if the bank has accepted the transfer', async () => {
      const id = await create()
      await submit(id)
      bank.lastPayment().state = 'pending'
      expect(await cancel(id)).toMatchObject({ state: 'pending', cancellable: false })
      expect(bank.lastPayment().state).toBe('pending')
    })

    test('is cancelled even if the bank is unreachable; its late approval is accepted', async () => {
      const id = await create()
      await submit(id)
      bank.isReachable = false
      const view = await cancel(id)
      bank.isReachable = true
      expect(view).toMatchObject({ state: 'open', declined: 'cancelled' })
      const { body } = await tollgate.send('GET', `/v1/checkouts/${id}/payment`)
      expect(body.result.code).toBe('100.396.104')
      bank.lastPayment().state = 'paid'
      await notify()
      expect(summary(await read(body.id))).toEqual([200, '000.600.000'])
    })

    test('has its late approval reversed on a channel with lateApproval=reverse', async () => {
      await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { lateApproval: 'reverse' } })
      const id = await create()
      await submit(id)
      bank.isReachable = false
      await cancel(id)
      bank.isReachable = true
      const { body } = await tollgate.send('GET', `/v1/checkouts/${id}/payment`)
      bank.lastPayment().state = 'paid'
      await notify()
      expect(summary(await read(body.id))).toEqual([200, '100.396.103'])
      await fastForward(MINUTE_MS)
      expect(bank.lastPayment().state).toBe('cancelled')
      await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { lateApproval: null } })
    })

    test('may be missing: an open checkout then stays open, and an unknown checkout is gone', async () => {
      expect(await cancel(await create())).toMatchObject({ state: 'open', cancellable: false })
      expect(await cancel('0'.repeat(32))).toMatchObject({ state: 'gone' })
    })
  })
})
