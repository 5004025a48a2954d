import { chars, oneOf } from './format.ts'
import { type ParameterName, rowsOf } from './names.ts'
import type { Format, Row, Surface } from './row.ts'
import type { RowName } from './sections.ts'
import { transactionTypes } from './transaction-types.ts'

/** What one operation asks of its parameters beyond what the tables say of each. */
export interface Operation {
  readonly surface: Surface
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /**
   * Who sends it, where that is not a merchant with an access token. shopper: without one, the id of a checkout is the
   * secret. statusReader: likewise where the channel allows it, else with an access token.
   */
  readonly by?: 'shopper' | 'statusReader'
  /** One line for documents. */
  readonly summary: string
  /** Parameters without which there is nothing to do. */
  readonly required: readonly ParameterName[]
  /** Parameters that must not be sent, by the name of their row, and what an error says of them. */
  readonly refused: Readonly<Partial<Record<RowName, string>>>
  /** Parameters of which the operation takes fewer values than the table does. */
  readonly formats: Readonly<Partial<Record<RowName, Pick<Row, 'format' | 'legacy'>>>>
  /**
   * Where the account that pays is: in this request, stored, to be entered by the shopper later, or not needed;
   * optional: any part of it may be sent, and nothing is paid.
   */
  readonly account: 'new' | 'stored' | 'awaited' | 'optional' | 'none'
}

const firstType = { format: oneOf('PA', 'DB', 'CD'), legacy: oneOf('PA', 'DB', 'CD', 'PA.CP') } as const

const served = oneOf('CP', 'RV', 'RF', 'RB', 'PA', 'CB', 'CR', 'RC')

/** Whether another well-formed code may refer to a payment is for the tree of the payment to say, not for the form. */
const referringType: Format = { ...served, accepts: (value) => Object.hasOwn(transactionTypes, value) }

const noOverride = { 'overridePaymentType[brand]': 'is accepted only at checkout creation' } as const

const payment = ['entityId', 'paymentType', 'amount', 'currency'] as const

/** What each charge of a plan is, whether it is said or not. */
const planned = {
  paymentType: firstType,
  'standingInstruction.type': { format: oneOf('RECURRING') },
  'standingInstruction.mode': { format: oneOf('REPEATED') },
  'standingInstruction.source': { format: oneOf('MIT') },
} as const

/** Every charge would store the account once more. */
const onceStored = { ...noOverride, createRegistration: 'must not be sent: what is stored pays' } as const

/** Structures of which a shopper may submit parameters; all others are set by the merchant. */
const structuresOfShopper =
  /^(card|bankAccount|virtualAccount|giftCard|wallet[ABC]|billing|customer|customParameters|recurring)[.[]/
/** "The widget form carries the shopperResultUrl as form action." */
const parametersOfShopper = new Set([
  'paymentBrand',
  'registrationId',
  'createRegistration',
  'locale',
  'shopperResultUrl',
])

const refusedOfShopper = Object.fromEntries(
  rowsOf('payment')
    .filter(({ name }) => !structuresOfShopper.test(name) && !parametersOfShopper.has(name))
    .map(({ name }) => [name, 'is set by the merchant, when the checkout is created']),
)

/** What a shopper submits to a checkout: a part of a payment, whose rules hold for the whole of it. */
const submission = {
  by: 'shopper',
  surface: 'payment',
  method: 'POST',
  required: [],
  refused: refusedOfShopper,
  formats: {},
  account: 'none',
} as const

/** What only the shopper may know. */
const enteredByShopper = Object.fromEntries(
  rowsOf('payment')
    .filter(({ secret }) => secret !== undefined)
    .map(({ name }) => [name, 'is entered by the shopper, in the widget']),
)

const authentication = {
  surface: 'payment',
  method: 'POST',
  required: ['entityId', 'amount', 'currency', 'shopperResultUrl'],
  refused: {
    ...noOverride,
    createRegistration: 'must not be sent: nothing is paid or stored',
    'pos.entryMode': 'must not be sent: the holder of a card that a terminal has read is there',
    'threeDSecure.eci': 'is what the authentication finds out',
    'threeDSecure.verificationId': 'is what the authentication finds out',
  },
  formats: { paymentType: { format: oneOf('3D') } },
} as const

const checkoutStatus = {
  by: 'statusReader',
  surface: 'payment',
  method: 'GET',
  required: [],
  refused: {},
  formats: {},
  account: 'none',
} as const

const riskCheck = {
  surface: 'payment',
  method: 'POST',
  required: ['entityId', 'amount', 'currency'],
  refused: noOverride,
  formats: { paymentType: { format: oneOf('RI') } },
  account: 'optional',
} as const

const query = { surface: 'query', method: 'GET', required: [], formats: {}, account: 'none' } as const

const pagesOf = { pageNo: 'is for GET /v3/query' } as const

/** What finds transactions, where the path says which one is wanted. */
const queryOfOne = {
  ...query,
  refused: Object.fromEntries(
    ['merchantTransactionId', 'limit', 'date.from', 'date.to', 'shortId', 'pageNo'].map((name) => [
      name,
      'must not be combined with an id in the path',
    ]),
  ),
} as const

const table = {
  createPayment: {
    surface: 'payment',
    method: 'POST',
    path: '/v1/payments',
    summary: 'Pays, preauthorises or pays out with account data',
    required: payment,
    refused: noOverride,
    formats: { paymentType: firstType },
    account: 'new',
  },
  getPayment: {
    surface: 'payment',
    method: 'GET',
    path: '/v1/payments/{id}',
    summary: 'Reads a payment',
    required: [],
    refused: {},
    formats: {},
    account: 'none',
  },
  referToPayment: {
    surface: 'payment',
    method: 'POST',
    path: '/v1/payments/{id}',
    summary: 'Captures, reverses, refunds, rebills or increases a payment, or records a chargeback or receipt',
    required: ['entityId', 'paymentType'],
    refused: noOverride,
    formats: { paymentType: { format: referringType } },
    account: 'none',
  },
  createRegistration: {
    surface: 'payment',
    method: 'POST',
    path: '/v1/registrations',
    summary: 'Registers account data without a payment',
    required: ['entityId'],
    refused: { ...noOverride, paymentType: 'must NOT be sent' },
    formats: {},
    account: 'new',
  },
  getRegistration: {
    surface: 'payment',
    method: 'GET',
    path: '/v1/registrations/{id}',
    summary: 'Reads a registration',
    required: [],
    refused: {},
    formats: {},
    account: 'none',
  },
  updateRegistration: {
    surface: 'payment',
    method: 'POST',
    path: '/v1/registrations/{id}',
    summary: 'Updates a registration',
    required: ['entityId'],
    refused: { ...noOverride, paymentType: 'must NOT be sent' },
    formats: {},
    account: 'none',
  },
  extendRegistration: {
    surface: 'payment',
    method: 'POST',
    path: '/v1/registrations/{id}/extendlife',
    summary: 'Extends the retention of a registration',
    required: ['entityId'],
    refused: { ...noOverride, paymentType: 'must NOT be sent' },
    formats: {},
    account: 'none',
  },
  payWithRegistration: {
    surface: 'payment',
    method: 'POST',
    path: '/v1/registrations/{id}/payments',
    summary: 'Pays with a registration',
    required: payment,
    refused: noOverride,
    formats: { paymentType: firstType },
    account: 'stored',
  },
  deleteRegistration: {
    surface: 'payment',
    method: 'DELETE',
    path: '/v1/registrations/{id}',
    summary: 'Deletes a registration',
    required: ['entityId'],
    refused: {},
    formats: {},
    account: 'none',
  },
  createRiskCheck: { ...riskCheck, path: '/v1/risk', summary: 'Makes a risk check without a payment' },
  createRedShieldCheck: {
    ...riskCheck,
    path: '/v2/redShield',
    summary: 'The same as POST /v1/risk, under the path of older clients',
  },
  createThreeDSecure: {
    ...authentication,
    path: '/v1/threeDSecure',
    summary: 'Authenticates the holder of a card without a payment',
    account: 'new',
  },
  authenticateWithRegistration: {
    ...authentication,
    path: '/v1/registrations/{id}/threeDSecure',
    summary: 'Authenticates the holder of a stored card without a payment',
    account: 'stored',
  },
  getThreeDSecure: {
    surface: 'payment',
    method: 'GET',
    path: '/v1/threeDSecure/{id}',
    summary: 'Reads an authentication without a payment',
    required: [],
    refused: {},
    formats: {},
    account: 'none',
  },
  createCheckout: {
    surface: 'payment',
    method: 'POST',
    path: '/v1/checkouts',
    summary: 'Prepares a payment that the shopper completes in the widget',
    required: ['entityId'],
    refused: enteredByShopper,
    formats: { paymentType: firstType, 'overridePaymentType[brand]': firstType },
    account: 'awaited',
  },
  updateCheckout: {
    surface: 'payment',
    method: 'POST',
    path: '/v1/checkouts/{id}',
    summary: 'Changes a checkout that the shopper has not submitted',
    required: ['entityId'],
    refused: { ...enteredByShopper, ...noOverride },
    formats: { paymentType: firstType },
    account: 'awaited',
  },
  payCheckout: {
    ...submission,
    path: '/v1/checkouts/{id}/payment',
    summary: 'Pays a checkout, without an access token: the id is the secret',
  },
  getCheckoutPayment: {
    ...checkoutStatus,
    path: '/v1/checkouts/{id}/payment',
    summary: 'Reads the payment of a checkout',
  },
  registerCheckout: {
    ...submission,
    path: '/v1/checkouts/{id}/registration',
    summary: 'Registers account data for a checkout without a payment, without an access token',
  },
  getCheckoutRegistration: {
    ...checkoutStatus,
    path: '/v1/checkouts/{id}/registration',
    summary: 'Reads the registration of a checkout',
  },
  createSchedule: {
    surface: 'payment',
    method: 'POST',
    path: '/scheduling/v1/schedules',
    summary: 'Plans recurring payments with a registration',
    required: [...payment, 'registrationId'],
    refused: onceStored,
    formats: { ...planned, registrationId: { format: chars('letters or digits', 32, 32) } },
    account: 'stored',
  },
  getSchedule: {
    surface: 'payment',
    method: 'GET',
    path: '/scheduling/v1/schedules/{id}',
    summary: 'Reads a plan of recurring payments, or all plans of a registration',
    required: [],
    refused: {},
    formats: {},
    account: 'none',
  },
  reschedule: {
    surface: 'payment',
    method: 'POST',
    path: '/scheduling/v1/schedules/{id}/reschedule',
    summary: 'Replaces a plan by another',
    required: ['entityId'],
    refused: onceStored,
    formats: planned,
    account: 'stored',
  },
  deschedule: {
    surface: 'payment',
    method: 'POST',
    path: '/scheduling/v1/schedules/{id}/deschedule',
    summary: 'Cancels a plan',
    required: ['entityId'],
    refused: {},
    formats: {},
    account: 'none',
  },
  deleteSchedule: {
    surface: 'payment',
    method: 'DELETE',
    path: '/scheduling/v1/schedules/{id}',
    summary: 'The same as POST /scheduling/v1/schedules/{id}/deschedule',
    required: ['entityId'],
    refused: {},
    formats: {},
    account: 'none',
  },
  queryPayment: { ...queryOfOne, path: '/v1/query/{id}', summary: 'Reads a transaction of any type by its id' },
  queryPayments: { ...query, path: '/v1/query', summary: 'Finds transactions, newest first', refused: pagesOf },
  queryRecord: { ...queryOfOne, path: '/v3/query/{id}', summary: 'The same as GET /v1/query/{id}, as a list' },
  queryRecords: { ...query, path: '/v3/query', summary: 'Finds transactions, newest first, in pages', refused: {} },
  getReport: {
    surface: 'report',
    method: 'GET',
    path: '/reports/v1/reconciliations/aggregations',
    summary: 'Summarises settlements',
    required: ['date.from', 'date.to'],
    refused: {},
    formats: {},
    account: 'none',
  },
} as const satisfies Readonly<Record<string, Operation>>

/** Name of an operation, such as `createPayment`. */
export type OperationName = keyof typeof table

/**
 * The rules of every operation's form. An operation is listed here with its parameters, whether or not this release
 * has a route for it: what is served, `servedOperations` says.
 */
export const operations: Readonly<Record<OperationName, Operation>> = table

/** The name of an operation that has a route. */
export type ServedOperation = Exclude<OperationName, 'getReport'>

/** The operations that have a route, in the order of documents. */
export const servedOperations: readonly ServedOperation[] = [
  'createPayment',
  'getPayment',
  'referToPayment',
  'createRegistration',
  'getRegistration',
  'updateRegistration',
  'extendRegistration',
  'payWithRegistration',
  'deleteRegistration',
  'createRiskCheck',
  'createRedShieldCheck',
  'createThreeDSecure',
  'authenticateWithRegistration',
  'getThreeDSecure',
  'createCheckout',
  'updateCheckout',
  'payCheckout',
  'getCheckoutPayment',
  'registerCheckout',
  'getCheckoutRegistration',
  'createSchedule',
  'getSchedule',
  'reschedule',
  'deschedule',
  'deleteSchedule',
  'queryPayment',
  'queryPayments',
  'queryRecord',
  'queryRecords',
]
