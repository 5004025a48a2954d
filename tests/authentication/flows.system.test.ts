import { MINUTE_MS } from '@tollgate/contract'
import { simulatorOf } from '@tollgate/gateway/testing'
import { cartesBancairesRequest } from '@tollgate/three-d-secure'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { appParameters, challenged, charge, frictionless, requestor, sdkTransID, shopper } from './requestor.ts'
import { billing, pageOf, RESULT_URL, withIssuers } from './with-issuers.ts'

const setup = await withIssuers()
const { pay, read, changeSettings, resetSettings, fastForward, authenticationRequestOf } = requestor(setup)
afterAll(() => setup.tollgate.close())
afterEach(resetSettings)

const delayed = { threeDSRequestorAuthenticationInd: '09' }
const splitPayment = { threeDSRequestorAuthenticationInd: '10' }

describe('authenticated payments', () => {
  test.each([
    ['amount', {}, '9200', '978'],
    ['risk.amount, if sent', { 'risk.amount': '100.00', 'threeDSecure.amount': '95.00' }, '10000', '978'],
    ['a smaller risk.amount', { 'risk.amount': '1.00' }, '100', '978'],
    ['threeDSecure.amount', { 'threeDSecure.amount': '95.00' }, '9500', '978'],
    [
      'threeDSecure.amount and its currency',
      { 'threeDSecure.amount': '9500.00', 'threeDSecure.currency': 'JPY' },
      '9500',
      '392',
    ],
  ])('the purchase amount is %s', async (_, changes, purchaseAmount, purchaseCurrency) => {
    expect(await authenticationRequestOf(frictionless, changes)).toMatchObject({ purchaseAmount, purchaseCurrency })
  })

  test.each([
    ['a low value', '01', undefined, '02'],
    ['an analysed transaction risk', '02', undefined, '05'],
    ['a trusted merchant', '03', undefined, '08'],
    ['a corporate payment process', '04', undefined, '02'],
    ['an exemption with a challenge indicator', '02', '04', '04'],
  ])('the challenge preference is sent for %s', async (_, flag, indicator, threeDSRequestorChallengeInd) => {
    const changes = { 'threeDSecure.exemptionFlag': flag, 'threeDSecure.challengeIndicator': indicator }
    expect(await authenticationRequestOf(frictionless, changes)).toMatchObject({ threeDSRequestorChallengeInd })
  })

  test('a payment is approved after a challenge for its risk.amount', async () => {
    const { body } = await pay(challenged, { 'risk.amount': '100.00' })
    const page = pageOf(body)
    const { creq = '' } = await setup.begin(page)
    await setup.answer(page, creq, { password: '1234' })
    expect((await read(body.id)).result.code).toBe('000.100.110')
  })

  test.each([
    ['a payment', {}, { threeDSRequestorAuthenticationInd: '01' }],
    [
      'a split shipment',
      { 'threeDSecure.authenticationInd': 'SPLIT_SHIPMENT' },
      { threeDSRequestorAuthenticationInd: '08' },
    ],
    ['a delayed shipment', { 'threeDSecure.authenticationInd': '_DELAYED_SHIPMENT' }, delayed],
    ['a split payment', { 'threeDSecure.authenticationInd': 'SPLIT_PAYMENT' }, splitPayment],
    [
      'recurring payments',
      { 'threeDSecure.authenticationInd': 'RECURRING' },
      {
        threeDSRequestorAuthenticationInd: '02',
        recurringExpiry: '99991231',
        recurringFrequency: '1',
      },
    ],
    [
      'instalments by an agreement',
      {
        'standingInstruction.type': 'INSTALLMENT',
        'standingInstruction.mode': 'INITIAL',
        'standingInstruction.source': 'CIT',
        'standingInstruction.numberOfInstallments': '12',
        'standingInstruction.expiry': '2030-01-31',
        'standingInstruction.frequency': '28',
      },
      {
        threeDSRequestorAuthenticationInd: '03',
        purchaseInstalData: '12',
        recurringExpiry: '20300131',
        recurringFrequency: '28',
      },
    ],
    [
      'a card without a payment',
      { 'threeDSecure.npa': 'true' },
      {
        messageCategory: '02',
        threeDSRequestorAuthenticationInd: '04',
      },
    ],
  ])('the authentication request indicates %s', async (_, changes, expected) => {
    expect(await authenticationRequestOf(frictionless, changes)).toMatchObject(expected)
  })

  test('a payment with a non-payment authentication is approved after the challenge', async () => {
    const { body } = await pay(challenged, { 'threeDSecure.npa': 'true' })
    const page = pageOf(body)
    await setup.answer(page, (await setup.begin(page)).creq ?? '', { password: '1234' })
    const { result, threeDSecure } = await read(body.id)
    expect([result.code, threeDSecure.eci]).toEqual(['000.100.110', '05'])
  })
})

test('a stored card is authenticated like an entered card, and its payment completes', async () => {
  const { tollgate } = setup
  const stored = await tollgate.send('POST', '/v1/registrations', {
    'card.number': challenged,
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
  })
  const payment = { amount: '92.00', currency: 'EUR', paymentType: 'DB', shopperResultUrl: RESULT_URL, ...billing }
  const { body } = await tollgate.send('POST', `/v1/registrations/${stored.body.id}/payments`, payment)
  const page = pageOf(body)
  await setup.answer(page, (await setup.begin(page)).creq ?? '', { password: '1234' })
  const { result, threeDSecure } = await read(body.id)
  expect([result.code, threeDSecure.eci]).toEqual(['000.100.110', '05'])
})

describe('a decoupled authentication', () => {
  const decoupled = { 'threeDSecure.decoupled': 'true' }

  async function begin(number = challenged) {
    const { body } = await pay(number, decoupled)
    const page = pageOf(body)
    const step = await setup.begin(page)
    return { id: body.id, page, step }
  }

  test('shows the issuer’s message on the page, and ends with the issuer’s result', async () => {
    const { id, page, step } = await begin()
    expect(step).toEqual({ next: 'wait' })
    expect(setup.requests.at(-1)).toMatchObject({ threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00060' })
    const readPage = async () => (await setup.tollgate.server.inject({ method: 'GET', url: page })).body
    const waitingPage = await readPage()
    expect(waitingPage).toContain('data-step="wait"')
    expect(waitingPage).toContain('Ihre Bank bittet Sie, diese Zahlung in ihrer App zu bestätigen.')
    expect(waitingPage).toContain('https://shop.example/done?id=')
    expect((await read(id)).result.code).toBe('000.200.000')
    await fastForward(MINUTE_MS)
    await setup.issuers.advance()
    await fastForward(2 * MINUTE_MS)
    const { result, threeDSecure } = await read(id)
    expect([result.code, threeDSecure.eci, threeDSecure.verificationId.length]).toEqual(['000.100.110', '05', 28])
    expect(await readPage()).toContain('data-step="over"')
  })

  test('times out after the decoupledMinutes of its channel', async () => {
    await changeSettings({ authentication: { decoupledMinutes: 90 } })
    setup.traffic.areResultsLost = true
    const { id } = await begin()
    expect(setup.requests.at(-1)).toMatchObject({ threeDSRequestorDecMaxTime: '00090' })
    await fastForward(89 * MINUTE_MS)
    expect((await read(id)).result.code).toBe('000.200.000')
    await fastForward(3 * MINUTE_MS)
    setup.traffic.areResultsLost = false
    expect((await read(id)).result.code).toBe('100.380.501')
  })

  test('is used only if the merchant requests it', async () => {
    const { body } = await pay(challenged)
    expect((await setup.begin(pageOf(body))).next).toBe('challenge')
    expect(setup.requests.at(-1)?.threeDSRequestorDecReqInd).toBeUndefined()
  })
})

describe('Cartes Bancaires', () => {
  test('the issuer receives the data of the network, and the acquirer receives the data of the issuer', async () => {
    const data = { 'CB-ITEMSNB': '02', 'CB-SCORE_MERCHANT': 'A1', 'CB-USECASE': '01' }
    const schemeData = Object.entries(data).map(([name, value]) => [`threeDSecure.schemeData[${name}]`, value])
    const authorisation = vi.spyOn(simulatorOf(setup.tollgate.gateway), 'send')
    const { body } = await pay('5555552500001001', { paymentBrand: 'CARTEBANCAIRE', ...Object.fromEntries(schemeData) })
    expect(setup.requests.at(-1)?.messageExtension).toEqual(expect.arrayContaining(cartesBancairesRequest(data)))
    const sentParameters = authorisation.mock.calls.at(-1)?.[0].parameters
    authorisation.mockRestore()
    const names = ['CB-USECASE', 'CB-AVALGO', 'CB-EXEMPTION', 'CB-SCORE'] as const
    expect(names.map((name) => sentParameters?.get(`threeDSecure.schemeData[${name}]`))).toEqual([
      '01',
      '4',
      'AAAA',
      '10',
    ])
    const { result, threeDSecure } = await read(body.id)
    expect([result.code, threeDSecure.eci]).toEqual(['000.100.110', '02'])
  })
})

describe('a standalone authentication', () => {
  test('succeeds at once in an app', async () => {
    const { body } = await setup.authenticate(frictionless, {
      ...shopper,
      ...appParameters,
      shopperResultUrl: RESULT_URL,
    })
    expect([body.result.code, body.redirect, body.threeDSecure.eci]).toEqual(['000.400.110', undefined, '05'])
    expect(setup.requests.at(-1)?.deviceChannel).toBe('01')
  })

  test('returns a challenge to an app', async () => {
    const { body } = await setup.authenticate(challenged, {
      ...shopper,
      ...appParameters,
      shopperResultUrl: RESULT_URL,
    })
    expect([body.result.code, body.redirect, body.challenge.sdkTransID]).toEqual(['000.200.000', undefined, sdkTransID])
    expect(body.resultDetails.ExtendedDescription).toContain('The issuer challenges the shopper in the app')
  })

  test('returns the description of a decoupled authentication to an app', async () => {
    const app = { ...shopper, ...appParameters, shopperResultUrl: RESULT_URL, 'threeDSecure.decoupled': 'true' }
    const { body } = await setup.authenticate(challenged, app)
    expect([body.result.code, body.challenge, body.resultDetails.ExtendedDescription]).toEqual([
      '000.200.000',
      undefined,
      'The issuer authenticates the cardholder itself and sends the result later.',
    ])
  })

  test('succeeds without a shopper (3RI)', async () => {
    const split = { 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT', shopperResultUrl: RESULT_URL }
    const { body } = await setup.authenticate(frictionless, { ...charge, ...split })
    expect([body.result.code, body.redirect, body.threeDSecure.eci]).toEqual(['000.400.110', undefined, '05'])
    expect(setup.requests.at(-1)).toMatchObject({ deviceChannel: '03', threeRIInd: '06' })
  })

  test('waits for a decoupled result', async () => {
    const { body } = await setup.authenticate('4200000000000018', { ...shopper, 'threeDSecure.decoupled': 'true' })
    expect(body.result.code).toBe('000.200.000')
    expect((await setup.tollgate.server.inject({ method: 'GET', url: pageOf(body) })).body).toContain(
      'data-step="wait"',
    )
    await fastForward(MINUTE_MS)
    await setup.issuers.advance()
    await fastForward(2 * MINUTE_MS)
    const completed = (await setup.readAuthentication(body.id)).body
    expect([completed.result.code, completed.threeDSecure.authType]).toEqual(['000.000.000', '04'])
  })
})
