import { bic, chars, country, date, sequence, text } from '../format.ts'
import { NO_PAN, REFERENCE, row, section, unechoed } from '../section.ts'

const iban = sequence(
  '2 letters, 2 digits, 11 to 27 letters or digits',
  ['letters', 2, 2],
  ['digits', 2, 2],
  ['letters or digits', 11, 27],
)

export const bankAccount = section('Bank account', 'payment', [
  ...unechoed([
    row('bankAccount.holder', text(4, 128), 'R', '', NO_PAN),
    row('bankAccount.bankName', text(1, 255), 'C'),
    row('bankAccount.number', chars('letters or digits', 3, 64), 'C', 'Number or iban is required.', {
      secret: 'account',
    }),
    row('bankAccount.iban', iban, 'C', 'Number or iban is required.', { secret: 'account' }),
    row('bankAccount.bankCode', chars('letters or digits', 1, 12), 'C', 'bankCode or bic is required.'),
    row('bankAccount.bic', bic, 'C', 'bankCode or bic is required.'),
    row('bankAccount.country', country, 'C'),
    row('bankAccount.mandate.id', chars('letters or hyphens', 0, 256), 'C', 'Direct-debit mandate id.', {
      ...REFERENCE,
      legacy: text(0, 256),
    }),
    row('bankAccount.mandate.dateOfSignature', date, 'C'),
  ]),
  row('transactionDueDate', date, 'C', 'Due date of the direct debit.'),
])
