import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from './limits.ts'
import { readPayment, readPayments } from './payment-json.ts'
import { approvedJson, upstreamId } from './testing/upstream.ts'

const read = (json: unknown) => readPayment(JSON.stringify(json))

test('the members of an answer are read', () => {
  const payment = read({
    ...approvedJson(),
    referencedId: 'a'.repeat(32),
    registrationId: 'b'.repeat(32),
    merchantTransactionId: 'attempt-1',
    result: { code: '000.000.000', description: 'fine', avsResponse: 'F', cvvResponse: 'M' },
    resultDetails: { AcquirerResponse: '00', 'risk.Score': '7' },
    card: { bin: '420000', type: 'CREDIT', level: '0042', issuer: { bank: 'A bank', phone: '1' } },
    pos: { merchantId: 'M1', clearing: { identifier: 'c1' }, timestamp: '2026-11-20 09:30:15' },
  })
  expect(payment).toEqual({
    id: upstreamId,
    code: '000.000.000',
    description: 'fine',
    wrongParameters: [],
    referencedId: 'a'.repeat(32),
    registrationId: 'b'.repeat(32),
    merchantTransactionId: 'attempt-1',
    paymentType: 'PA',
    amount: '92.00',
    currency: 'EUR',
    avs: 'F',
    cvv: 'M',
    details: { AcquirerResponse: '00', 'risk.Score': '7' },
    accountFacts: { type: 'CREDIT', level: '0042', 'issuer.bank': 'A bank', 'issuer.phone': '1' },
    redirect: undefined,
    pos: { merchantId: 'M1', 'clearing.identifier': 'c1', timestamp: '2026-11-20 09:30:15' },
  })
})

test.each([
  ['no JSON', 'approved'],
  ['HTML', '<html>000.000.000</html>'],
  ['nothing', ''],
  ['half of an object', '{"result":{"code":"000.000.000"'],
  ['a list', '[{"result":{"code":"000.000.000"}}]'],
  ['null', 'null'],
  ['no result', '{"id":"1"}'],
  ['a code that is a number', '{"result":{"code":0}}'],
  ['a code of letters', '{"result":{"code":"OK"}}'],
])('%s is no payment', (_, text) => {
  expect(readPayment(text)).toBeUndefined()
})

test.each<[title: string, member: object]>([
  ['a result of the address check', { result: { code: '000.000.000', avsResponse: 'Y' } }],
  ['a level', { card: { level: 'GOLD' } }],
  ['a name with a control character', { card: { issuer: { bank: 'A\u0000bank' } } }],
  ['an advice', { resultDetails: { MerchantAdviceCode: '2' } }],
  ['a status for the receipt', { pos: { statusText: '<b>APPROVED</b>' } }],
  ['a time', { pos: { timestamp: '20.11.2026' } }],
])('%s that the contract does not permit is left out', (_, member) => {
  const { avs, accountFacts = {}, details, pos = {} } = read(approvedJson(member)) ?? {}
  expect([avs, accountFacts, details, pos]).toEqual([undefined, {}, {}, {}])
})

test('members of other types and lengths are left out', () => {
  const payment = read({
    ...approvedJson({ id: '../etc', amount: 92, currency: ['EUR'], merchantTransactionId: 'x'.repeat(300) }),
    resultDetails: { ok: 'short key', 'a b': 'blank', AcquirerResponse: 7, long: 'x'.repeat(2049), fine: 'x' },
    card: 'VISA',
  })
  expect(payment).toMatchObject({ id: undefined, amount: undefined, currency: undefined })
  expect(payment).toMatchObject({ merchantTransactionId: undefined, accountFacts: undefined, details: { fine: 'x' } })
})

test('the number of details is bounded', () => {
  const resultDetails = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`detail${index}`, 'x']))
  expect(Object.keys(read({ ...approvedJson(), resultDetails })?.details ?? {})).toHaveLength(limits.detailsMax)
})

test('the names of refused parameters are read if the contract has them', () => {
  const parameterErrors = [{ name: 'billing.city' }, { name: '<script>' }, { name: 7 }, 'card.holder']
  expect(read({ result: { code: '200.300.404', parameterErrors } })?.wrongParameters).toEqual(['billing.city'])
})

describe('the redirect', () => {
  const redirectOf = (redirect: unknown) => read({ ...approvedJson(), redirect })?.redirect
  const url = 'https://bank.example/pay'

  test('has an address, a method and parameters', () => {
    const parameters = [{ name: 'MD', value: '' }]
    expect(redirectOf({ url, method: 'GET', parameters })).toEqual({ url, method: 'GET', parameters })
    expect(redirectOf({ url, parameters })).toEqual({ url, method: 'POST', parameters })
    expect(redirectOf({ url })).toEqual({ url, method: 'GET', parameters: [] })
  })

  test('has the forms that are submitted first', () => {
    const precondition = {
      origin: 'iframe#hidden',
      waitUntil: 'iframe#onload',
      description: 'Hidden iframe post for 3D Secure 2.0',
      method: 'POST',
      url: 'https://issuer.example/method',
      parameters: [{ name: 'threeDSMethodData', value: 'e30' }],
    }
    expect(redirectOf({ url, preconditions: [precondition] })).toMatchObject({ preconditions: [precondition] })
    expect(redirectOf({ url, preconditions: [{ ...precondition, url: 'javascript:alert(1)' }] })).toBe('invalid')
    expect(redirectOf({ url, preconditions: Array.from({ length: 6 }, () => precondition) })).toBe('invalid')
  })

  test.each([
    ['no address', {}],
    ['a script', { url: 'javascript:alert(1)' }],
    ['a relative address', { url: '/pay' }],
    ['a long address', { url: `https://bank.example/${'x'.repeat(2048)}` }],
    ['another method', { url, method: 'PUT' }],
    ['parameters that are no list', { url, parameters: { MD: '1' } }],
    ['a parameter without a name', { url, parameters: [{ value: '1' }] }],
    ['a parameter whose value is no text', { url, parameters: [{ name: 'MD', value: 1 }] }],
    ['too many parameters', { url, parameters: Array.from({ length: 101 }, () => ({ name: 'MD', value: '1' })) }],
    ['a text', url],
  ])('with %s is invalid', (_, redirect) => {
    expect(redirectOf(redirect)).toBe('invalid')
  })
})

describe('a list of payments', () => {
  const list = (payments: unknown) => readPayments(JSON.stringify({ payments }))

  test('has each payment', () => {
    expect(list([approvedJson(), approvedJson({ amount: '1.00' })])?.map(({ amount }) => amount)).toEqual([
      '92.00',
      '1.00',
    ])
    expect(list([])).toEqual([])
  })

  test.each([
    ['no list', {}],
    ['an entry without a result', [approvedJson(), { id: upstreamId }]],
    ['an entry that is no object', ['x']],
    ['more payments than a reference may have', Array.from({ length: 101 }, () => approvedJson())],
  ])('is refused: %s', (_, payments) => {
    expect(list(payments)).toBeUndefined()
  })
})

test('no text throws, whatever is changed in an answer', () => {
  const text = JSON.stringify({
    ...approvedJson(),
    redirect: { url: 'https://a.example' },
    resultDetails: { abc: 'x' },
  })
  const mutation = fc.tuple(fc.nat(text.length), fc.nat(4), fc.string({ maxLength: 4 }))
  fc.assert(
    fc.property(mutation, ([at, length, inserted]) => {
      const mutated = text.slice(0, at) + inserted + text.slice(at + length)
      expect(() => [readPayment(mutated), readPayments(`{"payments":[${mutated}]}`)]).not.toThrow()
    }),
  )
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(() => readPayment(json)).not.toThrow()
    }),
  )
})
