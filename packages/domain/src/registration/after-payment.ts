import { isCharge, type StandingInstruction } from '../card-on-file/instruction.ts'
import type { Registration } from './registration.ts'

/**
 * What a registration keeps of an approved payment with it: the network's id of the first one that the customer made,
 * and of each that begins an agreement, for the charges of the merchant that follow.
 *
 * @param instruction undefined for a payment that says nothing of account data on file: the customer makes it
 * @param networkTransactionId undefined where the acquirer gave none
 * @returns the registration itself where there is nothing new to keep
 */
export function afterPayment(
  registration: Registration,
  instruction: StandingInstruction | undefined,
  networkTransactionId: string | undefined,
  atMs: number,
): Registration {
  const { initialTransactionId, agreements, verifiedAtMs } = registration
  const begins = instruction?.mode === 'INITIAL'
  const isNews = begins || initialTransactionId === null || verifiedAtMs === null
  if (networkTransactionId === undefined || !isNews || (instruction && isCharge(instruction))) return registration
  return {
    ...registration,
    verifiedAtMs: verifiedAtMs ?? atMs,
    initialTransactionId: initialTransactionId ?? networkTransactionId,
    agreements: begins ? { ...agreements, [instruction.type]: networkTransactionId } : agreements,
  }
}
