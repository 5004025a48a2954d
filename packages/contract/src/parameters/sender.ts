import { anyDate, chars, oneOf, text, words } from '../format.ts'
import { NO_PAN, row, rows, section } from '../section.ts'

export const sender = section('Sender', 'payment', [
  row('sender.name', words(0, 100), 'O', '', NO_PAN),
  ...rows('sender.', ['givenName', 'middleName', 'surname'], words(0, 50), 'O', NO_PAN),
  row('sender.birthDate', anyDate, 'O'),
  row('sender.accountNumber', text(0, 32), 'O', '', { secret: 'account' }),
  row('sender.street', words(0, 100), 'O', '', NO_PAN),
  ...rows('sender.', ['city', 'state'], words(0, 50), 'O', NO_PAN),
  row('sender.country', chars('letters or digits', 0, 3), 'O'),
  row('sender.accountNumberType', oneOf('OTHER', 'RTN_AND_BANK_ACCOUNT', 'IBAN', 'BAN_AND_BIC'), 'O'),
  row(
    'sender.sourceOfFunds',
    oneOf('01', '02', '03', '04', '05', '06'),
    'O',
    '01 credit card product, 02 debit card product, 03 prepaid card product, 04 cash, 05 debit or deposit access ' +
      'account not linked to such a card, 06 credit account not linked to such a card.',
  ),
])
