import { chars } from '../format.ts'
import { row, section } from '../section.ts'

/**
 * The number of installments that a shopper chose in a shop. The merchant makes one payment, which the acquirer splits;
 * with `standingInstruction.numberOfInstallments`, the merchant makes one payment for each installment.
 */
export const installments = section('Installments', 'payment', [
  row(
    'recurring.numberOfInstallments',
    chars('digits', 1, 3),
    'O',
    'Number of installments that the shopper chose; sent to the acquirer. Also an input of the payment form.',
  ),
])
