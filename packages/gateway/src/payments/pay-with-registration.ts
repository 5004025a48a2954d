import type { Registration } from '@tollgate/domain'
import type { Proposal } from '../funnel.ts'
import type { Gateway } from '../gateway.ts'
import type { Call } from '../http/public/route.ts'
import { beginPayment } from './begin-payment.ts'
import { instrumentOfRegistration } from './instruments/of-stored.ts'
import { registrationOf } from './registrations/registration-record.ts'

/**
 * PA, DB or CD with a stored card. Where the entityId stands for several channels, the payment is made on the one that
 * the card was stored on.
 */
export async function payWithRegistration(gateway: Gateway, call: Call): Promise<Proposal> {
  const stored = await registrationOf(gateway, call)
  const narrowed = onItsChannel(call, stored)
  return beginPayment(gateway, narrowed, await instrumentOfRegistration(gateway, narrowed, stored), stored)
}

/** The call, as one to the channel of a registration. */
export function onItsChannel(call: Call, stored: Registration | undefined): Call {
  const own = call.channels.filter(({ id }) => id === stored?.channel)
  return own.length === 0 ? call : { ...call, channels: own }
}
