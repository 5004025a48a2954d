import type { Echo } from '@tollgate/contract'
import type { AuthenticationOutcome } from '@tollgate/domain'
import type { Authenticating } from '../records/session-record.ts'

/** Frictionless: the issuer's first answer was final, without a challenge in a page, in an app or decoupled. */
export function flowOf({ acsUrl, acsSignedContent, decoupledMinutes }: Partial<Authenticating> = {}) {
  const later = [acsUrl, acsSignedContent, decoupledMinutes].some((sign) => sign !== undefined)
  return later ? 'challenge' : 'frictionless'
}

/** The structures of an answer with the result, in the structure in which a payment takes it (`threeDSecure`). */
export function withFound(echo: Echo, found: Authenticating | undefined): Echo {
  if (!found) return echo
  return { ...echo, threeDSecure: Object.assign({}, echo['threeDSecure'], foundBy(found)) }
}

/** The outcomes that the contract has a status for ("The contract accepts only Y A U N"). */
const statuses: Partial<Readonly<Record<AuthenticationOutcome, string>>> = { Y: 'Y', A: 'A', U: 'U', N: 'N' }

/**
 * The result of an authentication, by the names of the parameters `threeDSecure.*` in which a payment accepts it from
 * an external 3DS server: `eci`, `verificationId`, … Only a successful one has a proof.
 */
export function foundBy(authenticating: Authenticating): Readonly<Record<string, string>> {
  const { version, outcome, eci = '', proof, reason = '', dsTransID, acsTransID } = authenticating
  const { challengeMandated, authenticationType = '' } = authenticating
  const status = outcome && statuses[outcome]
  const all = {
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
  const present = Object.entries(all).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return Object.fromEntries(present)
}
