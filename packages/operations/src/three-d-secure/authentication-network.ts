import { type AuthenticationNetwork, type CardBrandCode, cardBrands, isCardBrand } from '@tollgate/contract'

/** The networks' names in parameters and settings, `threeDSecure.v2.<network>`. */
const names: Partial<Readonly<Record<CardBrandCode, AuthenticationNetwork>>> = {
  AMEX: 'amex',
  CARTEBANCAIRE: 'cartebancaire',
  DINERS: 'diners',
  DISCOVER: 'discover',
  JCB: 'jcb',
  MAESTRO: 'mastercard',
  MASTER: 'mastercard',
  VISA: 'visa',
}

/** The network that authenticates cards of a brand: its own, or the first that carries it; undefined: none of these. */
export function authenticationNetworkOf(brand: string): AuthenticationNetwork | undefined {
  if (!isCardBrand(brand)) return undefined
  return names[brand] ?? cardBrands[brand].networks.map((carrier) => names[carrier]).find((name) => name !== undefined)
}
