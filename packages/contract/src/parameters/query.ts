import { boolean, listOf, pattern, text, timestamp } from '../format.ts'
import { paymentMethods } from '../payment-methods.ts'
import { REFERENCE, row, section } from '../section.ts'
import { transactionTypes } from '../transaction-types.ts'

export const query = section('Query parameters', 'query', [
  row('merchantTransactionId', text(0, 255), 'O', 'Cannot be combined with a date.from and date.to range.', REFERENCE),
  row('limit', pattern('100 to 500', /^([1-4][0-9]{2}|500)$/), 'O', 'Maximum transactions returned, default 100.'),
  row('date.from', timestamp, 'O', 'Use together with date.to.'),
  row('date.to', timestamp, 'O', 'Use together with date.from.'),
  row('paymentTypes', listOf('payment type codes', Object.keys(transactionTypes)), 'O'),
  row('paymentMethods', listOf('payment method codes', Object.keys(paymentMethods)), 'O'),
  row('includeLinkedTransactions', boolean, 'O', 'Whether linked transactions are returned too.'),
  row('shortId', text(0, 14), 'O', '', REFERENCE),
])
