import type { OperationName } from '@tollgate/contract'
import type { Config } from '../config.ts'

/** The default number of requests per minute of one operation by one entity. */
export type RequestsPerMinute = Readonly<Record<Config['environment'], number>>

/**
 * High enough for load tests of a test system: 10,000 requests per second exceed the capacity of one process. To test
 * how a client handles a refusal, set a lower value.
 */
const TEST = 600_000

/** Twice the peak of a very large shop, which is a hundred requests per second. */
const pay: RequestsPerMinute = { test: TEST, live: 12_000 }
/** Twice the limit of payments: a day's orders may be captured at once, and a payment may be queried twice. */
const followUp: RequestsPerMinute = { test: TEST, live: 24_000 }
/** Stored accounts change rarely; a merchant can process all of them in an afternoon. */
const maintenance: RequestsPerMinute = { test: TEST, live: 6_000 }
/** Ten per second, because each of these operations reads many payments. */
const search: RequestsPerMinute = { test: TEST, live: 600 }

/** "per operation over a time window, with separate configured values for live and test systems" (contract, Limits). */
export const requestsPerMinute: Readonly<Record<OperationName, RequestsPerMinute>> = {
  createPayment: pay,
  getPayment: followUp,
  referToPayment: followUp,
  createRegistration: pay,
  getRegistration: followUp,
  updateRegistration: maintenance,
  extendRegistration: maintenance,
  payWithRegistration: pay,
  deleteRegistration: maintenance,
  createRiskCheck: pay,
  createRedShieldCheck: pay,
  createThreeDSecure: pay,
  authenticateWithRegistration: pay,
  getThreeDSecure: followUp,
  createCheckout: pay,
  updateCheckout: pay,
  payCheckout: pay,
  getCheckoutPayment: followUp,
  registerCheckout: pay,
  getCheckoutRegistration: followUp,
  createSchedule: pay,
  getSchedule: followUp,
  reschedule: maintenance,
  deschedule: maintenance,
  deleteSchedule: maintenance,
  queryPayment: followUp,
  queryPayments: search,
  queryRecord: followUp,
  queryRecords: search,
  getAggregations: search,
  getAggregation: search,
  getAggregationsPage: search,
  getAggregationPage: search,
}
