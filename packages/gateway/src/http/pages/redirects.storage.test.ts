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

const onPostgres = process.env['TOLLGATE_TEST_STORAGE'] === 'postgres'
const shop = 'https://shop.example/done?order=1'
const payment = { amount: '92.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'PAYPAL', shopperResultUrl: shop }

const pay = (changes: Parameters = {}): Promise<TestAnswer> =>
  tollgate.send('POST', '/v1/payments', { ...payment, ...changes })

const read = async (id: string): Promise<TestAnswer> => tollgate.send('GET', `/v1/payments/${id}`)

const pathOf = (url: string): string => new URL(url).pathname

/** The shopper's browser comes back from the bank. */
const comeBack = (url = bank.last().returnUrl) => tollgate.server.inject({ method: 'GET', url: pathOf(url) })

/** The bank tells that something has changed. */
const notify = (url = bank.last().notificationUrl) =>
  tollgate.server.inject({ method: 'POST', url: pathOf(url), payload: { id: bank.last().id } })

/** On a slow machine a week of questions is more than one journey may take. */
async function fastForward(ms: number): Promise<void> {
  const toMs = tollgate.gateway.clock.now() + ms
  for (let tries = 0; tries < 5; tries += 1) if ((await tollgate.gateway.jobs.fastForward(toMs)).isThere) return
}

test('a shopper is sent to the bank, confirms, and comes back to the shop', async () => {
  const pending = await pay()
  expect(summary(pending)).toEqual([200, '000.200.000'])
  expect(pending.body.redirect).toEqual({
    url: `https://bank.example/bank/${bank.last().id}`,
    method: 'GET',
    parameters: [],
  })
  const { id } = pending.body
  expect(summary(await read(id))).toEqual([200, '000.200.000'])
  bank.last().state = 'paid'
  const back = await comeBack()
  expect(back.statusCode).toBe(303)
  expect(back.headers['location']).toBe(`${shop}&id=${id}&resourcePath=%2Fv1%2Fpayments%2F${id}`)
  const paid = await read(id)
  expect([summary(paid), paid.body.redirect, paid.body.amount]).toEqual([[200, '000.100.110'], undefined, '92.00'])
})

test.each([
  ['failed', '800.100.152'],
  ['cancelled', '100.396.101'],
] as const)('a payment that has %s ends as %s, and the shopper returns in any case', async (state, code) => {
  const { body } = await pay()
  bank.last().state = state
  expect((await comeBack()).statusCode).toBe(303)
  expect(summary(await read(body.id))).toEqual([200, code])
})

test('a return before the bank has decided: pending, and the bank notifies later', async () => {
  const { body } = await pay()
  bank.last().state = 'pending'
  await comeBack()
  expect(summary(await read(body.id))).toEqual([200, '800.400.500'])
  bank.last().state = 'paid'
  expect((await notify()).statusCode).toBe(204)
  expect(summary(await read(body.id))).toEqual([200, '000.100.110'])
})

test('without a return of the shopper and without a notification the bank is polled', async () => {
  const { body } = await pay()
  bank.last().state = 'paid'
  await fastForward(MINUTE_MS)
  expect(summary(await read(body.id))).toEqual([200, '000.100.110'])
})

test('an outcome in the parameters of the browser is ignored', async () => {
  const { body } = await pay()
  const forged = `${pathOf(bank.last().returnUrl)}?state=paid&result=000.100.110`
  expect((await tollgate.server.inject({ method: 'GET', url: forged })).statusCode).toBe(303)
  expect(summary(await read(body.id))).toEqual([200, '000.200.000'])
})

test.each([
  ['another amount is paid: that amount, to be looked at', { state: 'paid', amount: '9.20' }, '000.400.040', '9.20'],
  ['another currency is none of ours', { state: 'paid', currency: 'USD' }, '100.390.101', '92.00'],
  ['no amount at all is none of ours', { state: 'paid', amount: 'much' }, '100.390.101', '92.00'],
  ['of what failed it does not matter', { state: 'failed', amount: '9.20' }, '800.100.152', '92.00'],
])('%s', async (_, told, code, amount) => {
  const { body } = await pay()
  Object.assign(bank.last(), told)
  await comeBack()
  const answer = await read(body.id)
  expect([...summary(answer), answer.body.amount]).toEqual([200, code, amount])
})

describe('after 30 minutes', () => {
  test('it has expired; a late approval is taken', async () => {
    const { body } = await pay()
    await fastForward(30 * MINUTE_MS)
    expect(summary(await read(body.id))).toEqual([200, '100.396.103'])
    bank.last().state = 'paid'
    await notify()
    expect(summary(await read(body.id))).toEqual([200, '000.600.000'])
    const refund = { paymentType: 'RF', amount: '92.00', currency: 'EUR' }
    expect(summary(await tollgate.send('POST', `/v1/payments/${body.id}`, refund))).toEqual([200, '000.100.110'])
  })

  test('a late decline is reported', async () => {
    const { body } = await pay()
    await fastForward(30 * MINUTE_MS)
    bank.last().state = 'failed'
    await notify()
    expect(summary(await read(body.id))).toEqual([200, '100.397.102'])
  })

  test('a late approval is given back where that is set', async () => {
    const settings = { lateApproval: 'reverse' }
    await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings })
    const { body } = await pay()
    await fastForward(30 * MINUTE_MS)
    bank.last().state = 'paid'
    await notify()
    expect(summary(await read(body.id))).toEqual([200, '100.396.103'])
    await fastForward(MINUTE_MS)
    expect(bank.last().state).toBe('cancelled')
    await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { lateApproval: null } })
  })

  // Hundreds of questions to the bank, which are stored alike everywhere.
  test.skipIf(onPostgres)('a payment that the bank has accepted stays pending for days', async () => {
    const { body } = await pay()
    bank.last().state = 'pending'
    await comeBack()
    await fastForward(5 * DAY_MS)
    expect(summary(await read(body.id))).toEqual([200, '800.400.500'])
    await fastForward(3 * DAY_MS)
    expect(summary(await read(body.id))).toEqual([200, '100.396.103'])
  })
})

test('ninety-nine concurrent completions complete it once', async () => {
  const { body } = await pay()
  bank.last().state = 'paid'
  const before = bank.statusRequests
  const finalisers = [async () => comeBack(), async () => notify(), async () => read(body.id)]
  await Promise.all(Array.from({ length: 99 }, async (_, index) => finalisers[index % 3]?.()))
  expect(summary(await read(body.id))).toEqual([200, '000.100.110'])
  const tree = await tollgate.gateway.storage.treeOf(body.id)
  expect([tree?.transactions.length, tree?.version]).toEqual([1, 1])
  expect(bank.statusRequests - before).toBeLessThanOrEqual(3)
})

test('nothing refers to it before it is paid', async () => {
  const { body } = await pay()
  const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR' }
  expect(summary(await tollgate.send('POST', `/v1/payments/${body.id}`, refund))).toEqual([400, '700.400.570'])
})

test('a unique reference is free again after the payment failed', async () => {
  const settings = { uniqueMerchantTransactionId: true }
  await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings })
  const named = { merchantTransactionId: 'order-0815' }
  await pay(named)
  expect(summary(await pay(named))).toEqual([400, '800.130.100'])
  bank.last().state = 'cancelled'
  await comeBack()
  expect(summary(await pay(named))).toEqual([200, '000.200.000'])

  // And once it has expired: by then another may have claimed it, whatever the bank says of the first.
  const late = bank.last()
  await fastForward(30 * MINUTE_MS)
  const next = await pay(named)
  expect(summary(next)).toEqual([200, '000.200.000'])
  late.state = 'failed'
  await notify(late.notificationUrl)
  expect(summary(await read(late.reference))).toEqual([200, '100.397.102'])
  expect(summary(await pay(named))).toEqual([400, '800.130.100'])
  await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { uniqueMerchantTransactionId: null } })
})

test('a bank that cannot be reached leaves nothing open', async () => {
  bank.isReachable = false
  const timedOut = await pay()
  bank.isReachable = true
  expect(summary(timedOut)).toEqual([400, '900.100.300'])
  await fastForward(5 * MINUTE_MS)
  expect(summary(await read(timedOut.body.id))).toEqual([200, '900.100.301'])
})

describe('details of the shopper fill in the page of the provider', () => {
  /** Parameter, value, and what the provider calls it. */
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
  const told = Object.fromEntries(fields)
  const redirectBrands = Object.keys(brands)
    .filter(isBrand)
    .filter((code) => brands[code].flow === 'async')
  const identified = {
    'customer.givenName': 'Jane',
    'customer.surname': 'Jones',
    'customer.identificationDocType': 'TAXSTATEMENT',
    'customer.identificationDocId': '12345678909',
  }

  test.each(fields)('%s alone', async (name, value, provider) => {
    for (const entityId of [sandboxIds.channel, sandboxIds.legacyChannel]) {
      const { body } = await pay({ paymentBrand: 'IDEAL', entityId, [name]: value })
      expect([body.result.code, bank.last().order]).toEqual([
        '000.200.000',
        expect.objectContaining({ [provider]: value }),
      ])
    }
  })

  test('with every redirect brand, strict and legacy; no number of an account is shown or stored', async () => {
    for (const paymentBrand of redirectBrands) {
      for (const entityId of [sandboxIds.channel, sandboxIds.legacyChannel]) {
        const { identification } = brands[paymentBrand]
        const asked = identification && entityId === sandboxIds.channel ? identified : {}
        const paid = await pay({ paymentBrand, entityId, ...told, ...asked })
        expect([paymentBrand, ...summary(paid)]).toEqual([paymentBrand, 200, '000.200.000'])
        expect(paid.body.bankAccount).toMatchObject({ holder: 'Jane Jones', bankName: 'ING_TEST', last4Digits: '4300' })
        expect(paid.text).not.toContain('0417164300')
        expect((await tollgate.gateway.storage.account(paid.body.id))?.sealed ?? null).toBeNull()
      }
    }
  })

  test('a provider that demands a document gets it, or the payment is refused by name', async () => {
    const refused = await pay({ paymentBrand: 'BOLETO' })
    expect(refused.body.result.parameterErrors.map(({ name }: { name: string }) => name)).toEqual([
      'customer.identificationDocType',
      'customer.identificationDocId',
    ])
    expect(summary(await pay({ paymentBrand: 'BOLETO', ...identified }))).toEqual([200, '000.200.000'])
  })

  test('another field of the customer still needs the name', async () => {
    const { body } = await pay({ 'customer.email': 'jane@example.com', 'customer.status': 'NEW' })
    const wrong = body.result.parameterErrors.map(({ name }: { name: string }) => name)
    expect(wrong).toEqual(['customer.givenName', 'customer.surname'])
  })

  test('of a checkout, as its shopper submits it', async () => {
    const { amount, currency, paymentType, shopperResultUrl } = payment
    const { body } = await tollgate.send('POST', '/v1/checkouts', { amount, currency, paymentType, shopperResultUrl })
    const { merchantTransactionId: _merchants, ...ofShopper } = told
    const submitted = await tollgate.request({
      method: 'POST',
      url: `/v1/checkouts/${body.id}/payment`,
      headers: { 'content-type': FORM },
      payload: formOf({ paymentBrand: 'GIROPAY', ...ofShopper }),
    })
    expect(summary(submitted)).toEqual([200, '000.200.000'])
  })
})

test.each([
  ['without an address to come back to', { shopperResultUrl: undefined }, '200.300.404'],
  ['as a payout', { paymentType: 'CD' }, '600.200.310'],
])('%s nobody is sent anywhere', async (_what, changes, code) => {
  expect(summary(await pay(changes))).toEqual([400, code])
})

test('an unknown address is not found', async () => {
  const answer = await comeBack(`https://x.example/pages/return/${'0'.repeat(32)}`)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect((await notify(`https://x.example/pages/notify/${'0'.repeat(32)}`)).statusCode).toBe(404)
})

describe('of a checkout', () => {
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

  test('the shopper comes back with its id, and nothing else pays it meanwhile', async () => {
    const id = await create()
    expect(summary(await submit(id))).toEqual([200, '000.200.000'])
    expect(summary(await submit(id))).toEqual([400, '800.600.100'])
    bank.last().state = 'paid'
    const back = await comeBack()
    expect(back.headers['location']).toBe(`${shop}&id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fpayment`)
    expect(summary(await tollgate.send('GET', `/v1/checkouts/${id}/payment`))).toEqual([200, '000.100.110'])
  })

  test('one that was cancelled may be paid in another way', async () => {
    const id = await create()
    await submit(id)
    bank.last().state = 'cancelled'
    await comeBack()
    expect(summary(await submit(id))).toEqual([200, '000.200.000'])
  })

  describe('a shopper who is back in the form and wants to pay another way', () => {
    const stands = async (id: string) => (await tollgate.server.inject({ url: `/pages/checkouts/${id}` })).json()
    const cancel = async (id: string) => {
      const answer = await tollgate.server.inject({ method: 'POST', url: `/pages/checkouts/${id}/cancel?locale=de` })
      expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, '*'])
      return answer.json()
    }

    test('may: the bank is told, the payment is cancelled, and the checkout is open', async () => {
      const id = await create()
      await submit(id)
      expect(await stands(id)).toMatchObject({ state: 'pending', cancellable: true })
      const view = await cancel(id)
      expect(view).toMatchObject({ state: 'open', cancellable: false, declined: 'cancelled', language: 'de' })
      expect(bank.last().state).toBe('cancelled')
      const { body } = await tollgate.send('GET', `/v1/checkouts/${id}/payment`)
      expect(body.result.code).toBe('100.396.101')
      expect(summary(await submit(id))).toEqual([200, '000.200.000'])
    })

    test('has paid, if they paid before: it is not refunded', async () => {
      const id = await create()
      await submit(id)
      bank.last().state = 'paid'
      expect(await cancel(id)).toMatchObject({ state: 'done', cancellable: false })
      expect(bank.last().state).toBe('paid')
    })

    test('cannot cancel a transfer that the bank has accepted', async () => {
      const id = await create()
      await submit(id)
      bank.last().state = 'pending'
      expect(await cancel(id)).toMatchObject({ state: 'pending', cancellable: false })
      expect(bank.last().state).toBe('pending')
    })

    test('may, though the bank cannot be told; its late approval is taken', async () => {
      const id = await create()
      await submit(id)
      bank.isReachable = false
      const view = await cancel(id)
      bank.isReachable = true
      expect(view).toMatchObject({ state: 'open', declined: 'cancelled' })
      const { body } = await tollgate.send('GET', `/v1/checkouts/${id}/payment`)
      expect(body.result.code).toBe('100.396.104')
      bank.last().state = 'paid'
      await notify()
      expect(summary(await read(body.id))).toEqual([200, '000.600.000'])
    })

    test('where a late approval is given back, it is', async () => {
      await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { lateApproval: 'reverse' } })
      const id = await create()
      await submit(id)
      bank.isReachable = false
      await cancel(id)
      bank.isReachable = true
      const { body } = await tollgate.send('GET', `/v1/checkouts/${id}/payment`)
      bank.last().state = 'paid'
      await notify()
      expect(summary(await read(body.id))).toEqual([200, '100.396.103'])
      await fastForward(MINUTE_MS)
      expect(bank.last().state).toBe('cancelled')
      await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { lateApproval: null } })
    })

    test('finds the checkout as it is, if nothing waits, and none where there is none', async () => {
      expect(await cancel(await create())).toMatchObject({ state: 'open', cancellable: false })
      expect(await cancel('0'.repeat(32))).toMatchObject({ state: 'gone' })
    })
  })
})
