import { isAtLeast, type ProtocolVersion } from '../versions.ts'

/**
 * The merchant's preference for a challenge: meaning and first version of each indicator. EMV 3-D Secure, table A.1,
 * `threeDSRequestorChallengeInd`.
 */
export const challengeIndicators = {
  '01': { text: 'no preference', since: '2.1.0' },
  '02': { text: 'no challenge is requested', since: '2.1.0' },
  '03': { text: 'a challenge is requested by preference', since: '2.1.0' },
  '04': { text: 'a challenge is requested by mandate', since: '2.1.0' },
  '05': { text: 'no challenge: the risk of the transaction was analysed', since: '2.2.0' },
  '06': { text: 'no challenge: data are shared only', since: '2.2.0' },
  '07': { text: 'no challenge: strong authentication was performed already', since: '2.2.0' },
  '08': { text: 'no challenge: the merchant is on the list of trusted merchants', since: '2.2.0' },
  '09': { text: 'a challenge, with a prompt to trust the merchant', since: '2.2.0' },
} as const satisfies Readonly<Record<string, { readonly text: string; readonly since: ProtocolVersion }>>

/** `threeDSecure.challengeIndicator` of a request, and the same code in an authentication request. */
export type ChallengeIndicator = keyof typeof challengeIndicators

/** The closest indicator of an older version: 05 to 08 prefer no challenge, 09 requests one. */
const olderIndicators: Readonly<Record<ChallengeIndicator, ChallengeIndicator>> = {
  '01': '01',
  '02': '02',
  '03': '03',
  '04': '04',
  '05': '02',
  '06': '02',
  '07': '02',
  '08': '02',
  '09': '03',
}

/** The code for an authentication request of a version. */
export const challengeIndicatorFor = (indicator: ChallengeIndicator, version: ProtocolVersion): ChallengeIndicator =>
  isAtLeast(version, challengeIndicators[indicator].since) ? indicator : olderIndicators[indicator]

/** `threeDSecure.exemptionFlag`: exemptions from strong authentication, and their challenge indicators. */
export const exemptionIndicators: Readonly<Record<string, ChallengeIndicator>> = {
  /** Low value. */
  '01': '02',
  /** The risk of the transaction was analysed. */
  '02': '05',
  /** The merchant is on the shopper's list of trusted merchants. */
  '03': '08',
  /** Secure corporate payment. */
  '04': '02',
}
