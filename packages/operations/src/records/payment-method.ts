import { type BrandCode, type PaymentMethod, paymentMethodOf } from '@tollgate/contract'

/**
 * How a transaction is paid: CC, DD, VA, … (contract, paymentMethods); as a card where the brand is not known.
 *
 * @param type payment type; undefined where nothing is paid
 */
export const methodOf = (brand: BrandCode | undefined, type?: string): PaymentMethod =>
  brand === undefined ? 'CC' : paymentMethodOf(brand, type)
