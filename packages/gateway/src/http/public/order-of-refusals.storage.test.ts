import { sandboxIds } from '@tollgate/operations'
import { afterAll, expect, test } from 'vitest'
import { otherMerchant } from '../../testing/other-merchant.ts'
import { monthly } from '../../testing/subscription.ts'
import {
  cardPayment,
  cardWithoutPayment,
  FORM,
  formOf,
  type Parameters,
  type TestAnswer,
  testGateway,
} from '../../testing/test-gateway.ts'

/** A directory server that never answers. */
const directoryServer = { send: async () => undefined }
const tollgate = await testGateway({ directoryServer })
afterAll(() => tollgate.close())
const { manage, send, request } = tollgate

const other = await otherMerchant(tollgate)
const channelWith = async (settings: object): Promise<string> => {
  const channel = { kind: 'channel', name: 'Careful', parentId: sandboxIds.merchant, settings }
  return (await manage('POST', '/entities', channel)).body.id
}
const authentication = {
  acquirerBin: '400000',
  acquirerMerchantId: '123456789012345',
  mcc: '5411',
  country: 'DE',
  merchantName: 'Tea',
  requestorId: 'requestor',
  requestorName: 'Tea',
  requestorUrl: 'https://shop.example',
}
const terms = { brands: ['VISA'], currencies: ['EUR', 'JPY'], shopperResultOrigins: ['https://shop.example'] }
const entityId = await channelWith({ ...terms, threeDSecure: 'always', authentication })
const judged = await channelWith(terms)
const rule = { name: 'large', score: 100, when: { kind: 'amount', currency: 'EUR', above: '10000' } }
await manage('PUT', `/entities/${judged}/risk-rules`, { rejectFrom: 100, rules: [rule] })

/** Something that is wrong with a request, and its answer where nothing before it in the list is wrong. */
type Fault = readonly [what: string, changes: Parameters, answer: string]

/** The header is changed like a parameter. */
const KEY = 'Idempotency-Key'

type Send = (changes: Parameters) => Promise<TestAnswer>

interface Ladder {
  readonly kind: string
  readonly send: Send
  /** In the order in which they are found. */
  readonly faults: readonly Fault[]
  /** The answer where nothing is wrong. */
  readonly well: string
}

const to =
  (method: 'GET' | 'POST' | 'DELETE', path: string, parameters: Parameters): Send =>
  ({ [KEY]: key, ...changes }) =>
    send(method, path, { entityId, ...parameters, ...changes }, { [KEY]: key })

const instruction = (words: string): Parameters => {
  const [type, mode, source] = words.split(' ')
  const parts = Object.entries({ type, mode, source })
  return Object.fromEntries(parts.map(([name, value]) => [`standingInstruction.${name}`, value]))
}
const address = {
  'billing.street1': 'Main Street 1',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
  shopperResultUrl: 'https://shop.example/done',
}
const customer = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' }
const stored = cardWithoutPayment({ entityId, ...address })
const register = async (changes: Parameters = {}): Promise<string> =>
  (await send('POST', '/v1/registrations', { ...stored, ...changes })).body.id
const ofJudged = { entityId: judged, amount: '92.00', currency: 'EUR' }
const pay = async (changes: Parameters): Promise<string> =>
  (await send('POST', '/v1/payments', cardPayment({ entityId: judged, ...changes }))).body.id
const NONE = '0'.repeat(32)

/** Faults that are found before the operation. */
const before: readonly Fault[] = [
  ['an entity of another merchant', { entityId: other.channel }, '800.900.300'],
  ['a merchant where a channel must be', { entityId: sandboxIds.merchant }, '200.300.407'],
  ['a wrong parameter', { 'customer.email': 'none', ...customer }, '200.300.404 customer.email'],
  ['a wrong key', { [KEY]: ' ' }, '200.300.404 Idempotency-Key'],
]
const notRead = before.filter(([, { entityId: named }]) => named !== sandboxIds.merchant)
const origin: Fault = ['another origin', { shopperResultUrl: 'https://other.example/' }, '600.300.211']
const brand: Fault = ['another brand', { paymentBrand: 'MASTER', 'card.number': '5454545454545454' }, '600.200.500']
const currency: Fault = ['another currency', { currency: 'USD' }, '600.200.500']
const device: Fault = [
  'a deviceInfo of no SDK',
  { 'threeDSecure.deviceInfo': '{}' },
  '200.300.404 threeDSecure.deviceInfo',
]
const alone: Fault = [device[0], device[1], '200.300.404']
const number: Fault = ['a wrong card number', { 'card.number': '4200000000000001' }, '100.100.101']
const fraction: Fault = ['an amount that does not fit', { currency: 'JPY', amount: '92.01' }, '100.550.303']
const agreed: Fault = [
  'instalments of no plan',
  { ...instruction('UNSCHEDULED INITIAL CIT'), 'standingInstruction.numberOfInstallments': '3' },
  '600.200.501',
]
const code: Fault = ['a code of payouts', { transactionProcessingCode: 'PAYMENT' }, '600.200.310']
const riskAmount: Fault = ['another amount for risk', { 'risk.amount': '91.99' }, '100.550.605']
const zero: Fault = ['an amount of zero', { amount: '0.00' }, '100.550.300']
const testMode: Fault = ['another test mode', { testMode: 'EXTERNAL' }, '700.100.600']
const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' }

const registration = await register()
const payment = await pay({ paymentType: 'PA' })
const checkout = async (parameters: Parameters): Promise<string> =>
  (await send('POST', '/v1/checkouts', { entityId: judged, ...parameters })).body.id
const prepared = { ...money, shopperResultUrl: address.shopperResultUrl }
const checkoutId = await checkout(prepared)
const submit =
  (id: string, what: string): Send =>
  ({ [KEY]: key, ...changes }) =>
    request({
      method: 'POST',
      url: `/v1/checkouts/${id}/${what}`,
      headers: { 'content-type': FORM, [KEY]: key },
      payload: formOf({ ...cardWithoutPayment(), ...changes }),
    })
const begun = { ...instruction('RECURRING INITIAL CIT'), 'standingInstruction.recurringType': 'SUBSCRIPTION' }
const planned = monthly(await register({ entityId: judged, ...begun }), { entityId: judged })
const plan = async (): Promise<string> => (await send('POST', '/scheduling/v1/schedules', planned)).body.id
const planId = await plan()

const ladders: readonly Ladder[] = [
  {
    kind: 'createPayment, authenticated',
    send: to('POST', '/v1/payments', cardPayment(address)),
    faults: [...before, number, origin, brand, code, currency, device, fraction, agreed],
    well: '000.100.110',
  },
  {
    kind: 'createPayment, assessed',
    send: to('POST', '/v1/payments', cardPayment({ entityId: judged })),
    faults: [...before, number, origin, brand, code, currency, fraction, agreed, riskAmount],
    well: '000.100.110',
  },
  {
    kind: 'payWithRegistration',
    send: to('POST', `/v1/registrations/${registration}/payments`, { ...money, ...address }),
    faults: [
      ...before,
      ['another brand', { paymentBrand: 'MASTER' }, '100.100.700'],
      origin,
      code,
      currency,
      device,
      fraction,
      agreed,
    ],
    well: '000.100.110',
  },
  {
    kind: 'payWithRegistration of none',
    send: to('POST', `/v1/registrations/${NONE}/payments`, { ...money, ...address }),
    faults: [...before, ['no registration', { ...origin[1], ...fraction[1] }, '100.150.200']],
    well: '100.150.200',
  },
  {
    kind: 'referToPayment',
    send: to('POST', `/v1/payments/${payment}`, { entityId: judged, ...money, paymentType: 'CP', amount: '1.00' }),
    faults: [
      ...before,
      fraction,
      ['another currency', { currency: 'USD' }, '700.100.500'],
      ['too much', { amount: '93.00' }, '700.400.100'],
    ],
    well: '000.100.110',
  },
  {
    kind: 'referToPayment, rebill',
    send: to('POST', `/v1/payments/${await pay({ paymentType: 'DB' })}`, {
      ...ofJudged,
      paymentType: 'RB',
      amount: '1.00',
    }),
    faults: [
      ...before,
      fraction,
      origin,
      code,
      [
        'instalments of no plan',
        { ...instruction('UNSCHEDULED REPEATED MIT'), 'standingInstruction.numberOfInstallments': '3' },
        '600.200.501',
      ],
    ],
    well: '000.100.110',
  },
  {
    kind: 'createRegistration',
    send: to('POST', '/v1/registrations', stored),
    faults: [...before, number, origin, brand, agreed],
    well: '000.100.110',
  },
  {
    kind: 'updateRegistration',
    send: to('POST', `/v1/registrations/${registration}`, { 'card.holder': 'Jane Doe' }),
    faults: [...before, testMode, number, origin, brand, agreed],
    well: '000.100.110',
  },
  {
    kind: 'extendRegistration',
    send: to('POST', `/v1/registrations/${registration}/extendlife`, {}),
    faults: [...before, testMode],
    well: '000.100.110',
  },
  {
    kind: 'deleteRegistration',
    send: to('DELETE', `/v1/registrations/${await register()}`, {}),
    faults: [...notRead, testMode],
    well: '000.100.110',
  },
  {
    kind: 'createThreeDSecure',
    send: to('POST', '/v1/threeDSecure', cardPayment({ paymentType: undefined, ...address })),
    faults: [...before, number, fraction, origin, currency, zero, alone],
    well: '000.400.109',
  },
  {
    kind: 'authenticateWithRegistration',
    send: to('POST', `/v1/registrations/${registration}/threeDSecure`, {
      amount: '92.00',
      currency: 'EUR',
      ...address,
    }),
    faults: [...before, fraction, origin, currency, zero, alone],
    well: '000.400.109',
  },
  {
    kind: 'createRiskCheck',
    send: to('POST', '/v1/risk', { entityId: judged, amount: '92.00', currency: 'EUR' }),
    faults: [...before, fraction, riskAmount],
    well: '000.300.100',
  },
  {
    kind: 'createCheckout',
    send: to('POST', '/v1/checkouts', prepared),
    faults: [
      ...before,
      origin,
      ['an unknown registration', { 'registrations[0].id': NONE }, '200.300.404 registrations[0].id'],
    ],
    well: '000.200.100',
  },
  {
    kind: 'updateCheckout',
    send: to('POST', `/v1/checkouts/${checkoutId}`, { entityId: judged, amount: '92.00' }),
    faults: [
      ...before,
      origin,
      ['an unknown registration', { 'registrations[0].id': NONE }, '200.300.404 registrations[0].id'],
    ],
    well: '000.200.101',
  },
  {
    kind: 'payCheckout',
    send: submit(checkoutId, 'payment'),
    faults: [
      ['a wrong parameter', { 'customer.email': 'none', ...customer }, '200.300.404 customer.email'],
      ['a wrong key', { [KEY]: ' ' }, '200.300.404 Idempotency-Key'],
      ['a registration that is not offered', { registrationId: NONE }, '200.300.404 registrationId'],
      ['an expiry date without a year', { 'card.expiryYear': undefined }, '200.300.404 card.expiryYear'],
      number,
      brand,
    ],
    well: '000.100.110',
  },
  {
    kind: 'registerCheckout',
    send: submit(await checkout({ createRegistration: 'true' }), 'registration'),
    faults: [
      ['a wrong parameter', { 'customer.email': 'none', ...customer }, '200.300.404 customer.email'],
      ['a wrong key', { [KEY]: ' ' }, '200.300.404 Idempotency-Key'],
      ['a registration', { registrationId: NONE }, '200.300.404 registrationId'],
      number,
      origin,
      brand,
    ],
    well: '000.100.110',
  },
  {
    kind: 'createSchedule',
    send: to('POST', '/scheduling/v1/schedules', planned),
    faults: [
      ...before,
      ['no registration', { registrationId: NONE }, '100.150.200'],
      ['a job that never runs', { 'job.expression': '0 0 0 30 2 ?' }, '100.250.100'],
      testMode,
      code,
      currency,
      fraction,
    ],
    well: '000.100.110',
  },
  {
    kind: 'reschedule',
    send: to('POST', `/scheduling/v1/schedules/${planId}/reschedule`, { entityId: judged }),
    faults: [
      ...before,
      ['a job that never runs', { 'job.expression': '0 0 0 30 2 ?' }, '100.250.100'],
      testMode,
      code,
      currency,
      fraction,
    ],
    well: '000.100.110',
  },
  {
    kind: 'deschedule',
    send: to('POST', `/scheduling/v1/schedules/${await plan()}/deschedule`, { entityId: judged }),
    faults: before,
    well: '000.100.110',
  },
  {
    kind: 'queryPayments',
    send: to('GET', '/v1/query', { merchantTransactionId: 'nothing-there' }),
    faults: [
      ['an entity of another merchant', { entityId: other.channel }, '800.900.300'],
      ['a wrong parameter', { limit: 'x' }, '200.300.404 limit'],
    ],
    well: '700.400.580',
  },
]

const told = ({ body }: TestAnswer): string => {
  const { code: result, parameterErrors = [] } = body.result
  return [result, ...parameterErrors.map(({ name }: { name: string }) => name)].join(' ')
}

test.each(ladders)('$kind: of all that is wrong with a request, the first is answered', async (ladder) => {
  const { faults, well, send: sent } = ladder
  const answers: string[] = []
  for (let first = 0; first <= faults.length; first += 1) {
    const wrong = faults.slice(first).map(([, changes]) => changes)
    const answer = await sent(Object.assign({}, ...wrong.toReversed()))
    answers.push(told(answer))
  }
  expect(answers).toEqual([...faults.map(([, , answer]) => answer), well])
})
