import { chars } from '../format.ts'
import { row, section } from '../section.ts'

/** Installments that shoppers choose on shops' pages, where the acquirer splits the payment. */
export const installments = section('Installments', 'payment', [
  row(
    'recurring.numberOfInstallments',
    chars('digits', 1, 3),
    'O',
    'Number of installments that the shopper chose; sent to the acquirer. Also an input of the payment form.',
  ),
])
