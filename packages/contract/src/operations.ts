import { chars, oneOf } from './format.ts'
import { type ParameterName, rowsOf } from './names.ts'
import type { Format, Row, Surface } from './row.ts'
import type { ResponseKind } from './responses.ts'
import type { RowName } from './sections.ts'
import { transactionTypes } from './transaction-types.ts'

/** The request of an operation. The tables of parameters apply in addition. */
export interface Operation {
  readonly surface: Surface
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /**
   * The sender, if other than a merchant with an access token. shopper: sends no token, because the id of the checkout
   * is the secret. statusReader: needs no token if the channel allows that.
   */
  readonly by?: 'shopper' | 'statusReader'
  /** One line, for the reference documents. */
  readonly summary: string
  /** Mandatory parameters. */
  readonly required: readonly ParameterName[]
  /** Parameters that must not be sent, by row, with the text of the error. */
  readonly refused: Readonly<Partial<Record<RowName, string>>>
  /** Narrower formats of parameters in this operation. */
  readonly formats: Readonly<Partial<Record<RowName, Pick<Row, 'format' | 'legacy'>>>>
  /**
   * The account: new (in this request), stored, awaited (the shopper enters it later), optional (any part of it may be
   * sent, for a check without a payment) or none. The shopper's request of a checkout has none: its account is checked
   * with the whole payment.
   */
  readonly account: 'new' | 'stored' | 'awaited' | 'optional' | 'none'
}

const firstType = { format: oneOf('PA', 'DB', 'CD'), legacy: oneOf('PA', 'DB', 'CD', 'PA.CP') } as const

const referringTypes = oneOf('CP', 'RV', 'RF', 'RB', 'PA', 'CB', 'CR', 'RC')

/** Accepts every type: whether it may refer to the payment depends on the tree of the payment. */
const referringType: Format = { ...referringTypes, accepts: (value) => Object.hasOwn(transactionTypes, value) }

const noOverride = { 'overridePaymentType[brand]': 'is accepted only at checkout creation' } as const

const payment = ['entityId', 'paymentType', 'amount', 'currency'] as const

/** The formats of a plan. Every charge has these values of `standingInstruction`, even if the request omits them. */
const planned = {
  paymentType: firstType,
  'standingInstruction.type': { format: oneOf('RECURRING') },
  'standingInstruction.mode': { format: oneOf('REPEATED') },
  'standingInstruction.source': { format: oneOf('MIT') },
} as const

/** `createRegistration` is refused, because every charge would register the account again. */
const storedAccount = { ...noOverride, createRegistration: 'must not be sent with a stored account' } as const

/** Structures whose parameters the shopper may send. */
const structuresOfShopper =
  /^(card|bankAccount|virtualAccount|giftCard|wallet[ABC]|billing|customer|customParameters|recurring)[.[]/
/**
 * Other parameters that the shopper may send; the merchant sets the rest. `shopperResultUrl` is among them, because
 * "The widget form carries the shopperResultUrl as form action" (contract, Endpoints, rule 3).
 */
const parametersOfShopper = new Set([
  'paymentBrand',
  'registrationId',
  'createRegistration',
  'locale',
  'shopperResultUrl',
])

const refusedFromShopper = Object.fromEntries(
  rowsOf('payment')
    .filter(({ name }) => !structuresOfShopper.test(name) && !parametersOfShopper.has(name))
    .map(({ name }) => [name, 'is set by the merchant, when the checkout is created']),
)

/** The errors for secrets in the merchant's request of a checkout: only the shopper may enter them. */
const enteredByShopper = Object.fromEntries(
  rowsOf('payment')
    .filter(({ secret }) => secret !== undefined)
    .map(({ name }) => [name, 'is entered by the shopper, in the widget']),
)

/** The shopper's request of a checkout. The rules of payments apply to it together with the merchant's request. */
const submission = { by: 'shopper', refused: refusedFromShopper } as const

const authentication = {
  required: ['entityId', 'amount', 'currency', 'shopperResultUrl'],
  refused: {
    ...noOverride,
    createRegistration: 'must not be sent: this operation stores no account',
    'pos.entryMode': 'must not be sent: a cardholder at a terminal needs no authentication',
    'threeDSecure.eci': 'must not be sent: it is a result of the authentication',
    'threeDSecure.verificationId': 'must not be sent: it is a result of the authentication',
  },
  formats: { paymentType: { format: oneOf('3D') } },
} as const

const riskCheck = {
  required: ['entityId', 'amount', 'currency'],
  refused: noOverride,
  formats: { paymentType: { format: oneOf('RI') } },
  account: 'optional',
} as const

const entityIdRequired = { required: ['entityId'] } as const
const registrationRequest = {
  ...entityIdRequired,
  refused: { ...noOverride, paymentType: 'must NOT be sent' },
} as const

/** A query with an id in the path accepts no other reference, range, limit or page. */
const queryById = {
  surface: 'query',
  refused: Object.fromEntries(
    ['merchantTransactionId', 'limit', 'date.from', 'date.to', 'shortId', 'pageNo'].map((name) => [
      name,
      'must not be combined with an id in the path',
    ]),
  ),
} as const

/** A summary of settlements has no further key of sort and no position. */
const settlementSummary = {
  surface: 'report',
  required: ['date.from', 'date.to'],
  refused: { after: 'is for the records of a settlement' },
} as const

const withoutPages = { ...settlementSummary.refused, pageNo: 'is for /reports/v2' } as const

/** The records of a settlement: the id in the path defines its day and its currency. */
const settlementRecords = {
  surface: 'report',
  refused: Object.fromEntries(
    ['date.from', 'date.to', 'currency'].map((name) => [name, 'must not be combined with an id in the path']),
  ),
} as const

/** An operation with a route, and the kind of its answer after a success. */
interface Route extends Operation {
  readonly answer: ResponseKind
}

const route =
  (method: Operation['method']) =>
  (path: string, answer: ResponseKind, summary: string, overrides: Partial<Operation> = {}): Route => ({
    surface: 'payment',
    method,
    path,
    summary,
    answer,
    required: [],
    refused: {},
    formats: {},
    account: 'none',
    ...overrides,
  })

const [get, post, remove] = [route('GET'), route('POST'), route('DELETE')]

/** The operations that have a route, in the order of the reference documents. */
const served = {
  createPayment: post('/v1/payments', 'payment', 'Pays, preauthorises or pays out with account data', {
    required: payment,
    refused: noOverride,
    formats: { paymentType: firstType },
    account: 'new',
  }),
  getPayment: get('/v1/payments/{id}', 'payment', 'Reads a payment'),
  referToPayment: post(
    '/v1/payments/{id}',
    'reference',
    'Captures, reverses, refunds, rebills or increases a payment, or records a chargeback or receipt',
    {
      required: ['entityId', 'paymentType'],
      refused: noOverride,
      formats: { paymentType: { format: referringType } },
    },
  ),
  createRegistration: post('/v1/registrations', 'registration', 'Registers account data without a payment', {
    ...registrationRequest,
    account: 'new',
  }),
  getRegistration: get('/v1/registrations/{id}', 'registration', 'Reads a registration'),
  updateRegistration: post('/v1/registrations/{id}', 'registration', 'Updates a registration', registrationRequest),
  extendRegistration: post(
    '/v1/registrations/{id}/extendlife',
    'registration',
    'Extends the retention of a registration',
    registrationRequest,
  ),
  payWithRegistration: post('/v1/registrations/{id}/payments', 'payment', 'Pays with a registration', {
    required: payment,
    refused: noOverride,
    formats: { paymentType: firstType },
    account: 'stored',
  }),
  deleteRegistration: remove('/v1/registrations/{id}', 'registration', 'Deletes a registration', entityIdRequired),
  createRiskCheck: post('/v1/risk', 'riskCheck', 'Makes a risk check without a payment', riskCheck),
  createRedShieldCheck: post(
    '/v2/redShield',
    'riskCheck',
    'The same as POST /v1/risk, under the path of older clients',
    riskCheck,
  ),
  createThreeDSecure: post('/v1/threeDSecure', 'threeDSecure', 'Authenticates the holder of a card without a payment', {
    ...authentication,
    account: 'new',
  }),
  authenticateWithRegistration: post(
    '/v1/registrations/{id}/threeDSecure',
    'threeDSecure',
    'Authenticates the holder of a stored card without a payment',
    { ...authentication, account: 'stored' },
  ),
  getThreeDSecure: get('/v1/threeDSecure/{id}', 'threeDSecure', 'Reads an authentication without a payment'),
  createCheckout: post('/v1/checkouts', 'checkout', 'Prepares a payment that the shopper completes in the widget', {
    ...entityIdRequired,
    refused: enteredByShopper,
    formats: { paymentType: firstType, 'overridePaymentType[brand]': firstType },
    account: 'awaited',
  }),
  updateCheckout: post('/v1/checkouts/{id}', 'checkout', 'Changes a checkout that the shopper has not submitted', {
    ...entityIdRequired,
    refused: { ...enteredByShopper, ...noOverride },
    formats: { paymentType: firstType },
    account: 'awaited',
  }),
  payCheckout: post(
    '/v1/checkouts/{id}/payment',
    'payment',
    'Pays a checkout, without an access token: the id is the secret',
    submission,
  ),
  getCheckoutPayment: get('/v1/checkouts/{id}/payment', 'checkoutStatus', 'Reads the payment of a checkout', {
    by: 'statusReader',
  }),
  registerCheckout: post(
    '/v1/checkouts/{id}/registration',
    'registration',
    'Registers account data for a checkout without a payment, without an access token',
    submission,
  ),
  getCheckoutRegistration: get(
    '/v1/checkouts/{id}/registration',
    'checkoutStatus',
    'Reads the registration of a checkout',
    { by: 'statusReader' },
  ),
  createSchedule: post('/scheduling/v1/schedules', 'schedule', 'Plans recurring payments with a registration', {
    required: [...payment, 'registrationId'],
    refused: storedAccount,
    formats: { ...planned, registrationId: { format: chars('letters or digits', 32, 32) } },
    account: 'stored',
  }),
  getSchedule: get(
    '/scheduling/v1/schedules/{id}',
    'schedule',
    'Reads a plan of recurring payments, or all plans of a registration',
  ),
  reschedule: post('/scheduling/v1/schedules/{id}/reschedule', 'schedule', 'Replaces a plan by another', {
    ...entityIdRequired,
    refused: storedAccount,
    formats: planned,
    account: 'stored',
  }),
  deschedule: post('/scheduling/v1/schedules/{id}/deschedule', 'schedule', 'Cancels a plan', entityIdRequired),
  deleteSchedule: remove(
    '/scheduling/v1/schedules/{id}',
    'schedule',
    'The same as POST /scheduling/v1/schedules/{id}/deschedule',
    entityIdRequired,
  ),
  queryPayment: get('/v1/query/{id}', 'queried', 'Reads a transaction of any type by its id', queryById),
  queryPayments: get('/v1/query', 'payments', 'Finds transactions, newest first', {
    surface: 'query',
    refused: { pageNo: 'is for GET /v3/query' },
  }),
  queryRecord: get('/v3/query/{id}', 'records', 'The same as GET /v1/query/{id}, as a list', queryById),
  queryRecords: get('/v3/query', 'records', 'Finds transactions, newest first, in pages', { surface: 'query' }),
  getAggregations: get('/reports/v1/reconciliations/aggregations', 'aggregations', 'Summarises settlements', {
    ...settlementSummary,
    refused: withoutPages,
  }),
  getAggregation: get(
    '/reports/v1/reconciliations/aggregations/{id}',
    'aggregation',
    'Reads the records of a settlement',
    {
      ...settlementRecords,
      refused: { ...settlementRecords.refused, pageNo: withoutPages.pageNo },
    },
  ),
  getAggregationsPage: get(
    '/reports/v2/reconciliations/aggregations',
    'aggregationsPage',
    'Summarises settlements, in pages of a snapshot',
    settlementSummary,
  ),
  getAggregationPage: get(
    '/reports/v2/reconciliations/aggregations/{id}',
    'aggregationPage',
    'Reads the records of a settlement, in pages of a snapshot',
    { ...settlementRecords, refused: { ...settlementRecords.refused, after: 'is for /reports/v1' } },
  ),
} as const

/** The name of an operation that has a route. */
export type ServedOperation = keyof typeof served

const isServed = (name: string): name is ServedOperation => Object.hasOwn(served, name)

/** The names of the operations that have a route, in the order of the reference documents. */
export const servedOperations: readonly ServedOperation[] = Object.keys(served).filter(isServed)

/** The kind of the operation's answer after a success. */
export const answerKindOf = (name: ServedOperation): ResponseKind => served[name].answer

/** Name of an operation, such as `createPayment`. */
export type OperationName = ServedOperation

/** The rules of every operation's form. */
export const operations: Readonly<Record<OperationName, Operation>> = served
