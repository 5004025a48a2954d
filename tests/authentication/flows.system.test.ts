import { MINUTE_MS } from '@tollgate/contract'
import { threeDSecureFaultCards } from '@tollgate/connectors'
import { sandboxIds } from '@tollgate/gateway'
import type { Parameters, TestAnswer } from '@tollgate/gateway/testing'
import { cartesBancairesRequest, readMessage, writeMessage } from '@tollgate/three-d-secure'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { billing, browser, pageOf, shop, withIssuers } from './with-issuers.ts'

const frictionless = '4200000000000091'
const challenged = '4200000000000042'
const mastercard = '5200000000000007'

let world: Awaited<ReturnType<typeof withIssuers>>
beforeAll(async () => (world = await withIssuers()))
afterAll(() => world.tollgate.close())
afterEach(() => set({ authentication: null, unauthenticated: null }))

/** What is mandatory of a request that asks for an authentication itself. */
const shopper = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.browser.acceptHeader': 'text/html',
  ...browser,
  ...billing,
}

const pay = (number: string, changes: Parameters = {}) => world.pay(number, { ...shopper, ...changes })

const read = async (id: string) => (await world.readPayment(id)).body

const set = (settings: object) => world.tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings })

const pass = (ms: number) => world.tollgate.gateway.jobs.travel(world.tollgate.gateway.clock.now() + ms)

/** What the issuer was asked about a payment in a browser. */
async function askedOf(number: string, changes?: Parameters) {
  const { body } = await pay(number, changes)
  await world.begin(pageOf(body))
  return world.requests.at(-1)
}

const sdkTransID = 'c0ffee00-6c54-4b01-90e6-d701748f0852'
const device = {
  sdkTransID,
  sdkAppID: sdkTransID,
  sdkReferenceNumber: 'SDK',
  sdkEphemPubKey: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
  sdkEncData: 'e.n.c.r.ypted',
}
const app = {
  shopperResultUrl: undefined,
  'customer.browser.acceptHeader': undefined,
  'threeDSecure.deviceInfo': JSON.stringify(device),
}

describe('who asks', () => {
  const authentication = {
    acquirerBin: '400000',
    acquirerMerchantId: 'M-1',
    mcc: '5411',
    country: 'AT',
    merchantName: 'Tea & Cake',
    requestorId: 'R-1',
    requestorName: 'Tea & Cake GmbH',
    requestorUrl: 'https://tea.example',
    networks: { mastercard: { acquirerBin: '520000', requestorId: 'R-2' } },
  }

  test('is what the channel’s settings say, for each network by itself', async () => {
    expect((await set({ authentication })).status).toBe(200)
    const visa = {
      acquirerBIN: '400000',
      acquirerMerchantID: 'M-1',
      mcc: '5411',
      merchantCountryCode: '040',
      merchantName: 'Tea & Cake',
      threeDSRequestorID: 'R-1',
      threeDSRequestorName: 'Tea & Cake GmbH',
      threeDSRequestorURL: 'https://tea.example',
    }
    expect(await askedOf(frictionless)).toMatchObject(visa)
    const other = { acquirerBIN: '520000', threeDSRequestorID: 'R-2', acquirerMerchantID: 'M-1' }
    expect(await askedOf(mastercard)).toMatchObject(other)
  })

  test('what is too long for the issuer is refused, not cut', async () => {
    const { status, body } = await pay(frictionless, { 'threeDSecure.v2.visa.requestorId': 'x'.repeat(36) })
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
    expect(body.resultDetails.ExtendedDescription).toBe(
      'threeDSecure.v2.visa.requestorId must have at most 35 characters in 3-D Secure',
    )
    const other = await askedOf(frictionless, {
      'threeDSecure.v2.visa.requestorName': '\u{1F4B3}'.repeat(40),
      'threeDSecure.v2.jcb.requestorId': 'x'.repeat(36),
    })
    expect(other?.threeDSRequestorName).toBe('\u{1F4B3}'.repeat(40))
  })

  test('is what the request says in their place', async () => {
    await set({ authentication })
    const heard = await askedOf(frictionless, {
      'threeDSecure.v2.visa.requestorId': 'own',
      'threeDSecure.v2.visa.requestorName': 'Own name',
      'threeDSecure.v2.mastercard.requestorId': 'of another network',
      'threeDSecure.merchant.name': 'Another',
      'threeDSecure.merchant.url': 'https://another.example/shop',
      'threeDSecure.merchant.country': 'FRA',
    })
    expect(heard).toMatchObject({
      threeDSRequestorID: 'own',
      threeDSRequestorName: 'Own name',
      threeDSRequestorURL: 'https://another.example/shop',
      merchantName: 'Another',
      merchantCountryCode: '250',
    })
  })

  test('in the test environment needs no settings, and what does not fit is left out', async () => {
    const heard = await askedOf(frictionless, {
      'threeDSecure.merchant.url': 'shop.example',
      'threeDSecure.merchant.country': 'XXX',
    })
    expect(heard).toMatchObject({ acquirerMerchantID: sandboxIds.channel, mcc: '5999', merchantCountryCode: '276' })
    expect(heard?.threeDSRequestorURL).toBe('https://pay.example')
  })
})

const delayed = { threeDSRequestorAuthenticationInd: '09' }
const splitPayment = { threeDSRequestorAuthenticationInd: '10' }

describe('what is authenticated', () => {
  test.each([
    ['the amount', {}, '9200', '978'],
    ['risk.amount, where it is sent', { 'risk.amount': '100.00', 'threeDSecure.amount': '95.00' }, '10000', '978'],
    ['a smaller risk.amount', { 'risk.amount': '1.00' }, '100', '978'],
    ['threeDSecure.amount', { 'threeDSecure.amount': '95.00' }, '9500', '978'],
    ['its currency', { 'threeDSecure.amount': '9500.00', 'threeDSecure.currency': 'JPY' }, '9500', '392'],
  ])('%s', async (_, changes, purchaseAmount, purchaseCurrency) => {
    expect(await askedOf(frictionless, changes)).toMatchObject({ purchaseAmount, purchaseCurrency })
  })

  test.each([
    ['a low value', '01', undefined, '02'],
    ['a risk that was analysed', '02', undefined, '05'],
    ['a trusted merchant', '03', undefined, '08'],
    ['a process of companies', '04', undefined, '02'],
    ['an exemption, beside a wish', '02', '04', '04'],
  ])('the wish that goes with %s', async (_, flag, wish, threeDSRequestorChallengeInd) => {
    const changes = { 'threeDSecure.exemptionFlag': flag, 'threeDSecure.challengeIndicator': wish }
    expect(await askedOf(frictionless, changes)).toMatchObject({ threeDSRequestorChallengeInd })
  })

  test('the amount that was shown is the one that is expected back', async () => {
    const { body } = await pay(challenged, { 'risk.amount': '100.00' })
    const page = pageOf(body)
    const { creq = '' } = await world.begin(page)
    await world.answer(page, creq, { password: '1234' })
    expect((await read(body.id)).result.code).toBe('000.100.110')
  })

  test.each([
    ['a payment', {}, { threeDSRequestorAuthenticationInd: '01' }],
    [
      'what is delivered in parts',
      { 'threeDSecure.authenticationInd': 'SPLIT_SHIPMENT' },
      { threeDSRequestorAuthenticationInd: '08' },
    ],
    ['what is delivered later', { 'threeDSecure.authenticationInd': '_DELAYED_SHIPMENT' }, delayed],
    ['a part of an amount', { 'threeDSecure.authenticationInd': 'SPLIT_PAYMENT' }, splitPayment],
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
      'the card alone',
      { 'threeDSecure.npa': 'true' },
      {
        messageCategory: '02',
        threeDSRequestorAuthenticationInd: '04',
      },
    ],
  ])('is %s', async (_, changes, expected) => {
    expect(await askedOf(frictionless, changes)).toMatchObject(expected)
  })

  test('an authentication of the card alone proves, and is passed on', async () => {
    const { body } = await pay(challenged, { 'threeDSecure.npa': 'true' })
    const page = pageOf(body)
    await world.answer(page, (await world.begin(page)).creq ?? '', { password: '1234' })
    const { result, threeDSecure } = await read(body.id)
    expect([result.code, threeDSecure.eci]).toEqual(['000.100.110', '05'])
  })
})

test('a stored card is authenticated like any, and the payment comes to its end', async () => {
  const { tollgate } = world
  const stored = await tollgate.send('POST', '/v1/registrations', {
    'card.number': challenged,
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
  })
  const payment = { amount: '92.00', currency: 'EUR', paymentType: 'DB', shopperResultUrl: shop, ...billing }
  const { body } = await tollgate.send('POST', `/v1/registrations/${stored.body.id}/payments`, payment)
  const page = pageOf(body)
  await world.answer(page, (await world.begin(page)).creq ?? '', { password: '1234' })
  const { result, threeDSecure } = await read(body.id)
  expect([result.code, threeDSecure.eci]).toEqual(['000.100.110', '05'])
})

describe('where things are sent, and whence', () => {
  const address = (name: string, changes: Parameters = {}) => ({
    [`${name}.street1`]: 'Hauptstr.',
    [`${name}.street2`]: 'Hinterhaus',
    ...changes,
  })

  test.each([
    ['as it is', address('billing'), { billAddrLine1: 'Hauptstr.', billAddrLine2: 'Hinterhaus' }],
    [
      'with a house number',
      address('billing', { 'billing.houseNumber1': '12', 'billing.houseNumber2': 'b' }),
      { billAddrLine1: 'Hauptstr. 12 b', billAddrLine2: undefined },
    ],
    [
      'with a house number that would not fit',
      address('billing', { 'billing.street1': 'x'.repeat(60), 'billing.houseNumber1': '12' }),
      { billAddrLine1: `${'x'.repeat(47)} 12`, billAddrLine2: undefined },
    ],
    ['of the goods', address('shipping'), { shipAddrLine1: 'Hauptstr.', shipAddrLine2: 'Hinterhaus' }],
    [
      'of the goods, with a house number',
      address('shipping', { 'shipping.houseNumber1': '12' }),
      { shipAddrLine1: 'Hauptstr. 12', shipAddrLine2: undefined },
    ],
    ['of the goods, in small letters', { 'shipping.country': 'fr' }, { shipAddrCountry: '250' }],
  ])('%s', async (_, changes, expected) => {
    const { billAddrLine1, billAddrLine2, shipAddrLine1, shipAddrLine2, shipAddrCountry } =
      (await askedOf(frictionless, changes)) ?? {}
    expect({ billAddrLine1, billAddrLine2, shipAddrLine1, shipAddrLine2, shipAddrCountry }).toMatchObject(expected)
  })
})

describe('what is mandatory where the channel authenticates', () => {
  const nowhere = Object.fromEntries(Object.keys(billing).map((name) => [name, undefined]))
  const installments = {
    'standingInstruction.type': 'INSTALLMENT',
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.source': 'CIT',
  }
  const cartesBancaires = { paymentBrand: 'CARTEBANCAIRE', 'customParameters[3DS2_enrolled]': 'true' }

  test.each<[string, string, Parameters, string]>([
    ['the address', frictionless, nowhere, Object.keys(billing).join(', ')],
    [
      'the terms of instalments',
      frictionless,
      installments,
      'standingInstruction.numberOfInstallments, standingInstruction.frequency, standingInstruction.expiry',
    ],
    ['the use case of Cartes Bancaires', '5555552500001001', cartesBancaires, 'threeDSecure.schemeData[CB-USECASE]'],
  ])('%s', async (_, number, changes, names) => {
    const asked = world.requests.length
    const { status, body } = await world.pay(number, changes)
    expect([status, body.result.code, world.requests.length]).toEqual([400, '200.300.404', asked])
    expect(body.resultDetails.ExtendedDescription).toContain(names)
    const missing = names.split(', ').map((name) => ({ name, value: '', message: 'may not be empty' }))
    expect(body.result.parameterErrors).toEqual(missing)
    expect((await read(body.id)).result.parameterErrors).toEqual(missing)
  })

  test('what is too long is named with its value, all of it at once', async () => {
    const [requestorId, requestorName] = ['i'.repeat(36), 'n'.repeat(41)]
    const { body } = await pay(frictionless, {
      'threeDSecure.v2.visa.requestorId': requestorId,
      'threeDSecure.v2.visa.requestorName': requestorName,
    })
    expect(body.result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [
        { name: 'threeDSecure.v2.visa.requestorId', value: requestorId, message: expect.stringContaining('35') },
        { name: 'threeDSecure.v2.visa.requestorName', value: requestorName, message: expect.stringContaining('40') },
      ],
    })
  })

  test.each<[string, Parameters, string]>([
    ['shopperResultUrl', { shopperResultUrl: undefined, threeDSecure: undefined }, 'shopperResultUrl'],
    ['deviceInfo', { ...app, 'threeDSecure.deviceInfo': 'no JSON' }, 'threeDSecure.deviceInfo'],
  ])('a wrong %s is named', async (_, changes, name) => {
    await set({ threeDSecure: 'always' })
    const { body } = await pay(frictionless, changes)
    await set({ threeDSecure: 'enrolled' })
    expect([body.result.code, body.result.parameterErrors?.[0]?.name]).toEqual(['200.300.404', name])
  })

  test.each<[string, string, Parameters]>([
    [
      'a part that the address does not have',
      challenged,
      { 'billing.postcode': undefined, 'customParameters[3DS2_billingUnavailable]': 'postcode' },
    ],
    ['a card that does not take part', '4111111111111111', nowhere],
    ['on a legacy channel', frictionless, { ...nowhere, ...installments, entityId: sandboxIds.secureLegacyChannel }],
    [
      'the use case, for no payment',
      '5555552500001001',
      { ...shopper, ...cartesBancaires, 'threeDSecure.npa': 'true' },
    ],
  ])('not %s', async (_, number, changes) => {
    const { status, body } = await world.pay(number, changes)
    expect([status, ['000.100.110', '000.200.000'].includes(body.result.code)]).toEqual([200, true])
  })

  test('an amount that its currency does not have is named', async () => {
    const { status, body } = await pay(frictionless, { currency: 'JPY', amount: '92', 'risk.amount': '92.50' })
    expect([status, body.result.code]).toEqual([400, '100.550.303'])
    expect(body.resultDetails.ExtendedDescription).toContain('risk.amount')
  })
})

describe('decoupled', () => {
  const decoupled = { 'threeDSecure.decoupled': 'true' }

  async function begin(number = challenged) {
    const { body } = await pay(number, decoupled)
    const page = pageOf(body)
    const step = await world.begin(page)
    return { id: body.id, page, step }
  }

  test('the shopper is told what the issuer says, and goes back to the shop; the issuer’s word ends it', async () => {
    const { id, page, step } = await begin()
    expect(step).toEqual({ next: 'wait' })
    expect(world.requests.at(-1)).toMatchObject({ threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00060' })
    const look = async () => (await world.tollgate.server.inject({ method: 'GET', url: page })).body
    const shown = await look()
    expect(shown).toContain('data-step="wait"')
    expect(shown).toContain('https://shop.example/done?id=')
    expect((await read(id)).result.code).toBe('000.200.000')
    await pass(MINUTE_MS)
    await world.issuers.advance()
    await pass(2 * MINUTE_MS)
    const { result, threeDSecure } = await read(id)
    expect([result.code, threeDSecure.eci, threeDSecure.verificationId.length]).toEqual(['000.100.110', '05', 28])
    expect(await look()).toContain('data-step="over"')
  })

  test('has the time that the channel gives it, and no longer', async () => {
    await set({ authentication: { decoupledMinutes: 90 } })
    world.heard.isDeaf = true
    const { id } = await begin()
    expect(world.requests.at(-1)).toMatchObject({ threeDSRequestorDecMaxTime: '00090' })
    await pass(89 * MINUTE_MS)
    expect((await read(id)).result.code).toBe('000.200.000')
    await pass(3 * MINUTE_MS)
    world.heard.isDeaf = false
    expect((await read(id)).result.code).toBe('100.380.501')
  })

  test('is not done where nobody asked for it', async () => {
    const { body } = await pay(challenged)
    expect((await world.begin(pageOf(body))).next).toBe('challenge')
    expect(world.requests.at(-1)?.threeDSRequestorDecReqInd).toBeUndefined()
  })
})

describe('Cartes Bancaires', () => {
  test('what the network wants is asked, and what its issuer says goes into the authorisation', async () => {
    const data = { 'CB-ITEMSNB': '02', 'CB-SCORE_MERCHANT': 'A1', 'CB-USECASE': '01' }
    const sent = Object.entries(data).map(([name, value]) => [`threeDSecure.schemeData[${name}]`, value])
    const question = vi.spyOn(world.tollgate.gateway.acquirers.direct, 'ask')
    const { body } = await pay('5555552500001001', { paymentBrand: 'CARTEBANCAIRE', ...Object.fromEntries(sent) })
    expect(world.requests.at(-1)?.messageExtension).toEqual(expect.arrayContaining(cartesBancairesRequest(data)))
    const told = question.mock.calls.at(-1)?.[0].parameters
    question.mockRestore()
    const names = ['CB-USECASE', 'CB-AVALGO', 'CB-EXEMPTION', 'CB-SCORE'] as const
    expect(names.map((name) => told?.get(`threeDSecure.schemeData[${name}]`))).toEqual(['01', '4', 'AAAA', '10'])
    const { result, threeDSecure } = await read(body.id)
    expect([result.code, threeDSecure.eci]).toEqual(['000.100.110', '02'])
  })
})

describe('an app', () => {
  test('a frictionless authentication needs no page', async () => {
    const { status, body } = await pay(frictionless, app)
    expect([status, body.result.code, body.redirect]).toEqual([200, '000.100.110', undefined])
    expect(body.threeDSecure).toMatchObject({ eci: '05', authenticationStatus: 'Y', version: '2.2.0' })
    expect(world.requests.at(-1)).toMatchObject({ deviceChannel: '01', sdkTransID, sdkEncData: 'e.n.c.r.ypted' })
  })

  test.each([
    ['refused', '4012001037141112', '100.380.401', 400],
    ['nobody can say', '4012001037461114', '000.100.110', 200],
    ['does not take part', '4532497088771651', '000.100.110', 200],
  ])('%s', async (_, number, code, status) => {
    const answer = await pay(number, app)
    expect([answer.status, answer.body.result.code]).toEqual([status, code])
    expect((await read(answer.body.id)).result.code).toBe(code)
  })

  test.each([
    ['the right password', { challengeDataEntry: '1234' }, '000.100.110'],
    ['a rejection', { challengeDataEntry: '2222' }, '100.390.100'],
    ['cancel', { challengeCancel: '01' }, '100.380.401'],
  ])('a challenge by the SDK, %s', async (_, entry, code) => {
    const { body } = await pay(challenged, app)
    expect(body.result.code).toBe('000.200.000')
    expect(body.redirect).toBeUndefined()
    const { threeDSServerTransID, acsTransID, messageVersion, acsSignedContent } = body.challenge
    expect([body.challenge.sdkTransID, acsSignedContent.split('.').length]).toEqual([sdkTransID, 3])
    const context = { messageVersion: '2.2.0', deviceChannel: '01', sdkTransID, acsTransID } as const
    const creq = { messageVersion, threeDSServerTransID, acsTransID, sdkTransID }
    await world.send('/acs/app', writeMessage('CReq', { ...creq, sdkCounterStoA: '000' }, context))
    const answer = await world.send(
      '/acs/app',
      writeMessage('CReq', { ...creq, sdkCounterStoA: '001', ...entry }, context),
    )
    expect(readMessage('CRes', answer, context)).toMatchObject({ ok: { challengeCompletionInd: 'Y' } })
    await pass(2 * MINUTE_MS)
    const after = await read(body.id)
    expect([after.result.code, after.challenge]).toEqual([code, undefined])
    if (code === '000.100.110')
      expect(after.threeDSecure).toMatchObject({ authType: '02', challengeMandatedIndicator: 'N' })
  })

  test.each(threeDSecureFaultCards.filter(({ fault, flow }) => flow === 'frictionless' && fault !== 'silence'))(
    'nothing is believed that breaks its table: $fault',
    async ({ number, fault }) => {
      const { body } = await pay(number, app)
      const isKept = fault === 'wrongProof' || fault === 'oldVersion'
      expect(body.result.code).toBe('000.100.110')
      expect(body.threeDSecure?.verificationId?.length).toBe(isKept ? 28 : undefined)
    },
  )

  test('an SDK that never challenges ends by its time', async () => {
    const { body } = await pay(challenged, app)
    await pass(12 * MINUTE_MS)
    expect((await read(body.id)).result.code).toBe('100.380.501')
  })

  test.each(['', '{', '{"sdkTransID":"x"}', Buffer.from('nothing').toString('base64')])(
    'what is no device is refused by name: %j',
    async (deviceInfo) => {
      const { status, body } = await pay(frictionless, { ...app, 'threeDSecure.deviceInfo': deviceInfo || '""' })
      expect([status, body.result.code]).toEqual([400, '200.300.404'])
      expect(body.resultDetails.ExtendedDescription).toContain('threeDSecure.deviceInfo')
    },
  )
})

/** A charge that the merchant makes by an agreement, without the shopper. */
const charge = {
  shopperResultUrl: undefined,
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
  'standingInstruction.initialTransactionId': '123456789012345',
}

describe('every result of an issuer is received, and ends the payment', () => {
  const decoupled = { 'threeDSecure.decoupled': 'true' }
  const deviceOf = (messageVersion: string) => ({
    'threeDSecure.deviceInfo': JSON.stringify({ ...device, messageVersion }),
  })

  /** What we answered to the results of the newest authentication. The issuer sends one again that is not answered. */
  function statuses(): readonly number[] {
    const id = world.requests.at(-1)?.threeDSServerTransID
    return world.heard.results.filter(({ of }) => of === id).map(({ status }) => status)
  }

  /** The SDK enters the right password. */
  async function challenge({ challenge: said }: TestAnswer['body']): Promise<void> {
    const { threeDSServerTransID, acsTransID, messageVersion } = said
    const context = { messageVersion, deviceChannel: '01', sdkTransID, acsTransID } as const
    const creq = { messageVersion, threeDSServerTransID, acsTransID, sdkTransID }
    for (const [sdkCounterStoA, challengeDataEntry] of [
      ['000', undefined],
      ['001', '1234'],
    ] as const) {
      await world.send('/acs/app', writeMessage('CReq', { ...creq, sdkCounterStoA, challengeDataEntry }, context))
    }
  }

  /** The cardholder says yes, half a minute later. */
  async function agree(): Promise<void> {
    await pass(MINUTE_MS)
    await world.issuers.advance()
  }

  test.each([
    ['an app', { ...app, ...deviceOf('2.2.0') }, challenge],
    ['an app of 2.1', { ...app, ...deviceOf('2.1.0') }, challenge],
    ['an app, decoupled', { ...app, ...decoupled }, agree],
    ['a charge by the merchant, decoupled', { ...charge, ...decoupled, 'threeDSecure.threeRIInd': 'RECURRING' }, agree],
  ])('%s', async (_, changes, end) => {
    const { body } = await pay(challenged, changes)
    expect(body.result.code).toBe('000.200.000')
    await end(body)
    expect(statuses()).toEqual([200])
    await vi.waitFor(async () => expect((await read(body.id)).result.code).toBe('000.100.110'))
  })

  test('a browser, decoupled', async () => {
    const { body } = await pay(challenged, decoupled)
    await world.begin(pageOf(body))
    await agree()
    expect(statuses()).toEqual([200])
    await vi.waitFor(async () => expect((await read(body.id)).result.code).toBe('000.100.110'))
  })
})

describe('a charge by the merchant (3RI)', () => {
  test('is authenticated where the channel is set to it', async () => {
    await set({ authentication: { merchantInitiated: true } })
    const { body } = await pay(frictionless, charge)
    expect([body.result.code, body.threeDSecure.eci]).toEqual(['000.100.110', '05'])
    expect(world.requests.at(-1)).toMatchObject({
      deviceChannel: '03',
      threeRIInd: '01',
      recurringExpiry: '99991231',
      recurringFrequency: '1',
    })
  })

  test('or where the request says why', async () => {
    const { body } = await pay(frictionless, { ...charge, 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT' })
    expect([body.result.code, body.threeDSecure.eci]).toEqual(['000.100.110', '05'])
    expect(world.requests.at(-1)).toMatchObject({ deviceChannel: '03', threeRIInd: '06' })
  })

  test('the issuer gets the authentication of the agreement', async () => {
    await set({ authentication: { merchantInitiated: true } })
    const agreement = { ...charge, 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' }
    const began = await pay(frictionless, {
      ...agreement,
      ...app,
      'standingInstruction.initialTransactionId': undefined,
    })
    const { CardholderInitiatedTransactionID } = began.body.resultDetails
    const { body } = await pay(frictionless, {
      ...charge,
      'standingInstruction.initialTransactionId': CardholderInitiatedTransactionID,
    })
    expect(body.result.code).toBe('000.100.110')
    expect(world.requests.at(-1)?.threeDSRequestorPriorAuthenticationInfo).toEqual({
      threeDSReqPriorRef: began.body.threeDSecure.acsTransactionId,
      threeDSReqPriorAuthTimestamp: expect.stringMatching(/^[0-9]{12}$/),
    })
  })

  test.each(['3', '03'])(
    'or where it marks itself, whoever is the source: threeDSecure.channel=%s',
    async (channel) => {
      const { body } = await pay(frictionless, { shopperResultUrl: undefined, 'threeDSecure.channel': channel })
      expect([body.result.code, body.threeDSecure.eci]).toEqual(['000.100.110', '05'])
      expect(world.requests.at(-1)).toMatchObject({ deviceChannel: '03', threeRIInd: '11' })
    },
  )

  test('is refused where the channel does not authenticate', async () => {
    await set({ threeDSecure: 'off' })
    const { status, body } = await pay(frictionless, { shopperResultUrl: undefined, 'threeDSecure.channel': '3' })
    await set({ threeDSecure: 'enrolled' })
    expect([status, body.result.code]).toEqual([400, '600.200.201'])
    expect(body.resultDetails.ExtendedDescription).toContain('threeDSecure.channel=3')
  })

  test('is not, otherwise', async () => {
    const before = world.requests.length
    const { body } = await pay(frictionless, charge)
    expect([body.result.code, body.threeDSecure, world.requests.length]).toEqual(['000.100.110', undefined, before])
  })

  test('there is nobody to challenge: the issuer declines, or reaches its cardholder by itself', async () => {
    await set({ authentication: { merchantInitiated: true } })
    const declined = await pay(challenged, charge)
    expect([declined.body.result.code, declined.body.resultDetails.TransactionStatusReason]).toEqual([
      '100.380.401',
      '23',
    ])
    const { body } = await pay(challenged, { ...charge, 'threeDSecure.decoupled': 'true' })
    expect([body.result.code, typeof body.resultDetails.CardholderInfo]).toEqual(['000.200.000', 'string'])
    await pass(MINUTE_MS)
    await world.issuers.advance()
    await pass(2 * MINUTE_MS)
    expect((await read(body.id)).result.code).toBe('000.100.110')
  })
})

describe('without a payment', () => {
  test('in an app, at once', async () => {
    const { body } = await world.authenticate(frictionless, { ...shopper, ...app, shopperResultUrl: shop })
    expect([body.result.code, body.redirect, body.threeDSecure.eci]).toEqual(['000.400.110', undefined, '05'])
    expect(world.requests.at(-1)?.deviceChannel).toBe('01')
  })

  test('in an app, with a challenge', async () => {
    const { body } = await world.authenticate(challenged, { ...shopper, ...app, shopperResultUrl: shop })
    expect([body.result.code, body.redirect, body.challenge.sdkTransID]).toEqual(['000.200.000', undefined, sdkTransID])
  })

  test('nor a shopper (3RI)', async () => {
    const split = { 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT', shopperResultUrl: shop }
    const { body } = await world.authenticate(frictionless, { ...charge, ...split })
    expect([body.result.code, body.redirect, body.threeDSecure.eci]).toEqual(['000.400.110', undefined, '05'])
    expect(world.requests.at(-1)).toMatchObject({ deviceChannel: '03', threeRIInd: '06' })
  })

  test('decoupled', async () => {
    const { body } = await world.authenticate('4200000000000018', { ...shopper, 'threeDSecure.decoupled': 'true' })
    expect(body.result.code).toBe('000.200.000')
    expect((await world.tollgate.server.inject({ method: 'GET', url: pageOf(body) })).body).toContain(
      'data-step="wait"',
    )
    await pass(MINUTE_MS)
    await world.issuers.advance()
    await pass(2 * MINUTE_MS)
    const after = (await world.readAuthentication(body.id)).body
    expect([after.result.code, after.threeDSecure.authType]).toEqual(['000.000.000', '04'])
  })
})
