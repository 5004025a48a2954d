import { MINUTE_MS } from '@tollgate/contract'
import { sandboxIds } from '@tollgate/gateway'
import { type Parameters, summary, type TestAnswer } from '@tollgate/gateway/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { type DownstreamGateway, startDownstream } from '../support/upstream.ts'

// Shoppers whom one gateway sends to the pages of another: of wallets, and of 3-D Secure.

let upstream: GatewayProcess
let tollgate: DownstreamGateway

beforeAll(async () => {
  upstream = await startGateway({ data: temporaryFolder() })
  tollgate = await startDownstream(upstream)
})
beforeEach(() => tollgate.proxy.reset())
afterAll(async () => {
  await tollgate.close()
  await cleanUp()
})

const APPROVED = [200, '000.100.110']
const shop = 'https://shop.example/done'

describe('a redirect brand', () => {
  const payPal = (changes: Parameters = {}): Promise<TestAnswer> =>
    tollgate.send('POST', '/v1/payments', {
      amount: '92.00',
      currency: 'EUR',
      paymentType: 'DB',
      paymentBrand: 'PAYPAL',
      shopperResultUrl: shop,
      ...changes,
    })

  /** The shopper's choice on the page of the wallet, and the way back through the upstream to the shop. */
  async function choose(choice: 'pay' | 'cancel', pending: TestAnswer): Promise<string> {
    const form = { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' } as const
    const fromWallet = await fetch(pending.body.redirect.url, form)
    const fromUpstream = await fetch(fromWallet.headers.get('location') ?? '', { redirect: 'manual' })
    const here = await fetch(fromUpstream.headers.get('location') ?? '', { redirect: 'manual' })
    return here.headers.get('location') ?? ''
  }

  test('is confirmed on the page of the wallet, and the shopper returns to the shop', async () => {
    const pending = await payPal()
    expect([summary(pending), pending.body.redirect.url]).toEqual([
      [200, '000.200.000'],
      expect.stringContaining('/bank/'),
    ])
    expect(await choose('pay', pending)).toBe(
      `${shop}?id=${pending.body.id}&resourcePath=%2Fv1%2Fpayments%2F${pending.body.id}`,
    )
    expect(summary(await tollgate.read(pending.body.id))).toEqual(APPROVED)
    expect(summary(await tollgate.followUp(pending.body.id, 'RF', '12.00'))).toEqual(APPROVED)
  })

  test('is cancelled', async () => {
    const pending = await payPal()
    await choose('cancel', pending)
    expect(summary(await tollgate.read(pending.body.id))).toEqual([200, '100.396.101'])
  })

  test('is polled if the shopper does not return', async () => {
    const pending = await payPal()
    const form = { method: 'POST', body: new URLSearchParams({ choice: 'pay' }), redirect: 'manual' } as const
    const fromWallet = await fetch(pending.body.redirect.url, form)
    await fetch(fromWallet.headers.get('location') ?? '', { redirect: 'manual' })
    await tollgate.fastForward(MINUTE_MS)
    expect(summary(await tollgate.read(pending.body.id))).toEqual(APPROVED)
  })

  test('stores the agreement at the upstream, and charges it without a page', async () => {
    const pending = await payPal({ createRegistration: 'true' })
    await choose('pay', pending)
    const paid = await tollgate.read(pending.body.id)
    expect(paid.body.registrationId).toMatch(/^[0-9a-z]{32}$/i)
    const charge = await tollgate.send('POST', `/v1/registrations/${paid.body.registrationId}/payments`, {
      amount: '10.00',
      currency: 'EUR',
      paymentType: 'DB',
    })
    expect(summary(charge)).toEqual(APPROVED)
    expect(tollgate.lastPost().path).toMatch(/^\/v1\/registrations\/[0-9a-z]{32}\/payments$/i)
    expect(await tollgate.atUpstream(charge)).toMatchObject({ amount: '10.00', paymentBrand: 'PAYPAL' })
  })
})

describe('3-D Secure', () => {
  const challenged = '4200000000000042'
  /** The parameters that the upstream requires for its 3-D Secure. */
  const shopper = {
    shopperResultUrl: shop,
    'billing.street1': 'Hauptstr. 1',
    'billing.city': 'Berlin',
    'billing.postcode': '10115',
    'billing.country': 'DE',
  }
  const browser = {
    'customer.browser.language': 'de',
    'customer.browser.screenHeight': '900',
    'customer.browser.screenWidth': '1440',
    'customer.browser.timezone': '-60',
    'customer.browser.userAgent': 'Mozilla/5.0',
    'customer.browser.javaEnabled': 'false',
    'customer.browser.screenColorDepth': '24',
  }
  const fieldOf = (html: string, name: string): string =>
    new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? ''
  const send = (url: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

  beforeAll(async () => {
    await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { threeDSecure: 'off' } })
  })

  /** The shopper authenticates on the pages of upstream and issuer, and returns. @returns the address of the shop */
  async function authenticate({ body }: TestAnswer, password: string): Promise<string> {
    const { url } = body.redirect
    await fetch(url)
    const begun = await fetch(`${url}/begin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ looked: 'Y', parameters: browser }),
    })
    const { url: acsUrl = '', creq = '' }: { url?: string; creq?: string } = Object(await begun.json())
    const challenge = await (await send(acsUrl, { creq })).text()
    const answered = await send(new URL('/acs/answer', acsUrl).href, {
      acsTransID: fieldOf(challenge, 'acsTransID'),
      password,
    })
    const result = await send(`${url}/result`, { cres: fieldOf(await answered.text(), 'cres') })
    // The upstream's page leads the browser back.
    const [address = ''] = /http[^"]*\/pages\/return\/[0-9a-z]+/i.exec(await result.text()) ?? []
    const here = await fetch(address, { redirect: 'manual' })
    return here.headers.get('location') ?? ''
  }

  test('of the upstream: the shopper is sent to its page, and returns to the shop', async () => {
    const pending = await tollgate.pay({ ...shopper, 'card.number': challenged, createRegistration: 'true' })
    expect([summary(pending), pending.body.redirect.url]).toEqual([
      [200, '000.200.000'],
      expect.stringMatching(`^${upstream.url}/pages/authentications/`),
    ])
    expect(await authenticate(pending, '1234')).toContain(`${shop}?id=${pending.body.id}`)
    const paid = await tollgate.read(pending.body.id)
    expect([summary(paid), paid.body.registrationId]).toEqual([APPROVED, expect.stringMatching(/^[0-9a-z]{32}$/i)])
    expect(await tollgate.atUpstream(paid)).toMatchObject({ amount: '92.00', threeDSecure: { eci: '05' } })
    const charge = await tollgate.send('POST', `/v1/registrations/${paid.body.registrationId}/payments`, {
      amount: '10.00',
      currency: 'EUR',
      paymentType: 'DB',
    })
    expect(summary(charge)).toEqual(APPROVED)
  })

  test('of the upstream: a shopper who is not authenticated does not pay', async () => {
    const pending = await tollgate.pay({ ...shopper, 'card.number': challenged })
    await authenticate(pending, '1111')
    expect(summary(await tollgate.read(pending.body.id))).toEqual([200, '100.380.401'])
  })

  test('of another server: its data are forwarded, and the upstream sends the shopper nowhere', async () => {
    const paid = await tollgate.pay({
      ...shopper,
      'card.number': challenged,
      'threeDSecure.eci': '05',
      'threeDSecure.verificationId': 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=',
      'threeDSecure.dsTransactionId': 'c75f23af-9454-43f6-ba17-130ed529507e',
      'threeDSecure.version': '2.2.0',
    })
    expect(summary(paid)).toEqual(APPROVED)
    expect(tollgate.lastPost().form).toContain('threeDSecure.eci=05')
  })
})
