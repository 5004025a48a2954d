import type { OperationName } from '@tollgate/contract'
import type { Config } from '../config.ts'

/** How many requests of one operation an entity may send in a minute, unless it is set otherwise for it. */
export type RequestsAMinute = Readonly<Record<Config['environment'], number>>

/**
 * A test system is there to be tried out, under load too: ten thousand a second are more than one process answers. Who
 * wants to see how a client takes a refusal sets a lower value.
 */
const TEST = 600_000

/** Twice the hundred a second of a very large shop's best minute. */
const pay: RequestsAMinute = { test: TEST, live: 12_000 }
/** A day's orders may be captured at once, and a payment may be queried twice. */
const followUp: RequestsAMinute = { test: TEST, live: 24_000 }
/** Stored accounts change rarely; a whole stock of them is gone through in an afternoon. */
const upkeep: RequestsAMinute = { test: TEST, live: 6_000 }
/** These look through many payments each: ten a second. */
const search: RequestsAMinute = { test: TEST, live: 600 }

/** "per operation over a time window, with separate configured values for live and test systems" (contract, Limits). */
export const requestsAMinute: Readonly<Record<OperationName, RequestsAMinute>> = {
  createPayment: pay,
  getPayment: followUp,
  referToPayment: followUp,
  createRegistration: pay,
  getRegistration: followUp,
  updateRegistration: upkeep,
  extendRegistration: upkeep,
  payWithRegistration: pay,
  deleteRegistration: upkeep,
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
  reschedule: upkeep,
  deschedule: upkeep,
  deleteSchedule: upkeep,
  queryPayment: followUp,
  queryPayments: search,
  queryRecord: followUp,
  queryRecords: search,
  getReport: search,
}
