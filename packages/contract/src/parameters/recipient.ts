import { anyDate, chars, oneOf, sequence, text, words } from '../format.ts'
import { NO_PAN, row, rows, section } from '../section.ts'

const phone = sequence(
  'a plus or a digit, then 7 to 25 digits, spaces, dots, parentheses or hyphens',
  ['a plus or a digit', 1, 1],
  ['digits, spaces, dots, parentheses or hyphens', 7, 25],
)

const accountNumberType = oneOf(
  'OTHER',
  'RTN_AND_BANK_ACCOUNT',
  'IBAN',
  'CARD_ACCOUNT',
  'PHONE_NUMBER',
  'BAN_AND_BIC',
  'WALLET_ID',
  'SOCIAL_NETWORK_ID',
)

export const recipient = section('Recipient', 'payment', [
  ...rows('recipient.', ['givenName', 'middleName', 'surname'], words(0, 48), 'O', NO_PAN),
  row('recipient.birthDate', anyDate, 'O'),
  row('recipient.phone', phone, 'O'),
  row('recipient.accountNumber', text(0, 32), 'O', '', { secret: 'account' }),
  row('recipient.street', words(0, 100), 'O', '', NO_PAN),
  ...rows('recipient.', ['city', 'state'], words(0, 50), 'O', NO_PAN),
  row('recipient.country', chars('letters or digits', 0, 3), 'O'),
  row('recipient.postcode', text(1, 30), 'O'),
  row('recipient.accountNumberType', accountNumberType, 'O'),
])
