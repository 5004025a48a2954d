import type { DisputeNetwork } from '@tollgate/contract'

interface LiabilityShift {
  /** The indicators of a successful or attempted authentication (EMV 3-D Secure). */
  readonly indicators: readonly string[]
  /** The reasons for which an authentication moves liability to the issuer: fraud without the card. */
  readonly reasons: readonly string[]
}

const row = (indicators: string, reasons: string): LiabilityShift => ({
  indicators: indicators.split(' '),
  reasons: reasons.split(' '),
})

/** The disputes whose liability lies with the issuer, by network (domain notes, 3.3 and 4.6). */
const table: Readonly<Partial<Record<DisputeNetwork, LiabilityShift>>> = {
  VISA: row('05 06', '10.4'),
  MASTER: row('02 01', '4837 4863'),
  AMEX: row('05 06', 'F29'),
  DISCOVER: row('05 06', 'UA02 AA'),
}

/** "Chargeback: fraudulent transaction": the reason of a chargeback whose network's reason is not known. */
const FRAUD = '000.100.220'

/**
 * Whether liability lies with the issuer, because the cardholder was authenticated.
 *
 * @param eci the electronic commerce indicator of the payment; undefined without 3-D Secure
 * @param reason as the network states it; undefined: the result code of the chargeback decides
 */
export function isLiabilityShifted(
  network: DisputeNetwork | undefined,
  eci: string | undefined,
  { reason, resultCode }: { readonly reason: string | undefined; readonly resultCode: string | undefined },
): boolean {
  const shift = network && table[network]
  if (!shift || eci === undefined || !shift.indicators.includes(eci)) return false
  return reason === undefined ? resultCode === FRAUD : shift.reasons.includes(reason.trim().toUpperCase())
}
