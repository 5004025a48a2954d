import { chars } from '../format.ts'
import { row, section } from '../section.ts'

/** Installments that shoppers choose on shops' pages, where the acquirer splits the payment. */
export const installments = section('Installments', 'payment', [
  row(
    'recurring.numberOfInstallments',
    chars('digits', 1, 3),
    'O',
    'In how many installments the shopper chose to pay; the acquirer is told. Also from an input in the payment form.',
  ),
])
