import { isCharge, type StandingInstruction } from '../card-on-file/instruction.ts'
import type { Registration } from './registration.ts'

/**
 * The registration after an approved payment or verification. For later charges by the merchant it stores the network's
 * ids of the first payment that is not a charge under an agreement, and of the payment that began the newest agreement
 * of each type.
 *
 * @param instruction undefined: a payment by the customer
 * @param networkTransactionId undefined: the acquirer returned no id, and nothing changes
 * @returns the same registration if nothing changes
 */
export function registrationAfterPayment(
  registration: Registration,
  instruction: StandingInstruction | undefined,
  networkTransactionId: string | undefined,
  atMs: number,
): Registration {
  const { initialTransactionId, agreements, verifiedAtMs } = registration
  const beginsAgreement = instruction?.mode === 'INITIAL'
  const isNew = beginsAgreement || initialTransactionId === null || verifiedAtMs === null
  if (networkTransactionId === undefined || !isNew || (instruction && isCharge(instruction))) return registration
  return {
    ...registration,
    verifiedAtMs: verifiedAtMs ?? atMs,
    initialTransactionId: initialTransactionId ?? networkTransactionId,
    agreements: beginsAgreement ? { ...agreements, [instruction.type]: networkTransactionId } : agreements,
  }
}
