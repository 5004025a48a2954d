import { type Refused, refused } from '../guard.ts'

/**
 * Outcomes of an authentication: transStatus (EMV 3-D Secure), no result in time, an amount other than the requested
 * amount, or a cancellation by the shopper on a page of the gateway.
 */
export const authenticationOutcomes = ['Y', 'A', 'I', 'N', 'R', 'U', 'timeout', 'mismatch', 'cancelled'] as const
export type AuthenticationOutcome = (typeof authenticationOutcomes)[number]

/** The decision of a channel on a payment after an authentication without a result (U). */
export interface AuthenticationPolicy {
  readonly unauthenticated: 'continue' | 'fail'
}

/**
 * proven: the authorisation is sent with the proof. unproven: the authorisation is sent without a proof, and liability
 * does not shift to the issuer.
 */
export type AuthenticationEffect = { readonly kind: 'proven' } | { readonly kind: 'unproven' } | Refused

const proven: AuthenticationEffect = { kind: 'proven' }

const effects: Readonly<Record<Exclude<AuthenticationOutcome, 'U'>, AuthenticationEffect>> = {
  Y: proven,
  A: proven,
  I: { kind: 'unproven' },
  N: refused('100.380.401', 'the issuer has not authenticated the shopper'),
  R: refused('100.390.100', 'the issuer has rejected the authentication: the payment must not be authorised'),
  timeout: refused('100.380.501', 'the shopper did not finish the authentication in time'),
  mismatch: refused('100.390.101', 'the authenticated amount differs from the amount to be paid'),
  cancelled: refused('100.396.101', 'the shopper cancelled the authentication'),
}

/** "Y, A continue; U continue without shift or fail by channel policy; N, R fail" (domain notes, 3.4). */
export function effectOfAuthentication(
  outcome: AuthenticationOutcome,
  policy: AuthenticationPolicy,
): AuthenticationEffect {
  if (outcome !== 'U') return effects[outcome]
  if (policy.unauthenticated === 'continue') return { kind: 'unproven' }
  return refused('100.390.112', 'for technical reasons it is unknown whether the shopper is the cardholder')
}
