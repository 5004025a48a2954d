import { MINUTE_MS } from '@tollgate/contract'
import { type ThreeDSecureCard, threeDSecureCards, threeDSecureFaultCards } from '@tollgate/connectors'
import { sandboxIds } from '@tollgate/gateway'
import { afterAll, describe, expect, test } from 'vitest'
import { billing, ISSUERS, pageOf, RESULT_URL, browserData, withIssuers } from './with-issuers.ts'

const { tollgate, traffic, requests, post, pay, authenticate, readAuthentication, begin, answer } = await withIssuers()
afterAll(() => tollgate.close())
const { gateway } = tollgate

/** The brand Cartes Bancaires, with the parameter that it requires in every authentication of a payment. */
const cartesBancaires = { paymentBrand: 'CARTEBANCAIRE', 'threeDSecure.schemeData[CB-USECASE]': '01' }

/** Final result codes by the transaction status of the issuer's first answer. */
const resultCodes: Readonly<Record<string, string>> = {
  Y: '000.400.110',
  A: '000.400.110',
  U: '000.400.101',
  N: '000.400.102',
  C: '000.000.000',
  /** The card is not enrolled. */
  '': '000.400.109',
}

/** Expects that no sealed card number of an ended authentication is stored. */
async function expectErased(id: string): Promise<void> {
  const account = await gateway.storage.account(id)
  expect([account?.last4?.length, account?.sealed, account?.wrapped_key]).toEqual([4, null, null])
}

// The short run tests the cards of two networks: page, challenge and gateway are the same for all networks.
const isLongRun = process.env['TOLLGATE_TEST_LONG'] === '1'
const isTested = ({ brand }: ThreeDSecureCard) => isLongRun || brand === 'VISA' || brand === 'MASTER'

describe('each 3-D Secure test card has the result of its row', () => {
  test.each(threeDSecureCards.filter(isTested))('$brand $number: $flow $transactionStatus', async (card) => {
    const schemeParameters = card.brand === 'CARTEBANCAIRE' ? cartesBancaires : {}
    const first = await authenticate(card.number, { ...schemeParameters, ...browserData })
    const { id, result } = first.body
    expect(first.text).not.toContain(card.number)
    const needsPage = card.flow !== 'none' && (card.methodData || card.flow === 'challenge')
    const finalCode = resultCodes[card.transactionStatus ?? '']
    const isProven = card.flow === 'challenge' || card.transactionStatus === 'Y' || card.transactionStatus === 'A'
    expect([first.status, result.code]).toEqual(needsPage ? [200, '000.200.000'] : [isProven ? 200 : 400, finalCode])
    if (needsPage) {
      const page = pageOf(first.body)
      const step = await begin(page)
      if (card.flow === 'challenge') {
        expect([step.next, step.url]).toEqual(['challenge', `${ISSUERS}/acs/challenge`])
        expect(await answer(page, step.creq ?? '', { password: '1234' })).toBe(200)
      } else {
        const path = encodeURIComponent(`/v1/threeDSecure/${id}`)
        expect(step).toEqual({ next: 'over', url: `${RESULT_URL}?id=${id}&resourcePath=${path}` })
      }
    }
    const { body, text } = await readAuthentication(id)
    expect([body.paymentType, body.amount, body.currency]).toEqual(['3D', '92.00', 'EUR'])
    expect(body.result.code).toBe(finalCode)
    expect(text).not.toContain(card.number)
    expect(body.redirect).toBeUndefined()
    expect(body.threeDSecure?.verificationId?.length).toBe(isProven ? 28 : undefined)
    if (card.eci !== undefined) expect(body.threeDSecure.eci).toBe(card.eci)
    if (card.flow !== 'none') {
      const status = card.flow === 'challenge' ? 'Y' : card.transactionStatus
      expect(body.threeDSecure).toMatchObject({ version: '2.2.0', authenticationStatus: status })
      expect(body.threeDSecure.dsTransactionId).toMatch(/^[0-9a-f-]{36}$/)
      expect(body.threeDSecure.acsTransactionId).toMatch(/^[0-9a-f-]{36}$/)
    }
    await expectErased(id)
  })
})

const frictionless = '4200000000000026'
const challenged = '4200000000000042'

async function startChallenge() {
  const { body } = await authenticate(challenged)
  const page = pageOf(body)
  return { id: String(body.id), page, creq: (await begin(page)).creq ?? '' }
}

test.each([
  ['the right password', { password: '1234' }, '000.000.000', 'Y'],
  ['an attempted authentication', { password: '7777' }, '000.000.000', 'A'],
  ['the issuer’s rejection', { password: '2222' }, '100.390.100', undefined],
  ['an unavailable authentication', { password: '3333' }, '000.400.101', 'U'],
  ['a cancellation', { cancel: '1' }, '100.380.401', 'N'],
])('a challenge with %s has its result code', async (_, fields, code, status) => {
  const { id, page, creq } = await startChallenge()
  await answer(page, creq, fields)
  const { body } = await readAuthentication(id)
  expect([body.result.code, body.threeDSecure.authenticationStatus]).toEqual([code, status])
  const isProven = status === 'Y' || status === 'A'
  expect(body.threeDSecure.verificationId?.length).toBe(isProven ? 28 : undefined)
  await expectErased(id)
})

test('the sealed card number is erased when the authentication ends', async () => {
  const { id, page, creq } = await startChallenge()
  expect((await gateway.storage.account(id))?.sealed).not.toBeNull()
  await answer(page, creq, { password: '1234' })
  await expectErased(id)
})

test('an unanswered challenge times out, and a later answer changes nothing', async () => {
  const { id, page, creq } = await startChallenge()
  await gateway.jobs.fastForward(gateway.clock.now() + 12 * MINUTE_MS)
  const timedOut = await readAuthentication(id)
  expect(timedOut.body.result.code).toBe('100.380.501')
  await expectErased(id)
  await answer(page, creq, { password: '1234' })
  expect((await readAuthentication(id)).body.result).toEqual(timedOut.body.result)
})

test('an authentication whose page is never opened times out', async () => {
  const { body } = await authenticate(challenged)
  await gateway.jobs.fastForward(gateway.clock.now() + 12 * MINUTE_MS)
  expect((await readAuthentication(body.id)).body.result.code).toBe('100.380.501')
  await expectErased(body.id)
  expect((await begin(pageOf(body))).next).toBe('over')
})

test('repeated and concurrent requests have one outcome', async () => {
  const { id, page, creq } = await startChallenge()
  expect(await begin(page)).toEqual({ next: 'wait' })
  await Promise.all([answer(page, creq, { password: '1234' }), post(`${page}/result`, '')])
  await Promise.all([
    answer(page, creq, { password: '2222' }),
    ...Array.from({ length: 20 }, () => post(`${page}/result`, '')),
  ])
  const tree = await gateway.storage.treeOf(id)
  expect(tree?.transactions.map(({ result_code }) => result_code)).toEqual(['000.000.000'])
})

test('a result that the browser sends does not complete the authentication', async () => {
  const { id, page } = await startChallenge()
  await post(`${page}/result`, 'cres=eyJ0cmFuc1N0YXR1cyI6IlkifQ')
  expect((await readAuthentication(id)).body.result.code).toBe('000.200.000')
})

test('an authentication with all browser data and without a 3DS method has no redirect', async () => {
  const { body } = await authenticate(frictionless, browserData)
  expect([body.result.code, body.redirect]).toEqual(['000.400.110', undefined])
})

test('the authentication page reads the browser data that are missing in the request', async () => {
  const { body } = await authenticate(frictionless)
  expect(body.result.code).toBe('000.200.000')
  await begin(pageOf(body))
  expect((await readAuthentication(body.id)).body.result.code).toBe('000.400.110')
})

test('an issuer that requests a challenge before the page is opened receives one request', async () => {
  traffic.authenticationRequestCount = 0
  const { body } = await authenticate('4200000000000018', browserData)
  const step = await begin(pageOf(body))
  expect([body.result.code, step.next, traffic.authenticationRequestCount]).toEqual(['000.200.000', 'challenge', 1])
  await answer(pageOf(body), step.creq ?? '', { password: '1234' })
  expect((await readAuthentication(body.id)).body.result.code).toBe('000.000.000')
})

test('concurrent requests with the same Idempotency-Key make one authentication', async () => {
  const send = () => tollgate.send('POST', '/v1/threeDSecure', parameters, { 'idempotency-key': 'authenticate-once' })
  const parameters = {
    amount: '1.00',
    currency: 'EUR',
    'card.number': frictionless,
    shopperResultUrl: RESULT_URL,
    ...expiry,
    ...browserData,
    ...billing,
  }
  traffic.authenticationRequestCount = 0
  const [first, second] = await Promise.all([send(), send()])
  expect([second.body.id, traffic.authenticationRequestCount]).toEqual([first.body.id, 1])
})

const expiry = { 'card.expiryMonth': '05', 'card.expiryYear': '2034' }

test('a payment accepts the result of a standalone authentication as a proof', async () => {
  const { body } = await authenticate(frictionless, browserData)
  const { eci, verificationId, version, dsTransactionId, acsTransactionId, authenticationStatus } = body.threeDSecure
  const paid = await pay(frictionless, {
    entityId: sandboxIds.secureChannel,
    'threeDSecure.eci': eci,
    'threeDSecure.verificationId': verificationId,
    'threeDSecure.version': version,
    'threeDSecure.dsTransactionId': dsTransactionId,
    'threeDSecure.acsTransactionId': acsTransactionId,
    'threeDSecure.authenticationStatus': authenticationStatus,
  })
  expect([paid.body.result.code, paid.body.redirect]).toEqual(['000.100.110', undefined])
  expect(paid.body.threeDSecure).toEqual(body.threeDSecure)
})

test.each(['4012001036275556', '4012888888881881'])(
  'a card is authenticated although the channel lacks its brand: %s',
  async (number) => {
    const setBrands = (brands: string[] | null) =>
      tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { brands } })
    await setBrands(['MASTER'])
    const { body } = await authenticate(number, browserData)
    await setBrands(null)
    if (number === '4012888888881881') {
      expect(body.result.code).toBe('000.200.000')
      await answer(pageOf(body), (await begin(pageOf(body))).creq ?? '', { password: '1234' })
    }
    const { threeDSecure } = (await readAuthentication(body.id)).body
    expect([threeDSecure.authenticationStatus, threeDSecure.eci]).toEqual(['Y', '05'])
  },
)

test('risk.amount is authenticated, in the currency of the request', async () => {
  const amounts = { 'risk.amount': '5.00', 'threeDSecure.amount': '7.50', 'threeDSecure.currency': 'JPY' }
  const { body } = await authenticate(frictionless, { ...browserData, ...amounts })
  expect([body.amount, body.currency, requests.at(-1)?.purchaseAmount]).toEqual(['5.00', 'EUR', '500'])
})

test('a 3RI authentication fails if the issuer supports only version 2.1', async () => {
  const number = threeDSecureFaultCards.find(({ fault }) => fault === 'oldVersion')?.number ?? ''
  const { status, body } = await authenticate(number, { 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT' })
  expect([status, body.result.code]).toEqual([400, '000.400.109'])
})

test('missing mandatory fields are refused by name, unless the merchant declares them unavailable', async () => {
  const requestsBefore = traffic.authenticationRequestCount
  const incomplete = { ...browserData, 'billing.city': undefined, 'billing.postcode': undefined }
  const { status, body } = await authenticate(frictionless, incomplete)
  expect([status, body.result.code, traffic.authenticationRequestCount]).toEqual([400, '200.300.404', requestsBefore])
  expect(body.resultDetails.ExtendedDescription).toContain('billing.city, billing.postcode may not be empty')
  await expectErased(body.id)
  const accepted = await authenticate(frictionless, {
    ...incomplete,
    'customParameters[3DS2_billingUnavailable]': 'city,postcode',
  })
  expect(accepted.body.result.code).toBe('000.400.110')
})

test('threeDSecure.amount is authenticated', async () => {
  const amounts = { 'threeDSecure.amount': '7.50', 'threeDSecure.currency': 'USD' }
  const { body } = await authenticate(frictionless, { ...browserData, ...amounts })
  expect([body.amount, body.currency, body.result.code]).toEqual(['7.50', 'USD', '000.400.110'])
  expect(requests.at(-1)).toMatchObject({ purchaseAmount: '750', purchaseCurrency: '840' })
})

describe('a stored card', () => {
  const storedAccountRequest = {
    amount: '92.00',
    currency: 'EUR',
    shopperResultUrl: RESULT_URL,
    ...browserData,
    ...billing,
  }
  const storeCard = async (number: string): Promise<string> => {
    const card = { 'card.number': number, 'card.holder': 'Jane Jones', ...expiry }
    return (await tollgate.send('POST', '/v1/registrations', card)).body.id
  }
  const authenticateStored = (id: string, changes = {}) =>
    tollgate.send('POST', `/v1/registrations/${id}/threeDSecure`, { ...storedAccountRequest, ...changes })

  test('is authenticated, and can be charged afterwards', async () => {
    const registrationId = await storeCard('4200000000000018')
    const { body } = await authenticateStored(registrationId)
    expect([body.result.code, body.registrationId]).toEqual(['000.200.000', registrationId])
    const step = await begin(pageOf(body))
    await answer(pageOf(body), step.creq ?? '', { password: '1234' })
    expect((await readAuthentication(body.id)).body.result.code).toBe('000.000.000')
    await expectErased(body.id)
    const charge = { paymentType: 'DB', amount: '1.00', currency: 'EUR' }
    const paid = await tollgate.send('POST', `/v1/registrations/${registrationId}/payments`, charge)
    expect(paid.body.result.code).toBe('000.100.110')
  })

  test('is authenticated at once without a challenge', async () => {
    const { body } = await authenticateStored(await storeCard(frictionless))
    expect([body.result.code, body.threeDSecure.authenticationStatus]).toEqual(['000.400.110', 'Y'])
    await expectErased(body.id)
  })

  test('is refused with a card number in the request; an unknown registration is answered with 404', async () => {
    const refused = await authenticateStored(await storeCard(frictionless), { 'card.number': frictionless })
    expect([refused.status, refused.body.result.parameterErrors[0].name]).toEqual([400, 'card.number'])
    const { status } = await authenticateStored('0123456789abcdef0123456789abcdef')
    expect(status).toBe(404)
  })
})

describe('parameters of a standalone authentication', () => {
  test.each([
    ['no shopperResultUrl', { shopperResultUrl: undefined }, 'shopperResultUrl'],
    ['a relative shopperResultUrl', { shopperResultUrl: '/done' }, 'shopperResultUrl'],
    ['a shopperResultUrl with a script', { shopperResultUrl: 'javascript:alert(1)' }, 'shopperResultUrl'],
    ['a card that a terminal has read', { 'pos.entryMode': 'ICC', 'pos.terminalId': '1' }, 'pos.entryMode'],
    [
      'a proof of an authentication',
      { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'A'.repeat(28) },
      'threeDSecure.eci',
    ],
    ['another paymentType', { paymentType: 'PA' }, 'paymentType'],
    ['a request for a registration', { createRegistration: 'true' }, 'createRegistration'],
    ['no amount', { amount: undefined }, 'amount'],
    ['no card', { 'card.number': undefined }, 'card.number'],
  ])('the refusal of %s contains the name of the parameter', async (_, changes, name) => {
    const { status, body } = await authenticate(frictionless, changes)
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
    expect(body.result.parameterErrors.map((error: { name: string }) => error.name)).toContain(name)
  })

  test.each([
    ['a zero amount', { amount: '0.00' }, '100.550.300'],
    ['a fraction of a yen', { amount: '1.50', currency: 'JPY' }, '100.550.303'],
    ['an expired card', { 'card.expiryYear': '2024' }, '100.100.303'],
    ['a wrong check digit', { 'card.number': '4200000000000027' }, '100.100.101'],
    ['a brand without cards', { paymentBrand: 'PAYPAL' }, '100.100.501'],
    ['a bank account', { 'card.number': undefined, ...noCardData, ...bankAccount }, '100.100.501'],
  ])('the refusal of %s is stored, without the card number', async (_, changes, code) => {
    const { status, body } = await authenticate(frictionless, { ...browserData, ...changes })
    expect([status, body.result.code]).toEqual([400, code])
    expect((await readAuthentication(body.id)).body.result.code).toBe(code)
    expect((await gateway.storage.account(body.id))?.sealed ?? null).toBeNull()
  })

  test('a card is authenticated with testMode=EXTERNAL', async () => {
    const { body } = await authenticate(frictionless, { ...browserData, testMode: 'EXTERNAL' })
    expect(body.result.code).toBe('000.400.110')
  })

  test('a zero amount is accepted with threeDSecure.npa', async () => {
    const changes = { amount: '0.00', 'threeDSecure.npa': 'true', ...browserData }
    expect((await authenticate(frictionless, changes)).body.result.code).toBe('000.400.110')
  })
})

const noCardData = { 'card.holder': undefined, 'card.expiryMonth': undefined, 'card.expiryYear': undefined }
const bankAccount = {
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'DE89370400440532013000',
}

describe('a standalone authentication', () => {
  test.each([
    ['CP', '700.400.510'],
    ['RV', '700.400.530'],
    ['RF', '600.200.500'],
    ['RB', '700.400.520'],
    ['PA', '700.100.700'],
  ])('refuses the follow-up %s', async (paymentType, code) => {
    const { body } = await authenticate(frictionless, browserData)
    const followUp = await tollgate.send('POST', `/v1/payments/${body.id}`, {
      paymentType,
      amount: '1.00',
      currency: 'EUR',
    })
    expect([followUp.status, followUp.body.result.code]).toEqual([400, code])
    expect((await gateway.storage.treeOf(body.id))?.transactions.length).toBe(1)
  })

  test('cannot be read as a payment, nor a payment as an authentication', async () => {
    const { body } = await authenticate(frictionless, browserData)
    const { body: paid } = await pay('4111111111111111', { shopperResultUrl: undefined })
    const reads = await Promise.all([
      tollgate.send('GET', `/v1/payments/${body.id}`),
      tollgate.send('GET', `/v1/threeDSecure/${paid.id}`),
      tollgate.send('GET', '/v1/threeDSecure/0123456789abcdef0123456789abcdef'),
    ])
    expect(reads.map(({ status, body: { result } }) => [status, result.code])).toEqual(
      reads.map(() => [404, '700.400.580']),
    )
  })

  test('is found by a query for its type', async () => {
    const merchantTransactionId = 'authentication-1'
    const { body } = await authenticate(frictionless, { ...browserData, merchantTransactionId })
    const query = (paymentTypes: string) => tollgate.send('GET', '/v1/query', { merchantTransactionId, paymentTypes })
    const { body: listed } = await query('3D')
    expect(listed.payments.map(({ id }: { id: string }) => id)).toEqual([body.id])
    expect((await query('PA,DB')).status).toBe(404)
  })
})
