import type { PaymentType } from '../payment/transaction.ts'
import type { ChannelTerms } from './channel-terms.ts'

/** A payment or registration, as far as it decides whether the channel demands 3-D Secure. */
export interface ThreeDSecureSubject {
  readonly terms: Pick<ChannelTerms, 'threeDSecure' | 'pointOfSale'>
  /** undefined: a registration. */
  readonly type: PaymentType | undefined
  /** Whether an issuer can authenticate the holder of the account. */
  readonly hasIssuer: boolean
  /** Whether a terminal has read the card, according to the request. */
  readonly cardPresent: boolean
  readonly merchantInitiated: boolean
  /** Whether the channel or the request demands 3RI authentications of merchant-initiated payments. */
  readonly authenticatesMerchantInitiated: boolean
  /** Whether the request brings the proof of an external 3-D Secure server. */
  readonly hasProof: boolean
  /** Whether an authentication is possible: without a page in a browser, or the shopper can return from it. */
  readonly reachesShopper: boolean
  /** false: the card is not enrolled in 3-D Secure. Counts with the setting `enrolled` only. */
  readonly mayTakePart: boolean
}

/**
 * Whether the holder has to be authenticated before the payment: of a card that no terminal has read, and only for a
 * debit or a hold. The request alone does not prove that a terminal has read it: the channel must be a point of sale.
 */
export function demandsThreeDSecure(subject: ThreeDSecureSubject): boolean {
  const { terms, type } = subject
  if (type !== 'PA' && type !== 'DB') return false
  if (!subject.hasIssuer || subject.hasProof) return false
  if (terms.pointOfSale && subject.cardPresent) return false
  if (subject.merchantInitiated && !subject.authenticatesMerchantInitiated) return false
  switch (terms.threeDSecure) {
    case 'off':
      return false
    case 'always':
      return true
    case 'enrolled':
      return subject.reachesShopper && subject.mayTakePart
  }
}
