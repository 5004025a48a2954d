import { describe, expect, test } from 'vitest'
import { customerData } from './customer-data.ts'
import {
  CHECKOUT,
  CHECKOUT_PATH,
  ENTITY,
  PAYMENT,
  REGISTRATION,
  SCHEDULE,
  SHOP_URL,
  codes,
  createdCheckout,
  locationOf,
  result,
  testShop,
} from './testing/test-shop.ts'

const shop = testShop()
const OTHER_CHECKOUT = CHECKOUT.replace('A', 'B')

test('a stored card is offered for one-click payment, and only its owner can delete it', async () => {
  await shop().startCheckout({ with: 'cards', store: 'true' })
  shop().answer = shop().paidOrder({
    registrationId: REGISTRATION,
    paymentBrand: 'VISA',
    card: { last4Digits: '1111' },
  })
  await shop().openResult(CHECKOUT_PATH)
  shop().answer = () => createdCheckout(OTHER_CHECKOUT)
  await shop().startCheckout()
  expect(shop().lastForm['registrations[0].id']).toBe(REGISTRATION)
  const owner = shop().cookie
  shop().cookie = ''
  await shop().send('POST', `/cards/${REGISTRATION}/delete`)
  expect(shop().received.at(-1)?.method).toBe('POST')
  shop().cookie = owner
  await shop().send('POST', `/cards/${REGISTRATION}/delete`)
  expect(shop().received.at(-1)).toMatchObject({
    method: 'DELETE',
    path: `/v1/registrations/${REGISTRATION}?entityId=${ENTITY}`,
  })
  expect((await shop().get('/cards')).body).not.toContain('1111')
})

describe('a stored card', () => {
  async function storeCard(): Promise<void> {
    shop().answer = () => createdCheckout()
    await shop().send('POST', '/cards')
    shop().answer = () => ({
      id: REGISTRATION,
      paymentBrand: 'VISA',
      card: { last4Digits: '0042' },
      ...result(codes.approved),
    })
    expect((await shop().openResult(`/v1/checkouts/${CHECKOUT}/registration`)).body).toContain('Card saved')
  }

  test('is stored by a checkout without a payment', async () => {
    await storeCard()
    expect(shop().received[0]?.form).toEqual({
      entityId: ENTITY,
      createRegistration: 'true',
      shopperResultUrl: `${SHOP_URL}/result`,
      ...customerData,
      integrity: 'true',
    })
    expect((await shop().get('/cards')).body).toContain('···· 0042')
  })

  test('pays the first month of a subscription, and later months by a schedule until it is cancelled', async () => {
    expect((await shop().get('/subscription')).body).toContain('Add a card first')
    await storeCard()
    expect((await shop().get('/subscription')).body).toContain(
      `<option value="${REGISTRATION}">VISA ···· 0042</option>`,
    )
    shop().answer = ({ path, form }) =>
      path.startsWith('/v1/registrations/')
        ? {
            id: PAYMENT,
            ...result(codes.pending),
            redirect: { url: 'https://acs.example/', method: 'GET', parameters: [] },
          }
        : { ...form, id: SCHEDULE, ...result(codes.approved) }
    const response = await shop().post('/subscription', { card: REGISTRATION })
    expect(locationOf(response)).toBe('https://acs.example/')
    const payment = shop().received.at(-1)
    expect(payment?.path).toBe(`/v1/registrations/${REGISTRATION}/payments`)
    expect(payment?.form).toMatchObject({
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.mode': 'INITIAL',
    })
    const previousAnswer = shop().answer
    shop().answer = (request) =>
      request.method === 'GET' ? { ...payment?.form, id: PAYMENT, ...result(codes.approved) } : previousAnswer(request)
    const pages = await Promise.all([
      shop().openResult(`/v1/payments/${PAYMENT}`),
      shop().openResult(`/v1/payments/${PAYMENT}`),
    ])
    expect(pages.some(({ body }) => body.includes('Welcome!'))).toBe(true)
    await shop().openResult(`/v1/payments/${PAYMENT}`)
    const schedules = shop().received.filter(({ path }) => path === '/scheduling/v1/schedules')
    expect(schedules.map(({ form }) => form)).toEqual([
      {
        entityId: ENTITY,
        registrationId: REGISTRATION,
        paymentType: 'DB',
        amount: '19.00',
        currency: 'EUR',
        'job.name': 'Tea every month',
        'job.dayOfMonth': '1',
        'job.month': '*',
        'job.hour': '9',
      },
    ])
    expect((await shop().get('/subscription')).body).toContain('Running')
    await shop().send('POST', `/subscription/${SCHEDULE}/cancel`)
    expect(shop().received.at(-1)).toMatchObject({
      method: 'DELETE',
      path: `/scheduling/v1/schedules/${SCHEDULE}?entityId=${ENTITY}`,
    })
    expect((await shop().get('/subscription')).body).not.toContain('Running')
  })

  test('of another customer starts no subscription', async () => {
    await storeCard()
    const requestCount = shop().received.length
    shop().cookie = ''
    expect(locationOf(await shop().post('/subscription', { card: REGISTRATION }))).toBe('/subscription')
    expect(shop().received).toHaveLength(requestCount)
  })
})
