import type { TransactionRow } from '@tollgate/storage'
import type { Call } from '../../http/public/route.ts'
import { isText, optional, readStored, type Shape } from './stored-json.ts'

/** Where the results of a transaction are announced: a part of its facts, where every later result of it finds it. */
export interface Notification {
  readonly notificationUrl?: string | undefined
  /** Of what was made of a checkout. */
  readonly checkoutId?: string | undefined
}

const shape: Shape<Notification> = { notificationUrl: optional(isText), checkoutId: optional(isText) }

/** What the request says of it; nothing where it has no `notificationUrl`. */
export function notificationIn({ form: { values }, ndc }: Pick<Call, 'form' | 'ndc'>): Notification {
  const notificationUrl = values.get('notificationUrl')
  return notificationUrl === undefined ? none : { notificationUrl, checkoutId: ndc }
}

/**
 * The same for the registration that a request makes. With a checkout that pays, the announcement of the payment says
 * enough: whoever asks for it finds the registration.
 */
export const registrationNotificationIn = (call: Pick<Call, 'form' | 'ndc'>): Notification =>
  call.ndc !== undefined && call.form.values.has('paymentType') ? none : notificationIn(call)

const none: Notification = {}

/** @returns undefined where nothing is announced */
export function notificationOf({ facts }: TransactionRow): Notification | undefined {
  // Most have none, and each commit asks.
  if (!facts.includes('"notificationUrl":')) return undefined
  return readStored(shape, facts)
}
