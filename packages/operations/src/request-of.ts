import { isTrue, type ServedOperation } from '@tollgate/contract'
import { accountRequest, onFileRequest } from './parameters/account-request.ts'
import { followUpRequest } from './parameters/follow-up-request.ts'
import { readOfferedRegistrations } from './parameters/offered-registrations.ts'
import { readPlanParameters } from './parameters/plan.ts'
import { readReferenceData } from './parameters/reference-data.ts'
import { riskCheckRequest } from './parameters/risk-check-request.ts'
import { readSearch } from './parameters/search.ts'
import { updateRequest } from './parameters/update-request.ts'
import type { Head } from './request.ts'
import type {
  ChangeRequest,
  CheckoutRequest,
  OperationRequest,
  PlanRequest,
  QueryRequest,
  SubmitRequest,
} from './requests.ts'

/** @param id path parameter, '' where the path has none */
type Maker = (head: Head, id: string) => OperationRequest

/**
 * From checked parameters to the request of an operation.
 *
 * The makers of payments write the members of the head out, because a spread costs a microsecond on that path.
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
  queryPayments: (head) => ({ kind: 'queryPayments', search: readSearch(head.parameters), ...head }),
  queryRecord: (head, id) => ({ kind: 'queryRecord', ...queryOf(head, id) }),
  queryRecords: (head) => ({ kind: 'queryRecords', search: readSearch(head.parameters), ...head }),
} as const satisfies { readonly [Operation in ServedOperation]: Maker }

function changeOf(head: Head, id: string): ChangeRequest {
  return { id, reference: readReferenceData(head.parameters), ...head }
}

function checkoutOf(head: Head): CheckoutRequest {
  const { parameters } = head
  return {
    reference: readReferenceData(parameters),
    integrity: isTrue(parameters, 'integrity'),
    offeredRegistrations: readOfferedRegistrations(parameters.values),
    ...head,
  }
}

function submitOf(head: Head, id: string): SubmitRequest {
  const { values } = head.parameters
  return {
    id,
    registrationId: values.get('registrationId'),
    shopperResultUrl: values.get('shopperResultUrl'),
    ...head,
  }
}

function planOf(head: Head): PlanRequest {
  return { reference: readReferenceData(head.parameters), plan: readPlanParameters(head.parameters), ...head }
}

function queryOf(head: Head, id: string): QueryRequest {
  const { types, methods, withLinked } = readSearch(head.parameters)
  return { id, linked: withLinked ? { types, methods } : undefined, ...head }
}
