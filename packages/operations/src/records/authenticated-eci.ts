import type { TransactionRow } from '@tollgate/storage'
import { readEcho } from './stored-json.ts'

/**
 * The indicator of the cardholder's authentication for a charge, by the gateway or by another 3DS server: that of its
 * request, or of the preauthorisation of a capture.
 *
 * @param transactionOf the transactions of the payment, by id
 */
export function eciOf(
  charge: TransactionRow,
  transactionOf: (id: string) => TransactionRow | undefined,
): string | undefined {
  const { echo } = (charge.type === 'CP' ? transactionOf(charge.root_id) : undefined) ?? charge
  if (!echo.includes('"threeDSecure":')) return undefined
  const { threeDSecure } = readEcho(echo)
  if (typeof threeDSecure !== 'object' || !('eci' in threeDSecure)) return undefined
  return typeof threeDSecure.eci === 'string' ? threeDSecure.eci : undefined
}
