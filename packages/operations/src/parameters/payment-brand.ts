import { type BrandCode, isBrand } from '@tollgate/contract'

/** A paymentBrand, if it is a brand of the contract. */
export const knownBrand = (code: string | undefined): BrandCode | undefined =>
  code !== undefined && isBrand(code) ? code : undefined
