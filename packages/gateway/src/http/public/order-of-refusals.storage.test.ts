import { sandboxIds } from '@tollgate/operations'
import { afterAll, expect, test } from 'vitest'
import { otherMerchant } from '../../testing/other-merchant.ts'
import { monthlyPlan } from '../../testing/subscription.ts'
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
const channelSettings = { brands: ['VISA'], currencies: ['EUR', 'JPY'], shopperResultOrigins: ['https://shop.example'] }
const entityId = await channelWith({ ...channelSettings, threeDSecure: 'always', authentication })
const riskChannel = await channelWith(channelSettings)
const rule = { name: 'large', score: 100, when: { kind: 'amount', currency: 'EUR', above: '10000' } }
await manage('PUT', `/entities/${riskChannel}/risk-rules`, { rejectFrom: 100, rules: [rule] })

/** A fault of a request, and the answer to a request with this fault and all later faults of its list. */
type Fault = readonly [name: string, changes: Parameters, answer: string]

/** The name of a header that faults change like a parameter. */
const KEY = 'Idempotency-Key'

type Send = (changes: Parameters) => Promise<TestAnswer>

interface FaultOrder {
  readonly kind: string
  readonly send: Send
  /** The faults in the order of their detection. */
  readonly faults: readonly Fault[]
  /** The answer to a request without a fault. */
  readonly answerWithoutFault: string
}

const sendTo =
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
const riskChannelRequest = { entityId: riskChannel, amount: '92.00', currency: 'EUR' }
const pay = async (changes: Parameters): Promise<string> =>
  (await send('POST', '/v1/payments', cardPayment({ entityId: riskChannel, ...changes }))).body.id
const UNKNOWN_ID = '0'.repeat(32)

/** Faults that are detected before the operation. */
const commonFaults: readonly Fault[] = [
  ['an entity of another merchant', { entityId: other.channel }, '800.900.300'],
  ['a merchant instead of a channel', { entityId: sandboxIds.merchant }, '200.300.407'],
  ['a wrong parameter', { 'customer.email': 'none', ...customer }, '200.300.404 customer.email'],
  ['a wrong key', { [KEY]: ' ' }, '200.300.404 Idempotency-Key'],
]
/** A DELETE may name a merchant, because the entity only qualifies the path. */
const commonFaultsOfDelete = commonFaults.filter(([, { entityId: named }]) => named !== sandboxIds.merchant)
const origin: Fault = ['another origin', { shopperResultUrl: 'https://other.example/' }, '600.300.211']
const brand: Fault = ['another brand', { paymentBrand: 'MASTER', 'card.number': '5454545454545454' }, '600.200.500']
const currency: Fault = ['another currency', { currency: 'USD' }, '600.200.500']
const device: Fault = [
  'a deviceInfo without the data of an SDK',
  { 'threeDSecure.deviceInfo': '{}' },
  '200.300.404 threeDSecure.deviceInfo',
]
const deviceOfStandalone: Fault = [device[0], device[1], '200.300.404']
const number: Fault = ['a wrong card number', { 'card.number': '4200000000000001' }, '100.100.101']
const fraction: Fault = [
  'decimals in a currency without minor units',
  { currency: 'JPY', amount: '92.01' },
  '100.550.303',
]
const instalments: Fault = [
  'instalments without a plan',
  { ...instruction('UNSCHEDULED INITIAL CIT'), 'standingInstruction.numberOfInstallments': '3' },
  '600.200.501',
]
const code: Fault = ['a processing code of payouts', { transactionProcessingCode: 'PAYMENT' }, '600.200.310']
const riskAmount: Fault = ['another amount in risk.amount', { 'risk.amount': '91.99' }, '100.550.605']
const zero: Fault = ['an amount of zero', { amount: '0.00' }, '100.550.300']
const testMode: Fault = ['another test mode', { testMode: 'EXTERNAL' }, '700.100.600']
const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' }

const registration = await register()
const payment = await pay({ paymentType: 'PA' })
const checkout = async (parameters: Parameters): Promise<string> =>
  (await send('POST', '/v1/checkouts', { entityId: riskChannel, ...parameters })).body.id
const prepared = { ...money, shopperResultUrl: address.shopperResultUrl }
const checkoutId = await checkout(prepared)
const sendAsShopper =
  (id: string, resource: string): Send =>
  ({ [KEY]: key, ...changes }) =>
    request({
      method: 'POST',
      url: `/v1/checkouts/${id}/${resource}`,
      headers: { 'content-type': FORM, [KEY]: key },
      payload: formOf({ ...cardWithoutPayment(), ...changes }),
    })
const initial = { ...instruction('RECURRING INITIAL CIT'), 'standingInstruction.recurringType': 'SUBSCRIPTION' }
const planned = monthlyPlan(await register({ entityId: riskChannel, ...initial }), { entityId: riskChannel })
const plan = async (): Promise<string> => (await send('POST', '/scheduling/v1/schedules', planned)).body.id
const planId = await plan()

const faultOrders: readonly FaultOrder[] = [
  {
    kind: 'createPayment with 3-D Secure',
    send: sendTo('POST', '/v1/payments', cardPayment(address)),
    faults: [...commonFaults, number, origin, brand, code, currency, device, fraction, instalments],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'createPayment with risk rules',
    send: sendTo('POST', '/v1/payments', cardPayment({ entityId: riskChannel })),
    faults: [...commonFaults, number, origin, brand, code, currency, fraction, instalments, riskAmount],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'payWithRegistration',
    send: sendTo('POST', `/v1/registrations/${registration}/payments`, { ...money, ...address }),
    faults: [
      ...commonFaults,
      ['another brand', { paymentBrand: 'MASTER' }, '100.100.700'],
      origin,
      code,
      currency,
      device,
      fraction,
      instalments,
    ],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'payWithRegistration of an unknown registration',
    send: sendTo('POST', `/v1/registrations/${UNKNOWN_ID}/payments`, { ...money, ...address }),
    // The unknown registration is in the path. The changes are faults of a later check, which are not reported.
    faults: [...commonFaults, ['an unknown registration', { ...origin[1], ...fraction[1] }, '100.150.200']],
    answerWithoutFault: '100.150.200',
  },
  {
    kind: 'referToPayment',
    send: sendTo('POST', `/v1/payments/${payment}`, {
      entityId: riskChannel,
      ...money,
      paymentType: 'CP',
      amount: '1.00',
    }),
    faults: [
      ...commonFaults,
      fraction,
      ['another currency', { currency: 'USD' }, '700.100.500'],
      ['an amount above the authorised amount', { amount: '93.00' }, '700.400.100'],
    ],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'referToPayment for a rebill',
    send: sendTo('POST', `/v1/payments/${await pay({ paymentType: 'DB' })}`, {
      ...riskChannelRequest,
      paymentType: 'RB',
      amount: '1.00',
    }),
    faults: [
      ...commonFaults,
      fraction,
      origin,
      code,
      [
        'instalments without a plan',
        { ...instruction('UNSCHEDULED REPEATED MIT'), 'standingInstruction.numberOfInstallments': '3' },
        '600.200.501',
      ],
    ],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'createRegistration',
    send: sendTo('POST', '/v1/registrations', stored),
    faults: [...commonFaults, number, origin, brand, instalments],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'updateRegistration',
    send: sendTo('POST', `/v1/registrations/${registration}`, { 'card.holder': 'Jane Doe' }),
    faults: [...commonFaults, testMode, number, origin, brand, instalments],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'extendRegistration',
    send: sendTo('POST', `/v1/registrations/${registration}/extendlife`, {}),
    faults: [...commonFaults, testMode],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'deleteRegistration',
    send: sendTo('DELETE', `/v1/registrations/${await register()}`, {}),
    faults: [...commonFaultsOfDelete, testMode],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'createThreeDSecure',
    send: sendTo('POST', '/v1/threeDSecure', cardPayment({ paymentType: undefined, ...address })),
    faults: [...commonFaults, number, fraction, origin, currency, zero, deviceOfStandalone],
    answerWithoutFault: '000.400.109',
  },
  {
    kind: 'authenticateWithRegistration',
    send: sendTo('POST', `/v1/registrations/${registration}/threeDSecure`, {
      amount: '92.00',
      currency: 'EUR',
      ...address,
    }),
    faults: [...commonFaults, fraction, origin, currency, zero, deviceOfStandalone],
    answerWithoutFault: '000.400.109',
  },
  {
    kind: 'createRiskCheck',
    send: sendTo('POST', '/v1/risk', { entityId: riskChannel, amount: '92.00', currency: 'EUR' }),
    faults: [...commonFaults, fraction, riskAmount],
    answerWithoutFault: '000.300.100',
  },
  {
    kind: 'createCheckout',
    send: sendTo('POST', '/v1/checkouts', prepared),
    faults: [
      ...commonFaults,
      origin,
      ['an unknown registration', { 'registrations[0].id': UNKNOWN_ID }, '200.300.404 registrations[0].id'],
    ],
    answerWithoutFault: '000.200.100',
  },
  {
    kind: 'updateCheckout',
    send: sendTo('POST', `/v1/checkouts/${checkoutId}`, { entityId: riskChannel, amount: '92.00' }),
    faults: [
      ...commonFaults,
      origin,
      ['an unknown registration', { 'registrations[0].id': UNKNOWN_ID }, '200.300.404 registrations[0].id'],
    ],
    answerWithoutFault: '000.200.101',
  },
  {
    kind: 'payCheckout',
    send: sendAsShopper(checkoutId, 'payment'),
    faults: [
      ['a wrong parameter', { 'customer.email': 'none', ...customer }, '200.300.404 customer.email'],
      ['a wrong key', { [KEY]: ' ' }, '200.300.404 Idempotency-Key'],
      ['a registration that is not offered', { registrationId: UNKNOWN_ID }, '200.300.404 registrationId'],
      ['an expiry date without a year', { 'card.expiryYear': undefined }, '200.300.404 card.expiryYear'],
      number,
      brand,
    ],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'registerCheckout',
    send: sendAsShopper(await checkout({ createRegistration: 'true' }), 'registration'),
    faults: [
      ['a wrong parameter', { 'customer.email': 'none', ...customer }, '200.300.404 customer.email'],
      ['a wrong key', { [KEY]: ' ' }, '200.300.404 Idempotency-Key'],
      ['a registration', { registrationId: UNKNOWN_ID }, '200.300.404 registrationId'],
      number,
      origin,
      brand,
    ],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'createSchedule',
    send: sendTo('POST', '/scheduling/v1/schedules', planned),
    faults: [
      ...commonFaults,
      ['an unknown registration', { registrationId: UNKNOWN_ID }, '100.150.200'],
      ['a job that never runs', { 'job.expression': '0 0 0 30 2 ?' }, '100.250.100'],
      testMode,
      code,
      currency,
      fraction,
    ],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'reschedule',
    send: sendTo('POST', `/scheduling/v1/schedules/${planId}/reschedule`, { entityId: riskChannel }),
    faults: [
      ...commonFaults,
      ['a job that never runs', { 'job.expression': '0 0 0 30 2 ?' }, '100.250.100'],
      testMode,
      code,
      currency,
      fraction,
    ],
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'deschedule',
    send: sendTo('POST', `/scheduling/v1/schedules/${await plan()}/deschedule`, { entityId: riskChannel }),
    faults: commonFaults,
    answerWithoutFault: '000.100.110',
  },
  {
    kind: 'queryPayments',
    send: sendTo('GET', '/v1/query', { merchantTransactionId: 'nothing-there' }),
    faults: [
      ['an entity of another merchant', { entityId: other.channel }, '800.900.300'],
      ['a wrong parameter', { limit: 'x' }, '200.300.404 limit'],
    ],
    answerWithoutFault: '700.400.580',
  },
]

const codesOf = ({ body }: TestAnswer): string => {
  const { code: result, parameterErrors = [] } = body.result
  return [result, ...parameterErrors.map(({ name }: { name: string }) => name)].join(' ')
}

test.each(faultOrders)('the answer of $kind reports the first of several faults', async (order) => {
  const { faults, answerWithoutFault, send: sendWith } = order
  const answers: string[] = []
  for (let first = 0; first <= faults.length; first += 1) {
    // If two faults change the same parameter, the change of the first one is sent.
    const allChanges = faults.slice(first).map(([, changes]) => changes)
    const answer = await sendWith(Object.assign({}, ...allChanges.toReversed()))
    answers.push(codesOf(answer))
  }
  expect(answers).toEqual([...faults.map(([, , answer]) => answer), answerWithoutFault])
})
