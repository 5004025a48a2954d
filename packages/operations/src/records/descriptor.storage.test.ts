import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { cardWithoutPayment, cardPayment, type Parameters, testGateway } from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, manage } = tollgate

const pay = (changes: Parameters = {}) => send('POST', '/v1/payments', cardPayment(changes))
const customer = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' }
const bankAccount = { holder: 'Sandbox merchant', number: 'DE02701500000000594937', bic: 'SSKMDEMMXXX', country: 'DE' }

describe('the merchant’s bank account', () => {
  test.each(Object.entries(sandboxIds).filter(([name]) => /channel$/i.test(name)))(
    'is in answers of the sandbox’s %s',
    async (_name, entityId) => {
      const card = { entityId, 'card.number': '5454545454545454', paymentBrand: 'MASTER' }
      expect((await pay(card)).body.merchant).toEqual({ bankAccount })
    },
  )

  test('is in the answers of creating, reading, updating, extending and deleting a registration', async () => {
    const { body: registration } = await send('POST', '/v1/registrations', cardWithoutPayment())
    const url = `/v1/registrations/${registration.id}`
    const { body: paid } = await pay({ createRegistration: 'true' })
    const answers = [
      registration,
      (await send('GET', url)).body,
      (await send('POST', url, { 'customer.email': 'jane@jones.example', ...customer })).body,
      (await send('POST', url, { 'card.expiryMonth': '06', 'card.expiryYear': '2035' })).body,
      (await send('POST', `${url}/extendlife`)).body,
      (await send('GET', `/v1/registrations/${paid.registrationId}`)).body,
      (await send('DELETE', url)).body,
    ]
    expect(answers.map(({ result, merchant }) => [result.code, merchant])).toEqual(
      answers.map(() => ['000.100.110', { bankAccount }]),
    )
  })

  test('is in the answers about payments, beside the sent parameters of the merchant', async () => {
    const paid = await pay({ 'merchant.name': 'Shop', 'merchant.city': 'Berlin' })
    const merchant = { bankAccount, name: 'Shop', city: 'Berlin' }
    expect(paid.body.merchant).toEqual(merchant)
    expect((await send('GET', `/v1/payments/${paid.body.id}`)).body.merchant).toEqual(merchant)
    const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR' }
    expect((await send('POST', `/v1/payments/${paid.body.id}`, refund)).body.merchant).toEqual({ bankAccount })
    expect((await pay({ 'card.number': '4000000000000002' })).body.merchant).toEqual({ bankAccount })
    expect((await pay({ 'card.number': '4200000000000001' })).body.merchant).toEqual({ bankAccount })
  })

  test('is absent from refusals of invalid requests and from answers of a channel without a bank account', async () => {
    expect((await pay({ amount: 'x' })).body).not.toHaveProperty('merchant')
    const settings = { bankAccount: null }
    await manage('PATCH', `/entities/${sandboxIds.merchant}`, { settings })
    expect((await pay()).body).not.toHaveProperty('merchant')
    expect((await send('POST', '/v1/registrations', cardWithoutPayment())).body).not.toHaveProperty('merchant')
    await manage('PATCH', `/entities/${sandboxIds.merchant}`, { settings: { bankAccount } })
  })

  test('is inherited by a channel, replaced as a whole by the channel’s own, and removed by null', async () => {
    const change = (id: string, changed: object | null) =>
      manage('PATCH', `/entities/${id}`, { settings: { bankAccount: changed } })
    const shownMerchant = async () => (await pay({ entityId: sandboxIds.legacyChannel })).body.merchant
    await change(sandboxIds.merchant, bankAccount)
    expect(await shownMerchant()).toEqual({ bankAccount })
    await change(sandboxIds.legacyChannel, { holder: 'Shop Ltd' })
    expect(await shownMerchant()).toEqual({ bankAccount: { holder: 'Shop Ltd' } })
    await change(sandboxIds.merchant, null)
    await change(sandboxIds.legacyChannel, null)
    expect(await shownMerchant()).toBeUndefined()
  })

  test.each([
    { fault: 'no holder', invalidAccount: { number: 'DE02701500000000594937' }, message: /holder/ },
    { fault: 'a holder of three characters', invalidAccount: { holder: 'Jan' }, message: /holder/ },
    {
      fault: 'an IBAN with a typing error',
      invalidAccount: { ...bankAccount, number: 'DE03701500000000594937' },
      message: /IBAN/,
    },
    { fault: 'an IBAN with spaces', invalidAccount: { ...bankAccount, number: 'DE02 7015 0000' }, message: /number/ },
    { fault: 'a BIC of an unknown country', invalidAccount: { ...bankAccount, bic: 'SSKMXXMM' }, message: /bic/ },
    { fault: 'an unknown country', invalidAccount: { ...bankAccount, country: 'XX' }, message: /country/ },
    { fault: 'an unknown field', invalidAccount: { ...bankAccount, iban: 'x' }, message: /bankAccount/ },
  ])('is refused with $fault', async ({ invalidAccount, message }) => {
    const entityBefore = (await manage('GET', `/entities/${sandboxIds.channel}`)).body
    const answer = await manage('PATCH', `/entities/${sandboxIds.channel}`, {
      settings: { bankAccount: invalidAccount },
    })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toMatch(message)
    expect((await manage('GET', `/entities/${sandboxIds.channel}`)).body).toEqual(entityBefore)
  })
})

describe('the descriptor', () => {
  test.each<{ sent: Parameters; descriptor: RegExp }>([
    { sent: {}, descriptor: /^\d{4}\.\d{4}\.\d{4} Sandbox$/ },
    { sent: { descriptor: 'Order 7' }, descriptor: /^Order 7$/ },
    { sent: { 'merchant.name': 'SHOP*TEA' }, descriptor: /^SHOP\*TEA$/ },
    { sent: { 'merchant.name': 'SHOP*TEA', descriptor: 'Order 7' }, descriptor: /^SHOP\*TEA$/ },
  ])('of $sent matches $descriptor', async ({ sent, descriptor }) => {
    const { body: paid } = await pay({ paymentType: 'PA', ...sent })
    expect(paid.descriptor).toMatch(descriptor)
    const capture = { paymentType: 'CP', amount: '92.00', currency: 'EUR', ...sent }
    expect((await send('POST', `/v1/payments/${paid.id}`, capture)).body.descriptor).toMatch(descriptor)
    const refused = await send('POST', `/v1/payments/${paid.id}`, { ...capture, amount: '9200.00' })
    expect(refused.body.descriptor).toMatch(descriptor)
  })
})
