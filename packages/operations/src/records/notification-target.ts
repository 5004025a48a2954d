import type { TransactionRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import type { Call } from '../request.ts'
import { optional, storedReader } from './stored-json.ts'

/** Where the results of a transaction are announced: a part of its facts, where every later result of it finds it. */
const target = Type.Object({
  notificationUrl: optional(Type.String()),
  /** Only where a checkout made the transaction. */
  checkoutId: optional(Type.String()),
})
export type NotificationTarget = Readonly<Static<typeof target>>
const readTarget = storedReader(target)

/** The target that a request names; empty where it has no `notificationUrl`. */
export function notificationIn({ parameters: { values }, ndc }: Pick<Call, 'parameters' | 'ndc'>): NotificationTarget {
  const notificationUrl = values.get('notificationUrl')
  return notificationUrl === undefined ? none : { notificationUrl, checkoutId: ndc }
}

/** Facts of a transaction with the target that its request names; the same facts where it names none. */
export const factsWithNotification = (facts: object, call: Pick<Call, 'parameters' | 'ndc'>): object =>
  call.parameters.values.has('notificationUrl') ? { ...facts, ...notificationIn(call) } : facts

/**
 * The same for the registration that a request makes; empty for a checkout that pays, because the announced payment
 * names the registration.
 */
export const registrationNotificationIn = (call: Pick<Call, 'parameters' | 'ndc'>): NotificationTarget =>
  call.ndc !== undefined && call.parameters.values.has('paymentType') ? none : notificationIn(call)

const none: NotificationTarget = {}

/** @returns undefined where nothing is announced */
export function notificationOf({ facts }: TransactionRow): NotificationTarget | undefined {
  // Most have none, and each commit asks.
  if (!facts.includes('"notificationUrl":')) return undefined
  return readTarget(facts)
}
