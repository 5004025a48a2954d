import { type BrandCode, type PaymentMethod, paymentMethodOf } from '@tollgate/contract'

/**
 * The method of a transaction: CC, DD, VA, … (contract, paymentMethods); CC if the brand is unknown.
 *
 * @param type payment type; undefined if there is no payment
 */
export const methodOf = (brand: BrandCode | undefined, type?: string): PaymentMethod =>
  brand === undefined ? 'CC' : paymentMethodOf(brand, type)
