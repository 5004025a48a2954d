import { type BrandCode, type PaymentMethod, paymentMethodOf } from '@tollgate/contract'

/**
 * The method of a transaction: CC, DD, VA, … (contract, paymentMethods); CC if the brand is unknown.
 *
 * @param type the payment type: the method of a bank account is CT for a payout (CD), and DD for all other types
 */
export const methodOf = (brand: BrandCode | undefined, type?: string): PaymentMethod =>
  brand === undefined ? 'CC' : paymentMethodOf(brand, type)
