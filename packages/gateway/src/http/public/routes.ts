import { describeResult, openapi, resultCodes } from '@tollgate/contract'
import type { Answer, RequestMark } from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'
import { piecesOf } from '../connections/pieces.ts'
import { authenticateWithRegistration } from './authenticate-with-registration.ts'
import { createCheckout } from './create-checkout.ts'
import { createPayment } from './create-payment.ts'
import { createRedShieldCheck } from './create-red-shield-check.ts'
import { createRegistration } from './create-registration.ts'
import { createRiskCheck } from './create-risk-check.ts'
import { createSchedule } from './create-schedule.ts'
import { createThreeDSecure } from './create-three-d-secure.ts'
import { deleteRegistration } from './delete-registration.ts'
import { deleteSchedule } from './delete-schedule.ts'
import { deschedule } from './deschedule.ts'
import { extendRegistration } from './extend-registration.ts'
import { getCheckoutPayment } from './get-checkout-payment.ts'
import { getCheckoutRegistration } from './get-checkout-registration.ts'
import { getPayment } from './get-payment.ts'
import { getRegistration } from './get-registration.ts'
import { getSchedule } from './get-schedule.ts'
import { getThreeDSecure } from './get-three-d-secure.ts'
import { payCheckout } from './pay-checkout.ts'
import { payWithRegistration } from './pay-with-registration.ts'
import { queryPayment } from './query-payment.ts'
import { queryPayments } from './query-payments.ts'
import { queryRecord } from './query-record.ts'
import { queryRecords } from './query-records.ts'
import { referToPayment } from './refer-to-payment.ts'
import { registerCheckout } from './register-checkout.ts'
import { reschedule } from './reschedule.ts'
import type { Route } from './route.ts'
import { updateCheckout } from './update-checkout.ts'
import { updateRegistration } from './update-registration.ts'

/** The public API's table of contents. */
export const routes: readonly Route[] = [
  createPayment,
  getPayment,
  referToPayment,
  createRegistration,
  getRegistration,
  updateRegistration,
  extendRegistration,
  payWithRegistration,
  deleteRegistration,
  createRiskCheck,
  createRedShieldCheck,
  createThreeDSecure,
  authenticateWithRegistration,
  getThreeDSecure,
  createCheckout,
  updateCheckout,
  payCheckout,
  getCheckoutPayment,
  registerCheckout,
  getCheckoutRegistration,
  createSchedule,
  getSchedule,
  reschedule,
  deschedule,
  deleteSchedule,
  queryPayment,
  queryPayments,
  queryRecord,
  queryRecords,
]

/** What anyone may read without a token. */
interface Document {
  readonly method: 'GET'
  readonly path: string
  readonly bytes: number
  answer(gateway: Gateway, mark: RequestMark): Answer
}

const SUCCESS = '000.000.100'
/** The items of the list, without its brackets, as one buffer that all answers share. */
const resultCodeList = Buffer.from(
  Object.entries(resultCodes)
    .map(([code, { text }]) => JSON.stringify({ code, description: text }))
    .join(','),
)
const openapiText = Buffer.from(JSON.stringify(openapi()))

export const documents: readonly Document[] = [
  {
    method: 'GET',
    path: '/v1/resultcodes',
    bytes: resultCodeList.length,
    answer({ render }, mark) {
      const head = { id: mark.requestId, result: { code: SUCCESS, description: describeResult(SUCCESS) } }
      const [start, end] = render.frame(head, mark, 'resultCodes')
      const rest = { pieces: [...piecesOf(resultCodeList), end], heldBytes: 0 }
      return { status: 200, code: SUCCESS, body: start, rest }
    },
  },
  {
    method: 'GET',
    path: '/openapi.json',
    bytes: openapiText.length,
    answer: () => ({ status: 200, code: SUCCESS, body: '', rest: { pieces: piecesOf(openapiText), heldBytes: 0 } }),
  },
]
