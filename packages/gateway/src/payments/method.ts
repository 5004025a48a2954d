import { type BrandCode, brandKindMethods, brands, type PaymentMethod } from '@tollgate/contract'

/** How a brand is paid: CC, DD, VA, … (contract, paymentMethods); as a card where the brand is not known. */
export const methodOf = (brand: BrandCode | undefined): PaymentMethod =>
  brand === undefined ? 'CC' : brandKindMethods[brands[brand].kind]
