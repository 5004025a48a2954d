import type { ServedOperation } from '@tollgate/contract'
import type { Call, Head, OperationRequest, RequestKind } from './request.ts'

function of<Kind extends RequestKind>(kind: Kind) {
  return (head: Head, id: string): Call & { readonly kind: Kind } => ({
    kind,
    requestId: head.requestId,
    atMs: head.atMs,
    ndc: head.ndc,
    caller: head.caller,
    entityId: head.entityId,
    channels: head.channels,
    parameters: head.parameters,
    claim: head.claim,
    id,
  })
}

/** @param id path parameter, '' where the path has none */
type Maker = (head: Head, id: string) => OperationRequest

/** From checked parameters to the request of an operation. */
export const requestOf = {
  createPayment: of('createPayment'),
  getPayment: of('getPayment'),
  referToPayment: of('referToPayment'),
  createRegistration: of('createRegistration'),
  getRegistration: of('getRegistration'),
  updateRegistration: of('updateRegistration'),
  extendRegistration: of('extendRegistration'),
  payWithRegistration: of('payWithRegistration'),
  deleteRegistration: of('deleteRegistration'),
  createRiskCheck: of('createRiskCheck'),
  createRedShieldCheck: of('createRiskCheck'),
  createThreeDSecure: of('createThreeDSecure'),
  authenticateWithRegistration: of('authenticateWithRegistration'),
  getThreeDSecure: of('getThreeDSecure'),
  createCheckout: of('createCheckout'),
  updateCheckout: of('updateCheckout'),
  payCheckout: of('payCheckout'),
  getCheckoutPayment: of('getCheckoutPayment'),
  registerCheckout: of('registerCheckout'),
  getCheckoutRegistration: of('getCheckoutPayment'),
  createSchedule: of('createSchedule'),
  getSchedule: of('getSchedule'),
  reschedule: of('reschedule'),
  deschedule: of('deschedule'),
  deleteSchedule: of('deschedule'),
  queryPayment: of('queryPayment'),
  queryPayments: of('queryPayments'),
  queryRecord: of('queryRecord'),
  queryRecords: of('queryRecords'),
} as const satisfies Readonly<Record<ServedOperation, Maker>>
