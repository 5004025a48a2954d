import { type CardBrandCode, cardBrands } from '@tollgate/contract'

/** Electronic commerce indicators that a network gives by transaction status. */
interface Indicators {
  /** Authenticated. */
  readonly Y: string
  /** Attempted. */
  readonly A: string
  /** No proof: N, U, or no 3-D Secure at all. */
  readonly none: string
  /** Informational: data were only shared. */
  readonly I: string
}

const visa: Indicators = { Y: '05', A: '06', none: '07', I: '07' }
const mastercard: Indicators = { Y: '02', A: '01', none: '00', I: '04' }

/** By network. Brands that ride on another network (Cartes Bancaires, Visa Electron) have that one's. */
const networks: Partial<Readonly<Record<CardBrandCode, Indicators>>> = {
  AMEX: visa,
  DINERS: visa,
  DISCOVER: visa,
  JCB: visa,
  MAESTRO: mastercard,
  MASTER: mastercard,
  UNIONPAY: visa,
  VISA: visa,
}

/** Co-brands are at most a few steps from a network of their own. */
function indicatorsOf(brand: CardBrandCode, network: CardBrandCode | undefined): Indicators | undefined {
  const own = networks[brand]
  if (own) return own
  const carriers = cardBrands[brand].networks
  const carrier = network !== undefined && carriers.includes(network) ? network : carriers[0]
  return carrier === undefined ? undefined : networks[carrier]
}

/**
 * The indicator that a network gives for a transaction status.
 *
 * @param network of a card with two brands: the one that its number belongs to
 * @returns two digits; undefined for a brand whose network has none here
 */
export function eciOf(
  brand: CardBrandCode,
  status: 'Y' | 'A' | 'N' | 'U' | 'R' | 'I',
  network?: CardBrandCode,
): string | undefined {
  const indicators = indicatorsOf(brand, network)
  return indicators?.[status === 'Y' || status === 'A' || status === 'I' ? status : 'none']
}

/** UnionPay's test system gives those of Mastercard for cards of its own. */
const proven: Readonly<Record<string, readonly Indicators[]>> = { UNIONPAY: [visa, mastercard] }

/**
 * Whether the issuer is liable for a fraud: authentication was performed or attempted. 06 is an attempt with Visa and
 * an exemption with Mastercard, so the brand has to be known.
 *
 * @param eci two digits
 */
export function shiftsLiability(brand: CardBrandCode, eci: string, network?: CardBrandCode): boolean {
  const own = indicatorsOf(brand, network)
  const known = Object.hasOwn(proven, brand) ? proven[brand] : undefined
  return (known ?? (own ? [own] : [])).some(({ Y, A }) => eci === Y || eci === A)
}
