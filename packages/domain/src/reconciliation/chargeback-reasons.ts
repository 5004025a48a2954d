import { type ChargebackReason, cardBrands, chargebackReasons, type DisputeNetwork } from '@tollgate/contract'
import { isCardBrand, isSepaBrand, liabilityShifted, unknownChargebackReason } from '@tollgate/contract'
import { isLiabilityShifted } from '../dispute/liability-shift.ts'

/** The networks of card brands whose disputes follow the rules of another brand. */
const ownNetworks: Readonly<Record<string, DisputeNetwork>> = {
  VISA: 'VISA',
  MASTER: 'MASTER',
  MAESTRO: 'MASTER',
  AMEX: 'AMEX',
  DISCOVER: 'DISCOVER',
  DINERS: 'DISCOVER',
}

const cardNetworks: readonly DisputeNetwork[] = ['VISA', 'MASTER', 'AMEX', 'DISCOVER']

/**
 * The networks by whose rules payments of a brand can be disputed: of a co-brand, those of its networks; of a brand
 * without a network of its own, such as a wallet, those of all cards.
 */
export function disputeNetworksOf(brand: string | undefined): readonly DisputeNetwork[] {
  if (brand === undefined) return cardNetworks
  if (isSepaBrand(brand)) return ['SEPA']
  if (!isCardBrand(brand)) return cardNetworks
  const networks = [brand, ...cardBrands[brand].networks].flatMap((code) => ownNetworks[code] ?? [])
  return networks.length === 0 ? cardNetworks : [...new Set(networks)]
}

/**
 * The result code and meaning of a chargeback. No two networks of cards have a reason in common, so that the reason
 * also determines the network of a co-brand.
 *
 * @param reason as in the file; absent or unknown: 000.100.200, of SEPA 000.100.299
 * @param eci the electronic commerce indicator of the payment: if the cardholder was authenticated, liability for fraud
 * lies with the issuer, 000.100.232; undefined: without 3-D Secure
 */
export function chargebackReasonOf(
  brand: string | undefined,
  reason: string | undefined,
  eci?: string,
): ChargebackReason {
  const networks = disputeNetworksOf(brand)
  const code = reason?.trim().toUpperCase() ?? ''
  const network = networks.find((name) => Object.hasOwn(chargebackReasons[name], code))
  if (isLiabilityShifted(network, eci, { reason, resultCode: undefined })) return liabilityShifted
  const unknown = unknownChargebackReason[networks[0] ?? 'other']
  return network === undefined ? unknown : (chargebackReasons[network][code] ?? unknown)
}
