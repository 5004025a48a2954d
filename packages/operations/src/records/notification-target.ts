import type { TransactionRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import type { AccountRequest } from '../parameters/account-request.ts'
import type { ReferenceData } from '../parameters/reference-data.ts'
import { optional, storedReader } from './stored-json.ts'

/** Where the results of a transaction are announced: a part of its facts, where every later result of it finds it. */
const target = Type.Object({
  notificationUrl: optional(Type.String()),
  /** Only where a checkout made the transaction. */
  checkoutId: optional(Type.String()),
})
export type NotificationTarget = Readonly<Static<typeof target>>
const readTarget = storedReader(target)

/** A request, as far as its results are announced. */
interface Announced {
  readonly reference: Pick<ReferenceData, 'notificationUrl'>
  /** The checkout that made it. */
  readonly ndc?: string | undefined
}

/** The target that a request names; empty where it has no `notificationUrl`. */
export function notificationIn({ reference: { notificationUrl }, ndc }: Announced): NotificationTarget {
  return notificationUrl === undefined ? none : { notificationUrl, checkoutId: ndc }
}

/** Facts of a transaction with the target that its request names; the same facts where it names none. */
export const factsWithNotification = (facts: object, request: Announced): object =>
  request.reference.notificationUrl === undefined ? facts : { ...facts, ...notificationIn(request) }

/**
 * The same for the registration that a request makes; empty for a checkout that pays, because the announced payment
 * names the registration.
 */
export const registrationNotificationIn = (request: Announced & Pick<AccountRequest, 'purpose'>): NotificationTarget =>
  request.ndc !== undefined && request.purpose.sentType !== undefined ? none : notificationIn(request)

const none: NotificationTarget = {}

/** @returns undefined if nothing is announced */
export function notificationOf({ facts }: TransactionRow): NotificationTarget | undefined {
  // Most transactions have none, and each commit calls this.
  if (!facts.includes('"notificationUrl":')) return undefined
  return readTarget(facts)
}
