import { firstFailure, type Refused, type Unknown, unknown } from '../guard.ts'
import { standing } from './guards.ts'
import type { Registration } from './registration.ts'

/**
 * Whether a payment may be made with a registration.
 *
 * @param registration undefined where there is none, or none that the caller may see
 * @param channel entity id of the channel that took the payment
 * @returns the account to pay with; refused (HTTP 400); unknown (HTTP 404)
 */
export function useRegistration(
  registration: Registration | undefined,
  channel: string,
): { readonly kind: 'go'; readonly accountId: string } | Refused | Unknown {
  if (!registration) return unknown('100.150.200', 'there is no such registration')
  return firstFailure(standing, { registration, channel }) ?? { kind: 'go', accountId: registration.accountId }
}
