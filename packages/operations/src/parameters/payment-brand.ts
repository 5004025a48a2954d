import { type BrandCode, isBrand } from '@tollgate/contract'

/** A paymentBrand, as far as it is one that there is. */
export const knownBrand = (code: string | undefined): BrandCode | undefined =>
  code !== undefined && isBrand(code) ? code : undefined
