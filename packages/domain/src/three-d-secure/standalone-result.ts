import type { ResultCode } from '@tollgate/contract'
import { type AuthenticationOutcome, type AuthenticationPolicy } from './authentication-effect.ts'

/** The flow of an authentication: decided by the issuer's first answer, or by a challenge. */
export type AuthenticationFlow = 'frictionless' | 'challenge'

/** The result of a standalone authentication, with the text for its answer. */
export interface AuthenticationResult {
  readonly code: ResultCode
  readonly reason: string
}

const bothFlows = (code: ResultCode) => ({ frictionless: code, challenge: code })

const codes: Readonly<Record<AuthenticationOutcome, Readonly<Record<AuthenticationFlow, ResultCode>>>> = {
  Y: { frictionless: '000.400.110', challenge: '000.000.000' },
  A: { frictionless: '000.400.110', challenge: '000.000.000' },
  I: bothFlows('000.400.120'),
  N: { frictionless: '000.400.102', challenge: '100.380.401' },
  R: bothFlows('100.390.100'),
  U: bothFlows('000.400.101'),
  timeout: bothFlows('100.380.501'),
  mismatch: bothFlows('100.390.101'),
  cancelled: bothFlows('100.396.101'),
}

const reasons: Readonly<Record<AuthenticationOutcome, string>> = {
  Y: 'The issuer has authenticated the shopper.',
  A: 'The issuer vouches for the attempt to authenticate the shopper.',
  I: 'The issuer was informed; it has not authenticated the shopper.',
  N: 'The issuer has not authenticated the shopper.',
  R: 'The issuer has rejected the authentication: nothing should be paid.',
  U: 'For technical reasons it is unknown whether the shopper is the cardholder.',
  timeout: 'The shopper did not finish the authentication in time.',
  mismatch: 'The authenticated amount differs from the requested amount.',
  cancelled: 'The shopper cancelled the authentication.',
}

/**
 * "The code column of the card table is what the standalone endpoint answers" (domain notes, 7.14). U is "000.400.101
 * or 100.390.112", by the channel's policy for payments without proof.
 */
export function resultOfAuthentication(
  outcome: AuthenticationOutcome,
  flow: AuthenticationFlow,
  { unauthenticated }: AuthenticationPolicy,
): AuthenticationResult {
  const code = outcome === 'U' && unauthenticated === 'fail' ? '100.390.112' : codes[outcome][flow]
  return { code, reason: reasons[outcome] }
}

/** The result of a card that is not enrolled: no request is sent to its issuer. */
export const notEnrolled: AuthenticationResult = {
  code: '000.400.109',
  reason: 'The card does not take part in 3-D Secure.',
}
