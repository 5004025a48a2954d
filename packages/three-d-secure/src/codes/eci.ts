import { type CardBrandCode, cardBrands } from '@tollgate/contract'

/** A network's electronic commerce indicators by transaction status. */
interface Indicators {
  /** Authenticated. */
  readonly Y: string
  /** Attempted. */
  readonly A: string
  /** No proof: N, U or R. */
  readonly none: string
  /** Informational: the issuer received the data without a request to authenticate. */
  readonly I: string
}

const visa: Indicators = { Y: '05', A: '06', none: '07', I: '07' }
const mastercard: Indicators = { Y: '02', A: '01', none: '00', I: '04' }

/** The indicators of each network. Cartes Bancaires and Visa Electron have those of the network that processes them. */
const indicatorsByNetwork: Partial<Readonly<Record<CardBrandCode, Indicators>>> = {
  AMEX: visa,
  DINERS: visa,
  DISCOVER: visa,
  JCB: visa,
  MAESTRO: mastercard,
  MASTER: mastercard,
  UNIONPAY: visa,
  VISA: visa,
}

/** The indicators of a brand: those of its own network, else of the network that processes it. */
function indicatorsOf(brand: CardBrandCode, network: CardBrandCode | undefined): Indicators | undefined {
  const ownIndicators = indicatorsByNetwork[brand]
  if (ownIndicators) return ownIndicators
  const candidates = cardBrands[brand].networks
  const processing = network !== undefined && candidates.includes(network) ? network : candidates[0]
  return processing === undefined ? undefined : indicatorsByNetwork[processing]
}

/**
 * A network's indicator for a transaction status.
 *
 * @param network the network of the number, for a co-branded card
 * @returns two digits; undefined for a brand whose network is not in the table
 */
export function eciOf(
  brand: CardBrandCode,
  status: 'Y' | 'A' | 'N' | 'U' | 'R' | 'I',
  network?: CardBrandCode,
): string | undefined {
  const indicators = indicatorsOf(brand, network)
  return indicators?.[status === 'Y' || status === 'A' || status === 'I' ? status : 'none']
}
