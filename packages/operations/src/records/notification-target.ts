import type { TransactionRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import type { AccountRequest } from '../parameters/account-request.ts'
import type { ReferenceData } from '../parameters/reference-data.ts'
import { optional, storedReader } from './stored-json.ts'

/**
 * The address to which the results of a transaction are announced. It is stored with the facts of the transaction, so
 * that each later result is announced to the same address.
 */
const target = Type.Object({
  notificationUrl: optional(Type.String()),
  /** Set if a checkout created the transaction. */
  checkoutId: optional(Type.String()),
})
export type NotificationTarget = Readonly<Static<typeof target>>
const readTarget = storedReader(target)

/** The part of a request that determines the target of its notifications. */
interface RequestWithNotification {
  readonly reference: Pick<ReferenceData, 'notificationUrl'>
  /** The id of the checkout, if the request belongs to one. */
  readonly ndc?: string | undefined
}

/** The target of a request; empty if the request has no `notificationUrl`. */
export function notificationTargetIn({
  reference: { notificationUrl },
  ndc,
}: RequestWithNotification): NotificationTarget {
  return notificationUrl === undefined ? noTarget : { notificationUrl, checkoutId: ndc }
}

/** The facts of a transaction, with the target in its request if there is one. */
export const factsWithNotificationTarget = (facts: object, request: RequestWithNotification): object =>
  request.reference.notificationUrl === undefined ? facts : { ...facts, ...notificationTargetIn(request) }

/**
 * The target for a registration that a request creates; empty for a checkout with a payment, because the announced
 * payment contains the id of the registration.
 */
export const registrationNotificationTargetIn = (
  request: RequestWithNotification & Pick<AccountRequest, 'purpose'>,
): NotificationTarget =>
  request.ndc !== undefined && request.purpose.sentType !== undefined ? noTarget : notificationTargetIn(request)

const noTarget: NotificationTarget = {}

/** @returns undefined if the transaction has no target */
export function notificationTargetOf({ facts }: TransactionRow): NotificationTarget | undefined {
  // The facts are parsed only if they may contain a target: most contain none, and each commit calls this function.
  if (!facts.includes('"notificationUrl":')) return undefined
  return readTarget(facts)
}
