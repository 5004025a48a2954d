import { type AuthenticationNetwork, type CardBrandCode, cardBrands, isCardBrand } from '@tollgate/contract'

/** The names of networks in parameters and settings, `threeDSecure.v2.<network>`. */
const networkByBrand: Partial<Readonly<Record<CardBrandCode, AuthenticationNetwork>>> = {
  AMEX: 'amex',
  CARTEBANCAIRE: 'cartebancaire',
  DINERS: 'diners',
  DISCOVER: 'discover',
  JCB: 'jcb',
  MAESTRO: 'mastercard',
  MASTER: 'mastercard',
  VISA: 'visa',
}

/**
 * The network that authenticates cards of a brand: the brand's own network, otherwise the first of the brand's co-brand
 * networks that authenticates cards; undefined if there is none.
 */
export function authenticationNetworkOf(brand: string): AuthenticationNetwork | undefined {
  if (!isCardBrand(brand)) return undefined
  return (
    networkByBrand[brand] ??
    cardBrands[brand].networks.map((network) => networkByBrand[network]).find((name) => name !== undefined)
  )
}
