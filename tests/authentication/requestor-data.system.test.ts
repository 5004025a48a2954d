import { sandboxIds } from '@tollgate/gateway'
import type { Parameters } from '@tollgate/gateway/testing'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { appParameters, challenged, frictionless, requestor, shopper } from './requestor.ts'
import { billing, pageOf, withIssuers } from './with-issuers.ts'

const setup = await withIssuers()
const { pay, read, changeSettings, resetSettings, authenticationRequestOf } = requestor(setup)
afterAll(() => setup.tollgate.close())
afterEach(resetSettings)

const mastercard = '5200000000000007'

test('the IP address in the authentication request is that of the shopper, not of a trusted proxy', async () => {
  const { body } = await setup.pay(frictionless)
  await setup.begin(pageOf(body), { 'x-forwarded-for': '198.51.100.7' })
  expect(setup.requests.at(-1)?.browserIP).toBe('198.51.100.7')
})

describe('the data of the requestor', () => {
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

  test('are the channel’s settings, for each network', async () => {
    expect((await changeSettings({ authentication })).status).toBe(200)
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
    expect(await authenticationRequestOf(frictionless)).toMatchObject(visa)
    const mastercardData = { acquirerBIN: '520000', threeDSRequestorID: 'R-2', acquirerMerchantID: 'M-1' }
    expect(await authenticationRequestOf(mastercard)).toMatchObject(mastercardData)
  })

  test('are refused, not truncated, if they are overlong', async () => {
    const { status, body } = await pay(frictionless, { 'threeDSecure.v2.visa.requestorId': 'x'.repeat(36) })
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
    expect(body.resultDetails.ExtendedDescription).toBe(
      'threeDSecure.v2.visa.requestorId must have at most 35 characters in 3-D Secure',
    )
    const acceptedRequest = await authenticationRequestOf(frictionless, {
      'threeDSecure.v2.visa.requestorName': '\u{1F4B3}'.repeat(40),
      'threeDSecure.v2.jcb.requestorId': 'x'.repeat(36),
    })
    expect(acceptedRequest?.threeDSRequestorName).toBe('\u{1F4B3}'.repeat(40))
  })

  test('are replaced by parameters of the request', async () => {
    await changeSettings({ authentication })
    const request = await authenticationRequestOf(frictionless, {
      'threeDSecure.v2.visa.requestorId': 'own',
      'threeDSecure.v2.visa.requestorName': 'Own name',
      'threeDSecure.v2.mastercard.requestorId': 'of another network',
      'threeDSecure.merchant.name': 'Another',
      'threeDSecure.merchant.url': 'https://another.example/shop',
      'threeDSecure.merchant.country': 'FRA',
    })
    expect(request).toMatchObject({
      threeDSRequestorID: 'own',
      threeDSRequestorName: 'Own name',
      threeDSRequestorURL: 'https://another.example/shop',
      merchantName: 'Another',
      merchantCountryCode: '250',
    })
  })

  test('have defaults in the test environment, which also replace invalid values', async () => {
    const request = await authenticationRequestOf(frictionless, {
      'threeDSecure.merchant.url': 'shop.example',
      'threeDSecure.merchant.country': 'XXX',
    })
    expect(request).toMatchObject({ acquirerMerchantID: sandboxIds.channel, mcc: '5999', merchantCountryCode: '276' })
    expect(request?.threeDSRequestorURL).toBe('https://pay.example')
  })
})

describe('addresses in the authentication request', () => {
  const address = (name: string, changes: Parameters = {}) => ({
    [`${name}.street1`]: 'Hauptstr.',
    [`${name}.street2`]: 'Hinterhaus',
    ...changes,
  })

  test.each([
    ['the billing address', address('billing'), { billAddrLine1: 'Hauptstr.', billAddrLine2: 'Hinterhaus' }],
    [
      'the billing address with a house number',
      address('billing', { 'billing.houseNumber1': '12', 'billing.houseNumber2': 'b' }),
      { billAddrLine1: 'Hauptstr. 12 b', billAddrLine2: undefined },
    ],
    [
      'the billing address with a street too long for its house number',
      address('billing', { 'billing.street1': 'x'.repeat(60), 'billing.houseNumber1': '12' }),
      { billAddrLine1: `${'x'.repeat(47)} 12`, billAddrLine2: undefined },
    ],
    ['the shipping address', address('shipping'), { shipAddrLine1: 'Hauptstr.', shipAddrLine2: 'Hinterhaus' }],
    [
      'the shipping address with a house number',
      address('shipping', { 'shipping.houseNumber1': '12' }),
      { shipAddrLine1: 'Hauptstr. 12', shipAddrLine2: undefined },
    ],
    ['the shipping country in lower case', { 'shipping.country': 'fr' }, { shipAddrCountry: '250' }],
  ])('%s is mapped to its fields', async (_, changes, expected) => {
    const { billAddrLine1, billAddrLine2, shipAddrLine1, shipAddrLine2, shipAddrCountry } =
      (await authenticationRequestOf(frictionless, changes)) ?? {}
    expect({ billAddrLine1, billAddrLine2, shipAddrLine1, shipAddrLine2, shipAddrCountry }).toMatchObject(expected)
  })
})

describe('mandatory data of channels with authentication', () => {
  const withoutAddress = Object.fromEntries(Object.keys(billing).map((name) => [name, undefined]))
  const installments = {
    'standingInstruction.type': 'INSTALLMENT',
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.source': 'CIT',
  }
  const cartesBancaires = { paymentBrand: 'CARTEBANCAIRE', 'customParameters[3DS2_enrolled]': 'true' }

  test.each<[string, string, Parameters, string]>([
    ['the address', frictionless, withoutAddress, Object.keys(billing).join(', ')],
    [
      'the terms of instalments',
      frictionless,
      installments,
      'standingInstruction.numberOfInstallments, standingInstruction.frequency, standingInstruction.expiry',
    ],
    ['the use case of Cartes Bancaires', '5555552500001001', cartesBancaires, 'threeDSecure.schemeData[CB-USECASE]'],
  ])('a payment without %s is refused', async (_, number, changes, names) => {
    const requestCount = setup.requests.length
    const { status, body } = await setup.pay(number, changes)
    expect([status, body.result.code, setup.requests.length]).toEqual([400, '200.300.404', requestCount])
    expect(body.resultDetails.ExtendedDescription).toContain(names)
    const missing = names.split(', ').map((name) => ({ name, value: '', message: 'may not be empty' }))
    expect(body.result.parameterErrors).toEqual(missing)
    expect((await read(body.id)).result.parameterErrors).toEqual(missing)
  })

  test('a refusal lists all overlong values at once', async () => {
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
    ['deviceInfo', { ...appParameters, 'threeDSecure.deviceInfo': 'no JSON' }, 'threeDSecure.deviceInfo'],
  ])('the refusal of a missing or invalid %s contains its name', async (_, changes, name) => {
    await changeSettings({ threeDSecure: 'always' })
    const { body } = await pay(frictionless, changes)
    expect([body.result.code, body.result.parameterErrors?.[0]?.name]).toEqual(['200.300.404', name])
  })

  test.each<[string, string, Parameters]>([
    [
      'an unavailable part of the address',
      challenged,
      { 'billing.postcode': undefined, 'customParameters[3DS2_billingUnavailable]': 'postcode' },
    ],
    ['a card that is not enrolled and no address', '4111111111111111', withoutAddress],
    [
      'missing data on a legacy channel',
      frictionless,
      { ...withoutAddress, ...installments, entityId: sandboxIds.secureLegacyChannel },
    ],
    [
      'a non-payment authentication without a use case',
      '5555552500001001',
      { ...shopper, ...cartesBancaires, 'threeDSecure.npa': 'true' },
    ],
  ])('a payment is accepted with %s', async (_, number, changes) => {
    const { status, body } = await setup.pay(number, changes)
    expect([status, ['000.100.110', '000.200.000'].includes(body.result.code)]).toEqual([200, true])
  })

  test('the refusal of a risk.amount with too many decimals for its currency names the parameter', async () => {
    const { status, body } = await pay(frictionless, { currency: 'JPY', amount: '92', 'risk.amount': '92.50' })
    expect([status, body.result.code]).toEqual([400, '100.550.303'])
    expect(body.resultDetails.ExtendedDescription).toContain('risk.amount')
  })
})
