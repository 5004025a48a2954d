import { type BrandCode, brandKindMethods, brands, type PaymentMethod } from '@tollgate/contract'

/** How a transaction of a brand is paid: CC, DD, VA, … (contract, paymentMethods); a card where the brand is unknown. */
export const methodOf = (brand: BrandCode | undefined): PaymentMethod =>
  brand === undefined ? 'CC' : brandKindMethods[brands[brand].kind]
