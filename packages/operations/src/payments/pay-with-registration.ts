import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { beginPayment } from './begin-payment.ts'
import { instrumentOfRegistration } from '../accounts/stored-instrument.ts'
import { onItsChannel, registrationOf } from '../records/registration-record.ts'

/** PA, DB or CD with a stored card. */
export async function payWithRegistration(context: Context, call: Call): Promise<PendingUnit> {
  const { narrowed, instrument, registration } = await storedInstrument(context, call)
  return beginPayment(context, narrowed, instrument, registration)
}

/**
 * The account that a registration holds. Where the entityId stands for several channels, the call is narrowed to the
 * one that the account was stored on.
 */
export async function storedInstrument(context: Context, call: Call) {
  const registration = await registrationOf(context, call)
  const narrowed = onItsChannel(call, registration)
  return { narrowed, instrument: await instrumentOfRegistration(context, narrowed, registration), registration }
}
