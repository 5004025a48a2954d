import type { ThreeDSecureCard } from '@tollgate/connectors'
import type { MessageOf, SimulatorOptions } from '@tollgate/three-d-secure'

/** The issuer's decision about a request. */
export type Decision =
  | { readonly kind: 'notEnrolled' }
  | { readonly kind: 'answer'; readonly status: 'Y' | 'A' | 'U' | 'N' | 'I'; readonly reason: string | undefined }
  | { readonly kind: 'challenge' }
  /** The issuer authenticates the cardholder outside of the browser. */
  | { readonly kind: 'decoupled' }

type DecidingFields = Pick<
  MessageOf<'AReq'>,
  'deviceChannel' | 'messageVersion' | 'threeDSRequestorChallengeInd' | 'threeDSRequestorDecReqInd'
>

/**
 * The decision of the simulated issuer. A mandated challenge takes precedence over the options of the request, and the
 * options over the row of the card.
 *
 * @param card the row of the card; undefined for an unlisted number, which is enrolled only by the options
 * @param options the extension of the request for the simulator
 */
export function decide(card: ThreeDSecureCard | undefined, options: SimulatorOptions, areq: DecidingFields): Decision {
  const isEnrolled = options.enrolled === true || (card !== undefined && card.flow !== 'none')
  if (!isEnrolled) return { kind: 'notEnrolled' }
  const mandated = areq.threeDSRequestorChallengeInd === '04' ? 'challenge' : undefined
  const flow = mandated ?? options.flow ?? card?.flow
  if (flow === 'challenge') return challenge(areq)

  const status = statusOf(card)
  // 06: no challenge, because the request only shares data with the issuer.
  if (status === 'Y' && areq.threeDSRequestorChallengeInd === '06')
    return { kind: 'answer', status: 'I', reason: undefined }
  return { kind: 'answer', status, reason: reasons[status] }
}

/** "13 not enrolled" and "22 technical problem" are the reasons of the test cards with N and U. */
const reasons = { Y: undefined, A: undefined, N: '13', U: '22' } as const

function statusOf(card: ThreeDSecureCard | undefined): 'Y' | 'A' | 'U' | 'N' {
  const status = card?.transactionStatus ?? 'Y'
  return status === 'C' ? 'Y' : status
}

/**
 * Decoupled authentication if the request accepts it, otherwise a challenge. On channel 03 (3RI) no cardholder is
 * present for a challenge, so that the answer is "23 decoupled authentication required".
 */
function challenge({ deviceChannel, messageVersion, threeDSRequestorDecReqInd }: DecidingFields): Decision {
  if (threeDSRequestorDecReqInd === 'Y' && messageVersion !== '2.1.0') return { kind: 'decoupled' }
  return deviceChannel === '03' ? { kind: 'answer', status: 'N', reason: '23' } : { kind: 'challenge' }
}
