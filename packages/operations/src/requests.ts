import { isTrue, type ServedOperation } from '@tollgate/contract'
import { accountRequest, onFileRequest } from './parameters/account-request.ts'
import { followUpRequest } from './parameters/follow-up-request.ts'
import { readOfferedRegistrations } from './parameters/offered-registrations.ts'
import { readPlanParameters } from './parameters/plan.ts'
import { readReferenceData } from './parameters/reference-data.ts'
import { readReport } from './parameters/report.ts'
import { riskCheckRequest } from './parameters/risk-check-request.ts'
import { readSearch } from './parameters/search.ts'
import { updateRequest } from './parameters/update-request.ts'
import type { Head } from './request-head.ts'

/** @param id the path parameter; '' if the path has none */
type RequestFactory = (head: Head, id: string) => Head & { readonly kind: ServedOperation }

/**
 * Creates the typed request of each operation from checked parameters.
 *
 * `accountRequest`, `onFileRequest` and `followUpRequest` do not spread the head, because every payment calls one of
 * them, and a spread costs a microsecond.
 */
export const requestOf = {
  createPayment: (head) => accountRequest('createPayment', head),
  getPayment: (head, id) => ({ kind: 'getPayment', id, ...head }),
  referToPayment: followUpRequest,
  createRegistration: (head) => accountRequest('createRegistration', head),
  getRegistration: (head, id) => ({ kind: 'getRegistration', id, ...head }),
  updateRegistration: updateRequest,
  extendRegistration: (head, id) => ({ kind: 'extendRegistration', ...changeOf(head, id) }),
  payWithRegistration: (head, id) => onFileRequest('payWithRegistration', head, id),
  deleteRegistration: (head, id) => ({ kind: 'deleteRegistration', ...changeOf(head, id) }),
  createRiskCheck: riskCheckRequest,
  createRedShieldCheck: riskCheckRequest,
  createThreeDSecure: (head) => accountRequest('createThreeDSecure', head),
  authenticateWithRegistration: (head, id) => onFileRequest('authenticateWithRegistration', head, id),
  getThreeDSecure: (head, id) => ({ kind: 'getThreeDSecure', id, ...head }),
  createCheckout: (head) => ({ kind: 'createCheckout', ...checkoutOf(head) }),
  updateCheckout: (head, id) => ({ kind: 'updateCheckout', id, ...checkoutOf(head) }),
  payCheckout: (head, id) => ({ kind: 'payCheckout', ...submitOf(head, id) }),
  getCheckoutPayment: (head, id) => ({ kind: 'getCheckoutPayment', id, ...head }),
  registerCheckout: (head, id) => ({ kind: 'registerCheckout', ...submitOf(head, id) }),
  getCheckoutRegistration: (head, id) => ({ kind: 'getCheckoutPayment', id, ...head }),
  createSchedule: (head) => ({
    kind: 'createSchedule',
    registrationId: head.parameters.values.get('registrationId') ?? '',
    ...planOf(head),
  }),
  getSchedule: (head, id) => ({ kind: 'getSchedule', id, ...head }),
  reschedule: (head, id) => ({ kind: 'reschedule', id, ...planOf(head) }),
  deschedule: (head, id) => ({ kind: 'deschedule', ...changeOf(head, id) }),
  deleteSchedule: (head, id) => ({ kind: 'deschedule', ...changeOf(head, id) }),
  queryPayment: (head, id) => ({ kind: 'queryPayment', ...queryOf(head, id) }),
  queryPayments: (head) => ({ kind: 'queryPayments', ...searchOf(head) }),
  queryRecord: (head, id) => ({ kind: 'queryRecord', ...queryOf(head, id) }),
  queryRecords: (head) => ({ kind: 'queryRecords', ...searchOf(head) }),
  getAggregations: (head) => ({ kind: 'getAggregations', ...reportOf(head) }),
  getAggregation: (head, id) => ({ kind: 'getAggregation', id, ...reportOf(head) }),
  getAggregationsPage: (head) => ({ kind: 'getAggregationsPage', ...reportOf(head) }),
  getAggregationPage: (head, id) => ({ kind: 'getAggregationPage', id, ...reportOf(head) }),
} as const satisfies { readonly [Operation in ServedOperation]: RequestFactory }

/** The typed request of any operation. */
export type OperationRequest = Readonly<ReturnType<(typeof requestOf)[ServedOperation]>>

/** The kinds of requests. An operation and its alias, such as `deschedule` and `deleteSchedule`, are of one kind. */
export type RequestKind = OperationRequest['kind']

/** Requests by kind. */
export type Requests = { readonly [Kind in RequestKind]: Extract<OperationRequest, { readonly kind: Kind }> }

/** A request that names a resource by its path. */
export interface PathRequest extends Head {
  readonly id: string
}

/** A request that extends or ends a registration, or ends a plan. */
export type ChangeRequest = Readonly<ReturnType<typeof changeOf>>

const changeOf = (head: Head, id: string) => ({ id, reference: readReferenceData(head.parameters), ...head })

/** A request that creates or replaces a plan. */
export type PlanRequest = Readonly<ReturnType<typeof planOf>>

const planOf = (head: Head) => ({
  reference: readReferenceData(head.parameters),
  /** The parameters of the job and of each charge, by canonical name. */
  plan: readPlanParameters(head.parameters),
  ...head,
})

/** A request to prepare a checkout, or to change a prepared one: all of its parameters are stored. */
export type CheckoutRequest = Readonly<ReturnType<typeof checkoutOf>>

const checkoutOf = (head: Head) => ({
  reference: readReferenceData(head.parameters),
  /** Whether the answer has the integrity value of the payment script. */
  integrity: isTrue(head.parameters, 'integrity'),
  /** Ids, in the order of their indexes. */
  offeredRegistrations: readOfferedRegistrations(head.parameters.values),
  ...head,
})

/** The submission of a checkout: the prepared and the submitted parameters define the payment or registration. */
export type SubmitRequest = Readonly<ReturnType<typeof submitOf>>

const submitOf = (head: Head, id: string) => ({
  id,
  /** The registration to pay with: one of the registrations that the checkout offers. */
  registrationId: head.parameters.values.get('registrationId'),
  shopperResultUrl: head.parameters.values.get('shopperResultUrl'),
  ...head,
})

/** A request to find transactions. */
export type SearchRequest = Readonly<ReturnType<typeof searchOf>>

const searchOf = (head: Head) => ({ search: readSearch(head.parameters), ...head })

/** A request for a summary of settlements. */
export type ReportRequest = Readonly<ReturnType<typeof reportOf>>

/** A request for the records of a settlement. */
export interface RecordsRequest extends ReportRequest {
  /** The id of the aggregation. */
  readonly id: string
}

const reportOf = (head: Head) => ({ report: readReport(head.parameters), ...head })

/** A request for one transaction. */
export type QueryRequest = Readonly<ReturnType<typeof queryOf>>

function queryOf(head: Head, id: string) {
  const { types, methods, withLinked } = readSearch(head.parameters)
  /** undefined: no linked transactions. */
  const linked = withLinked ? { types, methods } : undefined
  return { id, linked, ...head }
}
