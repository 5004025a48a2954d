import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import type { JsonSchema } from './json-schema.ts'
import { openapi } from './openapi.ts'
import type { OperationObject } from './openapi-types.ts'
import { operations, servedOperations } from './operations.ts'
import { resultCodes } from './result-codes.ts'
import type { Row } from './row.ts'
import { sections } from './sections.ts'

const document = openapi()
const routes = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)

/** Every `$ref` anywhere below `value`. */
const referencesIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => (name === '$ref' ? [String(each)] : referencesIn(each)))
}

/** The JSON pointers of all components. */
const componentPointers = Object.entries(document.components).flatMap(([kind, components]) =>
  Object.keys(components).map((name) => `#/components/${kind}/${name}`),
)

const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  allowMatchingProperties: true,
  allErrors: true,
  validateFormats: false,
})
ajv.addVocabulary(['components'])
ajv.addSchema({ $id: 'tollgate', components: { schemas: document.components.schemas } }, 'tollgate')
const validatorOf = (name: string) => {
  const validator = ajv.getSchema(`tollgate#/components/schemas/${name}`)
  if (validator === undefined) throw new Error(`no schema ${name}`)
  return validator
}

test('the document has every served operation once, with its name, path and method', () => {
  const listed = routes.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`)
  const served = servedOperations.map((name) => {
    const { method, path } = operations[name]
    return `${name} ${method.toLowerCase()} ${path}`
  })
  expect(listed.toSorted()).toEqual([...served, 'getResultCodes get /v1/resultcodes'].toSorted())
  expect(new Set(routes.map(({ operation }) => operation.operationId)).size).toBe(routes.length)
})

test('every reference resolves, and every component is referred to', () => {
  const references = new Set([...referencesIn(document), '#/components/securitySchemes/accessToken'])
  expect([...references].toSorted()).toEqual(componentPointers.toSorted())
})

test('component names are valid', () => {
  for (const names of Object.values(document.components)) {
    for (const name of Object.keys(names)) expect(name).toMatch(/^[A-Za-z0-9._-]+$/)
  }
})

test.each(routes)(
  '$operation.operationId has its statuses, tag, security and path parameters',
  ({ path, method, operation }) => {
    const described: OperationObject = operation
    expect(Object.keys(described.responses).join(' ')).toBe('200 400 401 403 404 405 408 413 415 429 431 500 503')
    expect(described.summary).not.toBe('')
    for (const tag of described.tags) expect(document.tags.map(({ name }) => name)).toContain(tag)
    const isOfShopper = /^\/v1\/checkouts\/\{id\}\/./.test(path)
    const isOpen = path === '/v1/resultcodes' || (method === 'post' && isOfShopper)
    const security = isOfShopper ? [{ accessToken: [] }, {}] : undefined
    expect(described.security).toEqual(isOpen ? [] : security)
    const references = new Set(referencesIn(described.parameters))
    const id = path.startsWith('/v1/checkouts') ? 'CheckoutId' : 'Id'
    expect(references.has(`#/components/parameters/${id}`)).toBe(path.includes('{id}'))
    expect(references.has('#/components/parameters/IdempotencyKey')).toBe(method !== 'get')
    expect(described.requestBody === undefined).toBe(method !== 'post')
  },
)

test('every answer is JSON with a schema, and the answer to a throttled request has the header Retry-After', () => {
  const contents = [
    ...routes.map(({ operation }) => operation.responses['200']),
    ...Object.values(document.components.responses),
  ]
  for (const response of contents) {
    expect(response).toHaveProperty(['content', 'application/json', 'schema', '$ref'])
    expect(response).toHaveProperty('description')
  }
  expect(document.components.responses['TooManyRequests']?.headers).toHaveProperty('Retry-After')
})

test('every schema compiles in strict mode', () => {
  const names = Object.keys(document.components.schemas)
  expect(names.length).toBeGreaterThan(30)
  expect(names.map((name) => typeof validatorOf(name))).toEqual(names.map(() => 'function'))
})

test('every example is a valid form of its operation', () => {
  const media = routes.flatMap(({ operation }) => Object.values(operation.requestBody?.content ?? {}))
  expect(media).toHaveLength(17)
  for (const { schema, example } of media) {
    const validate = validatorOf(schema.$ref?.replace('#/components/schemas/', '') ?? '')
    expect(validate(example)).toBe(true)
  }
})

/** All schemas that together describe the form `name`. */
const partsOf = (name: string): readonly JsonSchema[] => {
  const schema = document.components.schemas[name] ?? {}
  const parts = (schema.allOf ?? []).flatMap((part) =>
    part.$ref === undefined ? [part] : partsOf(part.$ref.replace('#/components/schemas/', '')),
  )
  return [schema, ...parts]
}

const matches = (form: string, name: string): boolean =>
  partsOf(form).some(
    ({ properties = {}, patternProperties = {} }) =>
      Object.hasOwn(properties, name) ||
      Object.keys(patternProperties).some((pattern) => new RegExp(pattern, 'u').test(name)),
  )

test('every parameter of the payment tables is in the form of a payment, unless the operation refuses it', () => {
  const rows = sections.filter(({ surface }) => surface === 'payment').flatMap((section) => section.rows)
  expect(rows.length).toBeGreaterThan(400)
  const sample = ({ name, key }: Row) =>
    name.replaceAll('[n]', '[0]').replace(/\[[^\]]+\]$/, key === undefined ? '$&' : '[some_key]')
  const isAccepted = ({ name, format }: Row) =>
    format.kind !== 'header' && !Object.hasOwn(operations.createPayment.refused, name)
  expect(rows.filter((row) => matches('CreatePaymentRequest', sample(row)) !== isAccepted(row))).toEqual([])
})

const omit = (value: object, name: string): object =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))

const minimal = { amount: '1.00', currency: 'EUR', entityId: '0'.repeat(32), paymentType: 'DB' }

type SchemaCase = readonly [schema: string, title: string, value: object, isValid: boolean]

/** A case with the verb of its test title. */
const titledCase = ([schema, title, value, isValid]: SchemaCase) => ({
  schema,
  verb: isValid ? 'accepts' : 'refuses',
  title,
  value,
  isValid,
})

const formCases: readonly SchemaCase[] = [
  ['CreatePaymentRequest', 'a form without optional parameters', minimal, true],
  ['CreatePaymentRequest', 'a form without amount', { ...minimal, amount: undefined }, false],
  ['CreatePaymentRequest', 'three decimals', { ...minimal, amount: '1.000' }, false],
  ['CreatePaymentRequest', 'a capture', { ...minimal, paymentType: 'CP' }, false],
  ['CreatePaymentRequest', 'an unknown parameter', { ...minimal, 'recurring.type': 'x' }, true],
  ['CreatePaymentRequest', 'cart index 999', { ...minimal, 'cart.items[999].price': '1.00' }, true],
  ['CreatePaymentRequest', 'a wrong price in the cart', { ...minimal, 'cart.items[12].price': '1' }, false],
  ['CreatePaymentRequest', 'a custom parameter', { ...minimal, 'customParameters[note]': 'x'.repeat(2048) }, true],
  [
    'CreatePaymentRequest',
    'a custom parameter that is too long',
    { ...minimal, 'customParameters[note]': 'x'.repeat(2049) },
    false,
  ],
  ['ReferToPaymentRequest', 'a reversal', { entityId: '0'.repeat(32), paymentType: 'RV' }, true],
  ['CreateRegistrationRequest', 'a form without entity', { paymentBrand: 'VISA' }, false],
  ['CreateRiskCheckRequest', 'a form without type', omit(minimal, 'paymentType'), true],
  ['CreateRiskCheckRequest', 'the type RI', { ...minimal, paymentType: 'RI' }, true],
  ['CreateRiskCheckRequest', 'a debit', minimal, false],
]
test.each(formCases.map(titledCase))('the schema $schema $verb $title', ({ schema, value, isValid }) => {
  expect(validatorOf(schema)(JSON.parse(JSON.stringify(value)))).toBe(isValid)
})

const id = '8ac7a4a1b2c3d4e5f60718293a4b5c6d'
const outcome = {
  id,
  result: { code: '000.100.110', description: resultCodes['000.100.110'].text },
  buildNumber: `${'0123456789'.repeat(4)}@2024-05-31 12:00:00 +0000`,
  timestamp: '2024-05-31 12:00:00.123+0000',
  ndc: `${id}_${id}`,
}
const payment = {
  ...outcome,
  paymentType: 'DB',
  paymentBrand: 'VISA',
  amount: '92.00',
  currency: 'EUR',
  descriptor: '1234.5678.9012 Sample channel',
  resultDetails: { ExtendedDescription: 'Approved', ConnectorTxID1: 'a', AcquirerResponse: '00', 'a.key': 'x' },
  card: { bin: '411111', last4Digits: '1111', holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' },
  risk: { score: '100' },
  customParameters: { SHOPPER_note: 'x' },
  cart: { items: [{ name: 'Tea', price: '4.60' }] },
}

const answerCases: readonly SchemaCase[] = [
  ['Payment', 'a payment', payment, true],
  ['Payment', 'a new field', { ...payment, brandNew: { of: [1] } }, true],
  ['Payment', 'an answer without id', omit(payment, 'id'), false],
  ['Payment', 'an answer without result', omit(payment, 'result'), false],
  ['Payment', 'an answer without result code', { ...payment, result: {} }, false],
  ['Payment', 'an answer without ndc', omit(payment, 'ndc'), false],
  ['Payment', 'an amount as a number', { ...payment, amount: 92 }, false],
  ['Payment', 'an amount without decimals', { ...payment, amount: '92' }, false],
  ['Payment', 'a time without milliseconds', { ...payment, timestamp: '2024-05-31 12:00:00+0000' }, false],
  ['Payment', 'a build number without a commit', { ...payment, buildNumber: '1.0' }, false],
  ['Payment', 'an id of 31 characters', { ...payment, id: id.slice(1) }, false],
  ['Payment', 'a whole card number', { ...payment, card: { bin: '4111111111111111' } }, false],
  ['Payment', 'a wrong echo', { ...payment, cart: { items: [{ price: 4 }] } }, false],
  ['Payment', 'a redirect', { ...payment, redirect: { url: 'https://a.example/', parameters: [] } }, true],
  ['Payment', 'a redirect without parameters', { ...payment, redirect: { url: 'https://a.example/' } }, false],
  ['Payment', 'the merchant’s account', { ...payment, merchant: { bankAccount: { holder: 'Shop' } } }, true],
  [
    'Payment',
    'a merchant’s account without holder',
    { ...payment, merchant: { bankAccount: { bic: 'MARKDEFF' } } },
    false,
  ],
  ['ReferencingPayment', 'a payment with a reference', { ...payment, referencedId: id }, true],
  ['ReferencingPayment', 'an answer without reference', payment, false],
  ['ReferencingPayment', 'an answer without descriptor', omit({ ...payment, referencedId: id }, 'descriptor'), false],
  ['Registration', 'an answer without optional fields', outcome, true],
  ['RiskCheck', 'a risk check', { ...payment, paymentType: 'RI' }, true],
  ['RiskCheck', 'an answer without score', { ...payment, risk: {} }, false],
  ['RiskCheck', 'a score of six digits', { ...payment, risk: { score: '100000' } }, false],
  ['Error', 'an answer without optional fields', outcome, true],
  ['Error', 'an answer without id', omit(outcome, 'id'), false],
  ['Error', 'an answer without description', { ...outcome, result: { code: '200.300.404' } }, false],
  [
    'Error',
    'parameter errors',
    { ...outcome, result: { ...outcome.result, parameterErrors: [{ name: 'amount', value: '1', message: 'no' }] } },
    true,
  ],
  [
    'Error',
    'a parameter error without name',
    { ...outcome, result: { ...outcome.result, parameterErrors: [{ value: '1', message: 'no' }] } },
    false,
  ],
  ['ResultCodes', 'one code', { ...outcome, resultCodes: [{ code: '000.100.110', description: 'x' }] }, true],
  ['ResultCodes', 'an answer without id', { ...omit(outcome, 'id'), resultCodes: [] }, false],
  ['ResultCodes', 'a code without description', { ...outcome, resultCodes: [{ code: '000.100.110' }] }, false],
]
test.each(answerCases.map(titledCase))('the schema $schema $verb $title', ({ schema, value, isValid }) =>
  expect(validatorOf(schema)(value)).toBe(isValid),
)

test('an event is an answer in its envelope', () => {
  const isEvent = validatorOf('Event')
  const answer = {
    id: '8ac7a4a0973e1d2c01973e2f0b3c0a51',
    result: { code: '000.100.110' },
    buildNumber: `${'0'.repeat(40)}@2026-05-04 00:00:00 +0000`,
    timestamp: '2026-05-04 03:02:01.000+0000',
    ndc: 'n',
  }
  expect(isEvent({ type: 'REGISTRATION', action: 'CREATED', payload: answer })).toBe(true)
  expect(isEvent({ type: 'REGISTRATION', payload: {} })).toBe(false)
  expect(isEvent({ type: 'RISK', payload: answer })).toBe(false)
  expect(isEvent({ type: 'PAYMENT' })).toBe(false)
})
