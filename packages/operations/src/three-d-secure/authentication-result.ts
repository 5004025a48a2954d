import type { Echo } from '@tollgate/contract'
import type { AuthenticationOutcome } from '@tollgate/domain'
import type { AuthenticationState } from '../records/session-record.ts'

/**
 * The flow of an authentication. Frictionless: the issuer's first response was final, without a challenge in a page, in
 * an app or decoupled. An authentication without a response of the issuer also counts as frictionless.
 */
export function flowOf({ acsUrl, acsSignedContent, decoupledMinutes }: Partial<AuthenticationState> = {}) {
  const isChallenged = [acsUrl, acsSignedContent, decoupledMinutes].some((field) => field !== undefined)
  return isChallenged ? 'challenge' : 'frictionless'
}

/** The structures of an answer with the result in `threeDSecure`, in the form in which a payment accepts it. */
export function withResult(echo: Echo, result: AuthenticationState | undefined): Echo {
  if (!result) return echo
  return { ...echo, threeDSecure: Object.assign({}, echo['threeDSecure'], resultParameters(result)) }
}

/** The outcomes that the contract has a status for ("The contract accepts only Y A U N"). */
const statuses: Partial<Readonly<Record<AuthenticationOutcome, string>>> = { Y: 'Y', A: 'A', U: 'U', N: 'N' }

/**
 * The result of an authentication, by the names of the parameters `threeDSecure.*` in which a payment accepts it from
 * an external 3DS server: `eci`, `verificationId`, … Only a successful or attempted authentication has a proof.
 */
export function resultParameters(state: AuthenticationState): Readonly<Record<string, string>> {
  const { version, outcome, eci = '', proof, reason = '', dsTransID, acsTransID } = state
  const { challengeMandated, authenticationType = '' } = state
  const status = outcome && statuses[outcome]
  const fields = {
    // "The contract accepts eci 01..08 only, so map network 00 to absent" (domain notes, 3.3).
    eci: /^0[1-8]$/.test(eci) ? eci : undefined,
    verificationId: status === 'Y' || status === 'A' ? proof : undefined,
    authenticationStatus: status,
    transactionStatusReason: /^[0-9]{2}$/.test(reason) ? reason : undefined,
    dsTransactionId: dsTransID,
    acsTransactionId: acsTransID,
    challengeMandatedIndicator: challengeMandated,
    authType: /^0[1-4]$/.test(authenticationType) ? authenticationType : undefined,
    version,
  }
  const present = Object.entries(fields).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return Object.fromEntries(present)
}
