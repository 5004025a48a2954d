import type { ServedOperation } from '@tollgate/contract'
import { environmentRefusal, refusalHttpStatus } from '@tollgate/domain'
import type { Answer, Refusal } from './answer.ts'
import { createCheckout } from './checkouts/create-checkout.ts'
import { readCheckoutStatus } from './checkouts/read-checkout-status.ts'
import { payCheckout, registerCheckout } from './checkouts/submit-checkout.ts'
import { updateCheckout } from './checkouts/update-checkout.ts'
import type { Context } from './context.ts'
import { readReferenceData } from './parameters/reference-data.ts'
import { beginPayment } from './payments/begin-payment.ts'
import { mutexKeyOf } from './payments/card-on-file.ts'
import { readPayment, readThreeDSecure } from './payments/read-transaction.ts'
import { referToPayment, refuseFollowUp } from './payments/refer-to-payment.ts'
import type { PendingUnit } from './pending-unit.ts'
import { queryPayment, queryRecord } from './queries/query-payment.ts'
import { queryPayments, queryRecords } from './queries/query-payments.ts'
import { deregister } from './registrations/deregister.ts'
import { extendRegistration } from './registrations/extend-registration.ts'
import { readRegistration } from './registrations/read-registration.ts'
import { register } from './registrations/register.ts'
import { updateRegistration } from './registrations/update-registration.ts'
import { getAggregation } from './reports/get-aggregation.ts'
import { getAggregationPage, getAggregationsPage } from './reports/get-pages.ts'
import { getAggregations } from './reports/get-aggregations.ts'
import type { Head } from './request-head.ts'
import { type OperationRequest, type RequestKind, requestOf, type Requests } from './requests.ts'
import { standaloneRiskCheck } from './risk/standalone-check.ts'
import { createSchedule } from './schedules/create-schedule.ts'
import { deschedule } from './schedules/deschedule.ts'
import { readSchedule } from './schedules/read-schedule.ts'
import { reschedule } from './schedules/reschedule.ts'
import { standaloneAuthentication } from './three-d-secure/standalone-authentication.ts'

/**
 * A read returns its answer, and so does the submission of a checkout, which calls the command handler itself. Other
 * commands return a pending unit of work for the command handler.
 */
type Operation<Request> = DirectOperation<Request> | CommandOperation<Request>

interface DirectOperation<Request> {
  readonly answer: (context: Context, request: Request) => Promise<Answer>
}

interface CommandOperation<Request> {
  readonly decide: (context: Context, request: Request) => PendingUnit | Promise<PendingUnit>
  /**
   * The key of the mutex: decisions with one key are serialised within a process. Ten concurrent captures are all
   * legal, and the mutex avoids their version conflicts.
   */
  readonly mutex?: (request: Request) => string | undefined
  /** Renders a refusal by the command handler; by default the renderer of the context is used. */
  readonly refuse?: (context: Context, request: Request, refusal: Refusal) => Promise<Answer>
}

const pathIdOf = ({ id }: { readonly id: string }): string => id

const operations: { readonly [Kind in RequestKind]: Operation<Requests[Kind]> } = {
  createPayment: { decide: beginPayment, mutex: mutexKeyOf },
  getPayment: { answer: readPayment },
  referToPayment: { decide: referToPayment, mutex: pathIdOf, refuse: refuseFollowUp },
  createRegistration: { decide: register },
  getRegistration: { answer: readRegistration },
  updateRegistration: { decide: updateRegistration, mutex: pathIdOf },
  extendRegistration: { decide: extendRegistration, mutex: pathIdOf },
  payWithRegistration: { decide: beginPayment, mutex: mutexKeyOf },
  deleteRegistration: { decide: deregister, mutex: pathIdOf },
  createRiskCheck: { decide: standaloneRiskCheck },
  createThreeDSecure: { decide: standaloneAuthentication },
  authenticateWithRegistration: { decide: standaloneAuthentication },
  getThreeDSecure: { answer: readThreeDSecure },
  createCheckout: { decide: createCheckout },
  updateCheckout: { decide: updateCheckout, mutex: pathIdOf },
  payCheckout: { answer: payCheckout },
  getCheckoutPayment: { answer: readCheckoutStatus },
  registerCheckout: { answer: registerCheckout },
  createSchedule: { decide: createSchedule, mutex: ({ registrationId }) => registrationId },
  getSchedule: { answer: readSchedule },
  reschedule: { decide: reschedule, mutex: pathIdOf },
  deschedule: { decide: deschedule, mutex: pathIdOf },
  queryPayment: { answer: queryPayment },
  queryPayments: { answer: queryPayments },
  queryRecord: { answer: queryRecord },
  queryRecords: { answer: queryRecords },
  getAggregations: { answer: getAggregations },
  getAggregation: { answer: getAggregation },
  getAggregationsPage: { answer: getAggregationsPage },
  getAggregationPage: { answer: getAggregationPage },
}

/** The answer to a request that is refused before its execution. @param head with the valid parameters only */
export function refuse(
  context: Context,
  operation: ServedOperation,
  head: Head,
  id: string,
  refusal: Refusal,
): Answer | Promise<Answer> {
  if (operation === 'referToPayment') return refuseFollowUp(context, requestOf.referToPayment(head, id), refusal)
  return context.render.refusal(refusal.status, refusal.code, head, refusal)
}

/** Executes a request; its changes are durable before it is answered. */
export function execute<Kind extends RequestKind>(context: Context, request: RequestOf<Kind>): Promise<Answer> {
  const operation: Operation<RequestOf<Kind>> = operations[request.kind]
  if (context.environment === 'live') {
    const refused = refuseByEnvironment(context, request, operation)
    if (refused) return refused
  }
  return 'answer' in operation ? operation.answer(context, request) : executeCommand(context, request, operation)
}

function refuseByEnvironment<Request extends OperationRequest>(
  context: Context,
  request: Request,
  operation: Operation<Request>,
): Promise<Answer> | undefined {
  const { environment, render } = context
  const { testMode } = readReferenceData(request.parameters)
  const refused = environmentRefusal({ environment, testMode })
  if (!refused) return undefined
  const refusal: Refusal = { ...refused, status: refusalHttpStatus[refused.kind] }
  if ('decide' in operation && operation.refuse) return operation.refuse(context, request, refusal)
  return Promise.resolve(render.refusal(refusal.status, refusal.code, request, refusal))
}

/** The requests of the given kinds. */
type RequestOf<Kind extends RequestKind> = { [Each in Kind]: Requests[Each] }[Kind]

function executeCommand<Request extends OperationRequest>(
  context: Context,
  request: Request,
  { decide, mutex, refuse: refuseCommand }: CommandOperation<Request>,
): Promise<Answer> {
  const mutexKey = mutex?.(request)
  return context.commands.execute(
    request,
    request.claim,
    () => decide(context, request),
    mutexKey === undefined
      ? undefined
      : { mutexKey, refuse: refuseCommand && ((refusal: Refusal) => refuseCommand(context, request, refusal)) },
  )
}
