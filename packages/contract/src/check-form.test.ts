import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Compatibility, checkForm } from './check-form.ts'
import { decodeForm } from './decode-form.ts'
import { limits } from './limits.ts'
import { findParameter } from './names.ts'
import { type OperationName, operations } from './operations.ts'
import { sections } from './sections.ts'

const entity = { entityId: '70119a7e5eed00000000000000000c00' }
const card = { 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' }
const debit = { ...entity, amount: '92.00', currency: 'EUR', paymentType: 'DB' }
const cardDebit = { ...debit, ...card }

function check(
  operation: OperationName,
  parameters: Readonly<Record<string, string>>,
  compatibility: Compatibility = 'strict',
) {
  const body = new TextEncoder().encode(new URLSearchParams(parameters).toString())
  return checkForm(decodeForm(body, operations[operation].surface), operation, { compatibility })
}

describe('a valid request', () => {
  const valid: readonly [OperationName, Record<string, string>][] = [
    ['createPayment', cardDebit],
    ['createPayment', { ...debit, paymentBrand: 'PAYPAL' }],
    ['createPayment', { ...debit, paymentBrand: 'IDEAL', 'bankAccount.bankName': 'Bank' }],
    ['createPayment', { ...debit, paymentBrand: 'SOFORTUEBERWEISUNG', 'bankAccount.country': 'DE' }],
    ['createPayment', { ...debit, 'applePay.paymentToken': '{"data":"x"}' }],
    ['getPayment', {}],
    ['getPayment', entity],
    ['referToPayment', { ...entity, paymentType: 'RV' }],
    ['referToPayment', { ...entity, paymentType: 'RV', amount: '', currency: '' }],
    ['referToPayment', { ...entity, paymentType: 'CP', amount: '1.00', currency: 'EUR' }],
    ['referToPayment', { ...entity, paymentType: 'IV' }],
    ['createRegistration', { ...entity, ...card, paymentBrand: 'VISA' }],
    ['payWithRegistration', { ...debit, 'card.cvv': '123' }],
    ['deleteRegistration', entity],
    ['createRiskCheck', { ...entity, amount: '92.00', currency: 'EUR' }],
    ['createRiskCheck', { ...cardDebit, paymentType: 'RI' }],
    ['authenticateWithRegistration', { ...entity, amount: '1.00', currency: 'EUR', shopperResultUrl: 'shop://done' }],
    ['createThreeDSecure', { ...cardDebit, paymentType: '3D', shopperResultUrl: 'https://shop.example/done' }],
    ['createRiskCheck', { ...entity, amount: '1.00', currency: 'EUR', 'card.number': '4200000000000000' }],
    ['createRedShieldCheck', { ...entity, amount: '1.00', currency: 'EUR', 'bankAccount.country': 'DE' }],
    ['createCheckout', { ...debit, 'overridePaymentType[PAYPAL]': 'PA' }],
    ['createCheckout', { ...entity, createRegistration: 'true' }],
    ['createSchedule', { ...debit, registrationId: '0'.repeat(32), 'job.expression': '0 0 0 L * ?' }],
    ['queryPayments', { merchantTransactionId: 'a' }],
    ['getAggregations', { 'date.from': '2024-01-01', 'date.to': '2024-01-01' }],
  ]
  test.each(valid)('has no errors: %s %j', (operation, parameters) => {
    expect(check(operation, parameters)).toEqual([])
  })
})

describe('an invalid parameter', () => {
  const invalid: readonly [OperationName, Record<string, string>, name: string, value: string, message: string][] = [
    [
      'createPayment',
      { ...cardDebit, amount: '1.5' },
      'amount',
      '1.5',
      String.raw`must match ^[0-9]{1,10}(\.[0-9]{2})?$`,
    ],
    ['createPayment', { ...cardDebit, amount: '' }, 'amount', '', 'may not be empty'],
    ['createPayment', { ...cardDebit, entityId: '' }, 'entityId', '', 'may not be empty'],
    ['createPayment', { ...cardDebit, testMode: 'LIVE' }, 'testMode', 'LIVE', 'must be one of [EXTERNAL, INTERNAL]'],
    ['createPayment', { ...cardDebit, paymentType: 'RF' }, 'paymentType', 'RF', 'must be one of [PA, DB, CD]'],
    ['createPayment', { ...cardDebit, paymentType: 'PA.CP' }, 'paymentType', 'PA.CP', 'must be one of [PA, DB, CD]'],
    ['createPayment', { ...cardDebit, paymentType: '' }, 'paymentType', '', 'may not be empty'],
    ['payWithRegistration', { ...debit, paymentType: 'CP' }, 'paymentType', 'CP', 'must be one of [PA, DB, CD]'],
    [
      'referToPayment',
      { ...entity, paymentType: 'XX' },
      'paymentType',
      'XX',
      'must be one of [CP, RV, RF, RB, PA, CB, CR, RC]',
    ],
    ['createRegistration', { ...entity, ...card, paymentType: 'DB' }, 'paymentType', 'DB', 'must NOT be sent'],
    ['createRiskCheck', cardDebit, 'paymentType', 'DB', 'must be one of [RI]'],
    ['createRiskCheck', { ...entity, amount: '1.00' }, 'currency', '', 'may not be empty'],
    [
      'createRiskCheck',
      { ...debit, paymentType: 'RI', 'risk.orderTimestamp': '2026-13-01 00:00:00' },
      'risk.orderTimestamp',
      '2026-13-01 00:00:00',
      'must be a time as yyyy-MM-dd HH:mm:ss, year starting with 19 or 20',
    ],
    [
      'createPayment',
      { ...cardDebit, 'overridePaymentType[VISA]': 'PA' },
      'overridePaymentType[VISA]',
      'PA',
      'is accepted only at checkout creation',
    ],
    ['createPayment', { ...cardDebit, 'card.number': '42' }, 'card.number', '***', 'must match ^[0-9]{8,32}$'],
    ['createPayment', { ...cardDebit, 'card.number': '' }, 'card.number', '', 'card properties must be set'],
    ['createPayment', { ...cardDebit, 'card.cvv': '12345' }, 'card.cvv', '***', 'must match ^[0-9]{3,4}$'],
    ['createPayment', debit, 'paymentBrand', '', 'card properties must be set'],
    [
      'createPayment',
      { ...cardDebit, 'customParameters[ab]': 'x' },
      'customParameters[ab]',
      'x',
      'must have a key of 3 to 64 letters, digits, dots or underscores',
    ],
    ['getPayment', { entityId: 'ABC' }, 'entityId', 'ABC', 'must match ^[0-9a-f]{32}$'],
    ['getAggregations', { 'date.from': '2024-01-01' }, 'date.to', '', 'may not be empty'],
    [
      'createPayment',
      { ...cardDebit, 'job.hour': '24' },
      'job.hour',
      '24',
      'must be a cron field of 0 to 23 and , - * /',
    ],
    [
      'createPayment',
      { ...cardDebit, 'job.expression': '0 0 0 1 *' },
      'job.expression',
      '0 0 0 1 *',
      'must be a cron expression of 6 or 7 fields, up to 256 characters',
    ],
  ]
  test.each(invalid)('is one error: %s %j', (operation, parameters, name, value, message) => {
    expect(check(operation, parameters)).toEqual([{ name, value, message }])
  })
})

test('all invalid parameters are reported at once, each of them once, in the order of the contract', () => {
  const body =
    'customParameters[x]=1&billing.country=Germany&currency=EURO&card.number=4200000000000000&amount=1&amount=2'
  const errors = checkForm(decodeForm(new TextEncoder().encode(body)), 'createPayment', { compatibility: 'strict' })
  expect(errors.map(({ name }) => name)).toEqual([
    'amount',
    'currency',
    'paymentType',
    'entityId',
    'card.expiryMonth',
    'card.expiryYear',
    'billing.country',
    'customParameters[x]',
  ])
})

test('the first of two errors of a parameter is reported', () => {
  const body = new TextEncoder().encode('entityId=%&currency=EUR&amount=1&paymentBrand=PAYPAL&paymentType=DB')
  expect(checkForm(decodeForm(body), 'createPayment', { compatibility: 'strict' })).toEqual([
    { name: 'entityId', value: '', message: 'must be UTF-8, percent-encoded' },
  ])
})

describe('a legacy channel', () => {
  const accepted: readonly [string, Record<string, string>][] = [
    ['PA.CP', { paymentType: 'PA.CP' }],
    ['amounts of 12 digits', { amount: '123456789012' }],
    ['createRegistration=1', { createRegistration: '1' }],
    ['any phone number', { 'customer.phone': '(?!?)555-5555', 'customer.mobile': 'n/a' }],
    ['short references', { merchantTransactionId: 'a' }],
    ['customer fields without a name', { 'customer.email': 'jane@example.com' }],
    ['cities and postcodes with spaces', { 'shipping.city': 'New York', 'shipping.postcode': 'SW1A 1AA' }],
  ]
  test.each(accepted)('accepts %s', (_, parameters) => {
    expect(check('createPayment', { ...cardDebit, ...parameters }, 'legacy')).toEqual([])
    expect(check('createPayment', { ...cardDebit, ...parameters })).not.toEqual([])
  })

  test('lists PA.CP in the error of a wrong payment type', () => {
    expect(check('createPayment', { ...cardDebit, paymentType: 'RF' }, 'legacy')).toEqual([
      { name: 'paymentType', value: 'RF', message: 'must be one of [PA, DB, CD, PA.CP]' },
    ])
  })

  test('refuses values that are invalid on all channels', () => {
    expect(check('createPayment', { ...cardDebit, amount: '1.5' }, 'legacy').map(({ name }) => name)).toEqual([
      'amount',
    ])
  })
})

describe('a value in an error', () => {
  test.each(['4200000000000000', '4200 0000 0000 0000', '4200-0000-0000-0000', 'x4200000000000000x'])(
    'is masked if it looks like a card number: %s',
    (value) => {
      expect(check('createPayment', { ...cardDebit, 'card.expiryYear': value })[0]?.value).toBe('***')
    },
  )

  test('is cut to the maximum length', () => {
    expect(check('createPayment', { ...cardDebit, descriptor: 'a'.repeat(5_000) })[0]?.value.length).toBe(1_024)
  })
})

test('checkForm throws for a form of another surface', () => {
  expect(() => checkForm(decodeForm(new Uint8Array()), 'queryPayments', { compatibility: 'strict' })).toThrow(/query/)
})

test('errors name each parameter at most once: unknown parameters first, then in the order of the contract', () => {
  const names = sections
    .flatMap(({ rows }) => rows)
    .map(({ name }) => name.replaceAll('[n]', '[0]').replace(/\[(name|key|brand)\]$/, '[abc]'))
  const values = fc.oneof(
    fc.string(),
    fc.constantFrom('1.00', 'true', 'VISA', 'DB', 'RF', 'REPEATED', 'MIT', '2024-01-01'),
  )
  const operation = fc.constantFrom<OperationName>(
    'createPayment',
    'referToPayment',
    'createRegistration',
    'queryPayments',
  )
  fc.assert(
    fc.property(
      operation,
      fc.dictionary(fc.constantFrom(...names), values, { noNullPrototype: true }),
      fc.constantFrom('strict', 'legacy'),
      (name, parameters, compatibility) => {
        const { surface } = operations[name]
        const errors = check(name, parameters, compatibility)
        const unknown = errors.filter((error) => findParameter(surface, error.name) === undefined)
        const order = errors.slice(unknown.length).map((error) => findParameter(surface, error.name)?.order ?? -1)
        expect(order).toEqual([...new Set(order)].toSorted((a, b) => a - b))
        expect(order).not.toContain(-1)
        const isLax = surface === 'payment' || compatibility === 'legacy'
        const sent = Object.keys(parameters).filter((each) => parameters[each] !== '' && !findParameter(surface, each))
        expect(unknown.map((error) => error.name).toSorted()).toEqual(isLax ? [] : sent.toSorted())
      },
    ),
    { numRuns: 1_000 },
  )
})

describe('a repeated parameter', () => {
  const checkBody = (body: string, compatibility: Compatibility) =>
    checkForm(decodeForm(new TextEncoder().encode(body)), 'createPayment', { compatibility })
  const body = new URLSearchParams(cardDebit).toString()

  test.each([
    ['descriptor', 'descriptor=a&descriptor=a', 'a'],
    ['card.cvv', 'card.cvv=123&card.cvv=456', '***'],
    ['walletA.source', 'walletA.source=web&applePay.source=app', 'app'],
  ])('has an error with its last value on a strict channel: %s', (name, twice, value) => {
    expect(checkBody(`${body}&${twice}`, 'strict')).toContainEqual({ name, value, message: 'must be sent once' })
  })

  test('has its last value on a legacy channel', () => {
    expect(checkBody(`${body}&billing.state=BY&billing.state=BY&descriptor=a&descriptor=b`, 'legacy')).toEqual([])
    expect(checkBody(`${body}&currency=eur`, 'legacy').map(({ value }) => value)).toEqual(['eur'])
    expect(checkBody(`currency=eur&${body}`, 'legacy')).toEqual([])
  })
})

test('too many parameters are the only error, which contains their maximum', () => {
  const body = `amount=x&${'a=1&'.repeat(limits.pairsMax)}`
  for (const compatibility of ['strict', 'legacy'] as const) {
    expect(checkForm(decodeForm(new TextEncoder().encode(body)), 'createPayment', { compatibility })).toEqual([
      { name: '', value: '', message: `must be at most ${limits.pairsMax} parameters` },
    ])
  }
})

describe('a query', () => {
  const errorsOn = (compatibility: Compatibility, operation: OperationName, query: string) =>
    checkForm(decodeForm(new TextEncoder().encode(query), 'query'), operation, { compatibility })

  test.each([
    ['merchantTransactionID=x', 'merchantTransactionID'],
    ['a%5Bb%5D=x', 'a[b]'],
    ['card.number=4200000000000000', 'card.number'],
    ['authentication.userId=x', 'authentication.userId'],
    ['authentication.password=hush', 'authentication.password'],
    ['%ff=x', '%ff'],
    [`${'n'.repeat(limits.nameBytesMax + 1)}=x`, 'n'.repeat(limits.nameBytesMax)],
    ['4539-5787-6362-1486=x', '****-****-****-****'],
  ])('with an unknown parameter has an error that names the parameter, on strict channels only: %s', (query, name) => {
    for (const operation of ['queryPayments', 'queryPayment', 'queryRecords', 'queryRecord'] as const) {
      const errors = errorsOn('strict', operation, query)
      expect(errors.map((error) => [error.name, error.value])).toEqual([[name, '']])
      expect(errorsOn('legacy', operation, query)).toEqual([])
    }
  })

  test('with an unknown parameter has an error that lists the accepted parameters', () => {
    expect(errorsOn('strict', 'queryPayment', 'x=y')[0]?.message).toBe(
      'must be a parameter of this query, one of [entityId, paymentTypes, paymentMethods, includeLinkedTransactions]',
    )
    expect(errorsOn('strict', 'queryPayments', 'x=y')[0]?.message).toMatch(
      /\[entityId, merchantTransactionId, limit, .*\]$/,
    )
  })

  test('may contain empty parameters, which count as absent', () => {
    expect(errorsOn('strict', 'queryPayments', 'x=&y&a[b]=&merchantTransactionId=a')).toEqual([])
  })
})
