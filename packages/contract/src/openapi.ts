import { answerName, componentSchemas, parameterRows, requestName, schemaRef } from './openapi-schemas.ts'
import type {
  HttpMethod,
  MediaType,
  OpenApi,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from './openapi-types.ts'
import { eventSchemas, webhooks } from './openapi-webhooks.ts'
import { rowsOf } from './names.ts'
import {
  answerKindOf,
  type Operation,
  type OperationName,
  operations,
  type ServedOperation,
  servedOperations,
} from './operations.ts'
import { authentication } from './parameters/authentication.ts'
import { type ResponseKind, responses } from './responses.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** Errors by HTTP status (contract: Errors; else the HTTP standard). */
const failures = {
  400: { name: 'BadRequest', description: 'Parameters are missing or wrong, or the payment was rejected' },
  401: { name: 'Unauthorized', description: 'The Authorization header is missing or not of the Bearer scheme' },
  403: { name: 'Forbidden', description: 'The access token is unknown, or has no access to the entity' },
  404: { name: 'NotFound', description: 'The path does not exist, or no record has the id' },
  405: { name: 'MethodNotAllowed', description: 'The path does not support this method' },
  408: { name: 'RequestTimeout', description: 'The request did not arrive in time' },
  413: { name: 'ContentTooLarge', description: 'The request body is too large' },
  415: { name: 'UnsupportedMediaType', description: `The request body is not ${FORM}` },
  429: { name: 'TooManyRequests', description: 'The request was throttled' },
  431: { name: 'RequestHeaderFieldsTooLarge', description: 'The headers or the address of the request are too large' },
  500: { name: 'InternalServerError', description: 'An unexpected error; the request may have been processed' },
  503: { name: 'ServiceUnavailable', description: 'The service cannot process requests at the moment' },
} as const

const failureHeaders: Readonly<Record<string, Pick<ResponseObject, 'headers'>>> = {
  405: { headers: { Allow: { description: 'The methods that the path supports', schema: { type: 'string' } } } },
  429: {
    headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'string', pattern: '^[0-9]+$' } } },
  },
}

type Content = Readonly<Record<string, MediaType>>

/** The second representation of reports. */
const csvContent: Content = { 'text/csv': { schema: { type: 'string' } } }

const jsonContent = (name: string): Content => ({
  [JSON_TYPE]: { schema: schemaRef(name) },
})

const failureResponses = (): OpenApi['components']['responses'] =>
  Object.fromEntries(
    Object.entries(failures).map(([status, { name, description }]) => [
      name,
      Object.assign({ description, content: jsonContent(answerName('error')) }, failureHeaders[status]),
    ]),
  )

const responsesOf = (kind: ResponseKind, more: Content = {}): OperationObject['responses'] => ({
  200: { description: responses[kind].description, content: { ...jsonContent(answerName(kind)), ...more } },
  ...Object.fromEntries(
    Object.entries(failures).map(([status, { name }]): readonly [string, Reference] => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  ),
})

const idempotencyKey: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Identifies the request. A request with the same key and parameters is not processed again and gets the first ' +
    'answer; with other parameters it is refused. 1 to 255 printable characters',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: String.raw`^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$`,
  },
}

const pathId = (description: string, pattern: string): ParameterObject => ({
  name: 'id',
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', pattern },
})

const sandbox = { entityId: '70119a7e5eed00000000000000000c00' } as const
const order = { ...sandbox, amount: '92.00', currency: 'EUR' } as const
const debit = { ...order, paymentType: 'DB' } as const
const testCard = {
  paymentBrand: 'VISA',
  'card.number': '4111111111111111',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
} as const

const riskCheck = {
  ...order,
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.email': 'jane@jones.example',
} as const

/** A valid form for each operation with a form. The ids of the sandbox exist while the sandbox is on. */
const examples: Partial<Readonly<Record<OperationName, Readonly<Record<string, string>>>>> = {
  createPayment: { ...debit, ...testCard },
  referToPayment: { ...order, amount: '10.00', paymentType: 'RF' },
  createRegistration: { ...sandbox, ...testCard },
  updateRegistration: { ...sandbox, 'card.expiryMonth': '11', 'card.expiryYear': '2037' },
  extendRegistration: sandbox,
  payWithRegistration: {
    ...debit,
    'standingInstruction.type': 'UNSCHEDULED',
    'standingInstruction.mode': 'REPEATED',
    'standingInstruction.source': 'CIT',
  },
  createRiskCheck: riskCheck,
  createRedShieldCheck: riskCheck,
  authenticateWithRegistration: { ...order, shopperResultUrl: 'https://shop.example/authenticated' },
  createThreeDSecure: {
    ...order,
    'card.number': '4200000000000042',
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    shopperResultUrl: 'https://shop.example/authenticated',
  },
  createCheckout: { ...debit, integrity: 'true' },
  updateCheckout: { ...sandbox, amount: '15.99' },
  payCheckout: testCard,
  registerCheckout: testCard,
  createSchedule: {
    ...sandbox,
    registrationId: '8ac7a4a1b2c3d4e5f60718293a4b5c6d',
    amount: '9.20',
    currency: 'EUR',
    paymentType: 'DB',
    'job.month': '*',
  },
  reschedule: { ...sandbox, amount: '10.20' },
  deschedule: sandbox,
}

/** Parameters of a GET or DELETE in the query string: the entity, and the filters of queries. */
const queryParameters = ({ surface, required, refused }: Operation): readonly ParameterObject[] =>
  (surface === 'payment' ? parameterRows(authentication) : rowsOf(surface))
    .filter(({ name }) => !Object.hasOwn(refused, name))
    .map(({ name, format, note }) => ({
      name,
      in: 'query',
      required: required.some((each) => each === name),
      description: note,
      schema: format.schema,
    }))

const bodyOf = (name: OperationName): Pick<OperationObject, 'requestBody'> => {
  const example = examples[name]
  const media = { schema: schemaRef(requestName(name)), ...(example && { example }) }
  return { requestBody: { required: true, content: { [FORM]: media } } }
}

const tagOf = (name: ServedOperation): string => {
  const answer = answerKindOf(name)
  if (answer === 'riskCheck') return 'Risk'
  if (answer === 'threeDSecure') return '3-D Secure'
  if (answer === 'schedule') return 'Schedules'
  if (operations[name].surface === 'query') return 'Queries'
  if (operations[name].surface === 'report') return 'Reports'
  if (operations[name].path.startsWith('/v1/checkouts')) return 'Checkouts'
  return operations[name].path.includes('/registrations') ? 'Registrations' : 'Payments'
}

function pathIdReference(path: string): readonly Reference[] {
  if (!path.includes('{id}')) return []
  return [{ $ref: `#/components/parameters/${path.startsWith('/v1/checkouts') ? 'CheckoutId' : 'Id'}` }]
}

const securityOf = {
  shopper: { security: [] },
  // The access token may be missing only if the channel's setting checkoutStatusWithoutLogin allows it.
  statusReader: { security: [{ accessToken: [] }, {}] },
} as const satisfies Readonly<Record<NonNullable<Operation['by']>, Pick<OperationObject, 'security'>>>

const operationObject = (name: ServedOperation): OperationObject => {
  const operation = operations[name]
  const hasForm = operation.method === 'POST'
  const isCommand = operation.method !== 'GET'
  return {
    operationId: name,
    summary: operation.summary,
    tags: [tagOf(name)],
    ...(operation.by !== undefined && securityOf[operation.by]),
    parameters: [
      ...pathIdReference(operation.path),
      ...(isCommand ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(hasForm ? [] : queryParameters(operation)),
    ],
    ...(hasForm && bodyOf(name)),
    responses: responsesOf(answerKindOf(name), operation.surface === 'report' ? csvContent : {}),
  }
}

const methods: Readonly<Record<Operation['method'], HttpMethod>> = { GET: 'get', POST: 'post', DELETE: 'delete' }

const paths = (): OpenApi['paths'] => {
  const byPath: Record<string, Partial<Record<HttpMethod, OperationObject>>> = {}
  for (const name of servedOperations) {
    const { path, method } = operations[name]
    byPath[path] = { ...byPath[path], [methods[method]]: operationObject(name) }
  }
  const getResultCodes: OperationObject = {
    operationId: 'getResultCodes',
    summary: 'The result codes and their descriptions',
    tags: ['General'],
    security: [],
    responses: responsesOf('resultCodes'),
  }
  return { ...byPath, '/v1/resultcodes': { get: getResultCodes } }
}

/**
 * The OpenAPI 3.1 document of the public API, version 1, from the tables of this package. The schemas of forms restrict
 * known parameters and accept unknown ones; answers may gain fields at any time (contract: Versioning).
 */
export const openapi = (): OpenApi => ({
  openapi: '3.1.1',
  info: {
    title: 'Tollgate',
    version: '1',
    description: 'A payment gateway that a company runs itself. Requests are forms in UTF-8, answers are JSON.',
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/', description: 'The gateway that serves this document' }],
  security: [{ accessToken: [] }],
  tags: [
    { name: 'Payments', description: 'Debits, preauthorisations and payouts, and transactions that refer to them' },
    { name: 'Registrations', description: 'Stored account data' },
    { name: 'Checkouts', description: 'Payments and registrations that shoppers complete in the payment form' },
    { name: 'Schedules', description: 'Plans of recurring payments' },
    { name: 'Queries', description: 'Stored transactions by id, reference or time' },
    { name: 'Reports', description: 'Settlements and their records, also as CSV with Accept: text/csv' },
    { name: 'Risk', description: 'Risk checks without a payment' },
    { name: '3-D Secure', description: 'Authentications without a payment' },
    { name: 'Webhooks', description: 'Notifications to endpoints of merchants' },
    { name: 'General', description: 'Registries' },
  ],
  paths: paths(),
  webhooks,
  components: {
    securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', description: 'The access token of an entity' } },
    parameters: {
      Id: pathId('Id of the transaction, registration, plan or settlement: 32 letters or digits', '^[A-Za-z0-9]{32}$'),
      CheckoutId: pathId('Id of the checkout: 32 to 48 letters, digits, dots or hyphens', '^[A-Za-z0-9.-]{32,48}$'),
      IdempotencyKey: idempotencyKey,
    },
    responses: failureResponses(),
    schemas: Object.assign(
      eventSchemas(),
      componentSchemas([
        ...new Set([
          ...servedOperations.map(answerKindOf),
          'record',
          'aggregationItem',
          'reconciliationItem',
          'error',
          'resultCodes',
        ] as const),
      ]),
    ),
  },
})
