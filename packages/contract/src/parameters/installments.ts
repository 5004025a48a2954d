import { chars } from '../format.ts'
import { row, section } from '../section.ts'

/** What shops' pages let shoppers choose where acquirers split a payment. */
export const installments = section('Installments', 'payment', [
  row(
    'recurring.numberOfInstallments',
    chars('digits', 1, 3),
    'O',
    'In how many installments the shopper chose to pay; the acquirer is told. Also from an input in the payment form.',
  ),
])
