import { indexNumbers } from './number-index.ts'
import type { ThreeDSecureCard } from './three-d-secure-cards.ts'

/** A fault between the 3DS server, the directory server and the ACS; `oldVersion` is an older ACS without a fault. */
export type ThreeDSecureFault =
  | 'error'
  | 'timeout'
  | 'malformed'
  | 'silence'
  | 'noDsTransId'
  | 'otherTransaction'
  | 'noProof'
  | 'wrongProof'
  | 'otherAmount'
  | 'noResult'
  | 'oldVersion'

/** A card whose authentication would succeed without its fault. */
export interface ThreeDSecureFaultCard extends ThreeDSecureCard {
  readonly fault: ThreeDSecureFault
  /** The fault, for merchants' developers. */
  readonly text: string
}

const frictionless = (number: string, fault: ThreeDSecureFault, text: string): ThreeDSecureFaultCard => ({
  brand: 'VISA',
  number,
  flow: 'frictionless',
  methodData: false,
  transactionStatus: 'Y',
  eci: '05',
  fault,
  text,
})

const challenge = (number: string, fault: ThreeDSecureFault, text: string): ThreeDSecureFaultCard => ({
  brand: 'VISA',
  number,
  flow: 'challenge',
  methodData: false,
  transactionStatus: 'C',
  fault,
  text,
})

/** One card for each fault. */
export const threeDSecureFaultCards: readonly ThreeDSecureFaultCard[] = [
  frictionless('4200000000003103', 'error', 'the directory server answers with error 203'),
  frictionless('4200000000003111', 'timeout', 'the ACS times out: error 402'),
  frictionless('4200000000003129', 'malformed', 'the answer is truncated'),
  frictionless('4200000000003186', 'silence', 'there is no answer'),
  frictionless('4200000000003137', 'noDsTransId', 'the answer lacks dsTransID'),
  frictionless('4200000000003202', 'otherTransaction', 'the answer belongs to another transaction'),
  frictionless('4200000000003145', 'noProof', 'status Y without an authentication value'),
  frictionless('4200000000003152', 'wrongProof', 'the authentication value is signed with another key'),
  challenge('4200000000003160', 'otherAmount', 'the challenge was for another amount'),
  challenge('4200000000003178', 'noResult', 'the result of the challenge never arrives, even if the browser returns'),
  frictionless('4200000000003194', 'oldVersion', 'no fault: the ACS supports version 2.1.0 only'),
]

/** The row of `threeDSecureFaultCards` with this number. */
export const findThreeDSecureFaultCard = indexNumbers(threeDSecureFaultCards)
