import type { IssuerSchemeData } from '@tollgate/contract'
import { describe, expect, it, test } from 'vitest'
import type { AcquirerRequest } from '../port.ts'
import { request, secretOf } from '../iso8583/requests/testing/requests.ts'
import { firstNameOf, paymentRows, requestWith, sampleOf } from '../iso8583/requests/testing/sample-parameters.ts'
import { encodeForm } from './encode-form.ts'
import { formOf } from './form.ts'
import { forwardedParameters } from './forwarded-parameters.ts'
import { keptParameters } from './kept-parameters.ts'
import { upstreamParameters } from './parameters.ts'
import { replacedParameters, type UpstreamAccount } from './replaced-parameters.ts'
import { followUp } from './testing/upstream.ts'

const account: UpstreamAccount = { entityId: 'e'.repeat(32), environment: 'test', verificationCurrency: 'CHF' }
const live: UpstreamAccount = { ...account, environment: 'live' }

/** The form of a request, as the upstream decodes it. */
function sentForm(sent: AcquirerRequest, own: UpstreamAccount = account): URLSearchParams {
  const body = encodeForm(formOf({ request: sent, account: own, reference: 'attempt-1' }))
  return new URLSearchParams(Buffer.from(body).toString())
}

/** Parameters that the gateway adds, so that the tables of the contract have no rows for them. */
const addedByGateway: readonly IssuerSchemeData[] = [
  'threeDSecure.schemeData[CB-AVALGO]',
  'threeDSecure.schemeData[CB-EXEMPTION]',
  'threeDSecure.schemeData[CB-SCORE]',
]

describe('the table', () => {
  it('has every parameter of a payment, and no other', () => {
    const names = [...paymentRows.map(({ name }) => name), ...addedByGateway]
    expect([...upstreamParameters.keys()].toSorted()).toEqual(names.toSorted())
  })

  it('has each parameter once', () => {
    const names = [
      ...forwardedParameters,
      ...replacedParameters.map(([name]) => name),
      ...keptParameters.map(([name]) => name),
    ]
    expect(names).toHaveLength(upstreamParameters.size)
  })

  it('gives a reason for each parameter that is kept', () => {
    for (const [name, reason] of keptParameters) expect(reason.length, name).toBeGreaterThan(10)
  })
})

const fullName = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' }
const rowsOf = (kind: string) => paymentRows.filter(({ name }) => upstreamParameters.get(name)?.kind === kind)

test.each(rowsOf('forwarded').map((row) => [row.name, row] as const))('%s is forwarded', (_, row) => {
  const [name, value] = [firstNameOf(row), sampleOf(row)]
  expect(sentForm(requestWith({ ...fullName, [name]: value })).get(name)).toBe(value)
})

test.each([
  ['to a provider with pages of its own only by the e-mail address', { redirected: true }, ['customer.email']],
  ['otherwise not at all', {}, []],
] as const)('a customer without a full name is forwarded %s', (_, changes, names) => {
  const parameters = {
    'customer.givenName': 'Jane',
    'customer.email': 'jane@jones.example',
    'customer.ip': '203.0.113.7',
  }
  const sent = [...sentForm(requestWith(parameters, changes)).keys()].filter((name) => name.startsWith('customer.'))
  expect(sent).toEqual(names)
})

test.each([
  ['customer.phone', '(0)30 / 1234 ext. 5'],
  ['billing.postcode', '10115 Berlin-Mitte'],
] as const)('a value of %s that only legacy channels accept is left out', (name, value) => {
  expect(sentForm(requestWith({ ...fullName, [name]: value })).has(name)).toBe(false)
})

test.each(rowsOf('kept').map((row) => [row.name, row] as const))('%s is kept', (_, row) => {
  const plain = sentForm(requestWith({})).toString()
  expect(sentForm(requestWith({ [firstNameOf(row)]: sampleOf(row) })).toString()).toBe(plain)
})

interface ReplacedCase {
  readonly request: AcquirerRequest
  readonly expected: string | null
  readonly account?: UpstreamAccount
}

const stored = (kind: NonNullable<AcquirerRequest['account']>['kind'], details: object): AcquirerRequest =>
  request({
    account: {
      kind,
      number: secretOf('DE89370400440532013000'),
      holder: 'Stored Holder',
      expiryMonth: '11',
      expiryYear: '2032',
      cvv: secretOf('987'),
      details: { ...details },
    },
  })

const urls = { returnUrl: 'https://pay.example/return', notificationUrl: 'https://pay.example/notify' }
const agreement = {
  redirected: true,
  account: {
    kind: 'virtualAccount',
    number: secretOf('a'.repeat(32)),
    holder: undefined,
    expiryMonth: undefined,
    expiryYear: undefined,
    cvv: undefined,
  },
} as const

/** Requests by the name of a replaced parameter, with the value that the upstream receives. */
const replacedCases: Readonly<Record<string, readonly ReplacedCase[]>> = {
  entityId: [{ request: requestWith({ entityId: 'f'.repeat(32) }), expected: 'e'.repeat(32) }],
  amount: [
    { request: requestWith({ amount: '100.00' }), expected: '92.00' },
    { request: request({ amountMinor: 9200, currency: 'JPY' }), expected: '9200.00' },
    { request: request({ amountMinor: 0, currency: 'XXX' }), expected: '0.00' },
    { request: followUp('CP', { amountMinor: 4200 }), expected: '42.00' },
    { request: followUp('RV', { amountMinor: 4200 }), expected: '42.00' },
    { request: followUp('RV'), expected: null },
    { request: followUp('RF'), expected: '92.00' },
  ],
  currency: [
    { request: requestWith({ currency: 'USD' }), expected: 'EUR' },
    { request: request({ amountMinor: 0, currency: 'XXX' }), expected: 'CHF' },
    { request: followUp('RV'), expected: null },
  ],
  paymentBrand: [
    { request: requestWith({ paymentBrand: 'MASTER' }), expected: 'VISA' },
    { request: followUp('CP'), expected: null },
  ],
  paymentType: [{ request: requestWith({ paymentType: 'RB' }, { operation: 'DB' }), expected: 'DB' }],
  descriptor: [
    { request: request({ descriptor: 'Shop 1' }), expected: 'Shop 1' },
    { request: request({ descriptor: '' }), expected: null },
  ],
  merchantTransactionId: [{ request: requestWith({ merchantTransactionId: 'order-4711' }), expected: 'attempt-1' }],
  testMode: [
    { request: request({ testMode: 'INTERNAL' }), expected: 'INTERNAL' },
    { request: requestWith({ testMode: 'EXTERNAL' }), expected: null, account: live },
    { request: request({ testMode: null }), expected: null },
  ],
  'card.holder': [
    {
      request: requestWith({ 'card.number': '4200000000000091', 'card.holder': 'Jane Jones' }),
      expected: 'Jane Jones',
    },
    { request: stored('card', {}), expected: 'Stored Holder' },
  ],
  'card.number': [{ request: request(), expected: '4200000000000091' }],
  'card.expiryMonth': [{ request: stored('card', {}), expected: '11' }],
  'card.expiryYear': [{ request: stored('card', {}), expected: '2032' }],
  'card.cvv': [
    { request: stored('card', {}), expected: '987' },
    { request: request(), expected: null },
  ],
  'card.numberType': [
    { request: stored('card', { numberType: 'DPAN' }), expected: 'DPAN' },
    { request: requestWith({ 'card.number': '4200000000000091', 'card.numberType': 'PAN' }), expected: 'PAN' },
  ],
  'virtualAccount.accountId': [
    { request: requestWith({ 'virtualAccount.accountId': 'wallet-1' }), expected: 'wallet-1' },
    { request: request(agreement), expected: null },
  ],
  'bankAccount.holder': [{ request: stored('bankAccount', {}), expected: 'Stored Holder' }],
  'bankAccount.bankName': [{ request: stored('bankAccount', { bankName: 'Bank' }), expected: 'Bank' }],
  'bankAccount.number': [
    { request: requestWith({ 'bankAccount.number': '12345678' }), expected: '12345678' },
    { request: stored('bankAccount', {}), expected: null },
  ],
  'bankAccount.iban': [
    { request: stored('bankAccount', {}), expected: 'DE89370400440532013000' },
    { request: requestWith({ 'bankAccount.number': '12345678' }), expected: null },
  ],
  'bankAccount.bankCode': [{ request: stored('bankAccount', { bankCode: '37040044' }), expected: '37040044' }],
  'bankAccount.bic': [{ request: stored('bankAccount', { bic: 'DEUTDEFF' }), expected: 'DEUTDEFF' }],
  'bankAccount.country': [{ request: stored('bankAccount', { country: 'DE' }), expected: 'DE' }],
  'bankAccount.mandate.id': [{ request: stored('bankAccount', { mandate: { id: 'M-A' } }), expected: 'M-A' }],
  'bankAccount.mandate.dateOfSignature': [
    { request: stored('bankAccount', { mandate: { dateOfSignature: '2026-05-01' } }), expected: '2026-05-01' },
    { request: requestWith({ 'bankAccount.mandate.dateOfSignature': '2026-05-02' }), expected: '2026-05-02' },
  ],
  'tokenAccount.number': [{ request: stored('tokenAccount', {}), expected: 'DE89370400440532013000' }],
  'tokenAccount.type': [{ request: stored('tokenAccount', { type: 'NETWORK' }), expected: 'NETWORK' }],
  'tokenAccount.expiryMonth': [{ request: stored('tokenAccount', {}), expected: '11' }],
  'tokenAccount.expiryYear': [{ request: stored('tokenAccount', {}), expected: '2032' }],
  'tokenAccount.dtvc': [{ request: stored('tokenAccount', {}), expected: '987' }],
  createRegistration: [
    { request: requestWith({ createRegistration: 'true' }), expected: null },
    { request: request({ createAgreement: true }), expected: 'true' },
  ],
  shopperResultUrl: [
    { request: requestWith({ shopperResultUrl: 'https://shop.example/' }, { urls }), expected: urls.returnUrl },
    { request: request({ redirected: true, urls }), expected: urls.returnUrl },
    { request: requestWith({ shopperResultUrl: 'https://shop.example/' }), expected: null },
  ],
  notificationUrl: [
    { request: requestWith({ notificationUrl: 'https://shop.example/' }, { urls }), expected: urls.notificationUrl },
    { request: requestWith({ notificationUrl: 'https://shop.example/' }), expected: null },
  ],
  'giftCard.number': [{ request: stored('giftCard', {}), expected: 'DE89370400440532013000' }],
  'giftCard.pin': [{ request: stored('giftCard', {}), expected: '987' }],
  'giftCard.holder': [{ request: stored('giftCard', {}), expected: 'Stored Holder' }],
  'standingInstruction.initialTransactionId': [
    { request: request({ initialTransactionId: '489324123456789' }), expected: '489324123456789' },
    { request: requestWith({ 'standingInstruction.initialTransactionId': 'sent-1' }), expected: 'sent-1' },
  ],
  'standingInstruction.industryPractice': [
    { request: requestWith({ 'standingInstruction.industryPractice': 'NO_SHOW' }), expected: 'NO_SHOW' },
    { request: followUp('PA'), expected: 'INCREMENTAL_AUTH' },
    { request: followUp('CP'), expected: null },
  ],
}

test('every replaced parameter has a case', () => {
  expect(Object.keys(replacedCases)).toEqual(replacedParameters.map(([name]) => name))
})

const cases = Object.entries(replacedCases).flatMap(([name, ofName]) =>
  ofName.map(({ expected, ...one }) => ({ name, expected, ...one })),
)

test.each(cases)('$name is replaced by $expected', ({ name, expected, request: sent, account: own }) => {
  expect(sentForm(sent, own).get(name)).toBe(expected)
  expect(sentForm(sent, own).getAll(name)).toHaveLength(expected === null ? 0 : 1)
})

test('parameters of lists and maps are forwarded under their names', () => {
  const form = sentForm(
    requestWith({ 'cart.items[12].name': 'A & B', 'customParameters[note]': 'ü=1', 'merchant.data[k_1]': '' }),
  )
  expect([form.get('cart.items[12].name'), form.get('customParameters[note]')]).toEqual(['A & B', 'ü=1'])
})
