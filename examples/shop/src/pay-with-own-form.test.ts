import { describe, expect, test, vi } from 'vitest'
import { PAYMENT, codes, locationOf, result, testShop } from './testing/test-shop.ts'

const shop = testShop()

describe('a payment with the card form of the shop', () => {
  const card = {
    'card.number': '4111 1111 1111 1111',
    'card.holder': ' Jane Jones ',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': '123',
  }

  test('sends the card to the gateway, and shows the result of an approved payment at once', async () => {
    await shop().fillCart()
    expect((await shop().get('/card-form')).body).toContain('PCI DSS')
    shop().answer = (request) => ({ ...request.form, id: PAYMENT, ...result(codes.approved) })
    const response = await shop().post('/card-form', { ...card, amount: '0.01' })
    expect(shop().lastForm).toMatchObject({
      'card.number': '4111111111111111',
      'card.holder': 'Jane Jones',
      amount: '25.00',
    })
    expect(Object.keys(shop().lastForm).filter((name) => name.startsWith('customer.browser'))).toEqual([])
    const page = await shop().get(locationOf(response))
    expect(page.body).toContain('Thank you!')
    expect(shop().received).toHaveLength(1)
    expect(page.body).not.toContain('4111')
  })

  test('sends browser data for 3-D Secure if scripts run', async () => {
    await shop().fillCart()
    const browserData = {
      language: 'de-DE',
      screenHeight: '900',
      screenWidth: '1440',
      screenColorDepth: '24',
      timezone: '-60',
    }
    const browser = Object.fromEntries(
      Object.entries(browserData).map(([name, value]) => [`customer.browser.${name}`, value]),
    )
    shop().answer = (request) => ({ ...request.form, id: PAYMENT, ...result(codes.declined) })
    await shop().send('POST', '/card-form', { ...card, ...browser }, { 'user-agent': 'Browser/1', accept: 'text/html' })
    expect(shop().lastForm).toMatchObject({
      ...browser,
      'customer.browser.userAgent': 'Browser/1',
      'customer.browser.acceptHeader': 'text/html',
      'customer.browser.javaEnabled': 'false',
    })
  })

  test('shows and logs the names of invalid parameters, and never shows the card', async () => {
    await shop().fillCart()
    const parameterErrors = [{ name: 'card.holder', message: 'must have 3 to 128 characters' }]
    shop().answer = () => ({ id: PAYMENT, result: { ...result('200.300.404').result, parameterErrors } })
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { status, body } = await shop().post('/card-form', card)
    const log = String(stderr.mock.calls)
    stderr.mockRestore()
    expect([status, body.includes('4111'), body.includes('must have')]).toEqual([502, false, false])
    expect(body).toContain('200.300.404, card.holder')
    expect(log).toContain('card.holder must have 3 to 128 characters')
  })
})
