import type { Secret } from '@tollgate/contract'
import { findThreeDSecureCard } from './three-d-secure-cards.ts'
import { findThreeDSecureFaultCard } from './three-d-secure-fault-cards.ts'

/** Whether a card is enrolled in 3-D Secure in the test environment. */
export function isEnrolled(number: Secret): boolean {
  const card = findThreeDSecureCard(number) ?? findThreeDSecureFaultCard(number)
  return card !== undefined && card.flow !== 'none'
}
