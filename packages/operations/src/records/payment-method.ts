import { type BrandCode, type PaymentMethod, paymentMethodOf } from '@tollgate/contract'

/**
 * The method of a transaction: CC, DD, VA, … (contract, paymentMethods); CC if the brand is unknown.
 *
 * @param type the payment type, by which a payout to a bank account (CD) has the method CT; without it, DD
 */
export const methodOf = (brand: BrandCode | undefined, type?: string): PaymentMethod =>
  brand === undefined ? 'CC' : paymentMethodOf(brand, type)
