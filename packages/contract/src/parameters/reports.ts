import { currency, oneOf, pattern } from '../format.ts'
import { row, section } from '../section.ts'

/** Further parameters of settlement reports, which deployed clients send. */
export const reports = section('Settlement reports', 'report', [
  row('currency', currency, 'O', 'Only settlements in this currency.'),
  row('testMode', oneOf('EXTERNAL', 'INTERNAL'), 'O', 'Has no effect on reports. Must not be sent to a live system.'),
  row(
    'reconciliationType',
    oneOf('SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE'),
    'O',
    'Only records of this type; sums contain only these records.',
  ),
  row('pageNo', pattern('1 to 999999', /^[1-9][0-9]{0,5}$/), 'O', '/reports/v2: the page, default 1.'),
  row(
    'after',
    pattern('the value of next in an answer', /^[0-9]{1,16}-[0-9a-f]{32}-[0-9]{1,10}$/),
    'O',
    '/reports/v1: the value of next in the answer with the records before.',
  ),
])
