import { detectBrand, type ParameterName, type Secret } from '@tollgate/contract'
import { digitsText } from '@tollgate/domain'
import type { Call } from '../request.ts'
import { type AccountKind, maskedAccount } from '../records/masked-account.ts'
import { sentBankAccount } from '../accounts/bank-account.ts'
import { ends } from '../accounts/card.ts'
import type { RiskAccount } from './risk-subject.ts'

/** Where an account's number stands; the first that was sent counts. */
const numbers: readonly (readonly [kind: AccountKind, name: ParameterName])[] = [
  ['card', 'card.number'],
  ['tokenAccount', 'tokenAccount.number'],
  ['bankAccount', 'bankAccount.iban'],
  ['bankAccount', 'bankAccount.number'],
  ['virtualAccount', 'virtualAccount.accountId'],
  ['giftCard', 'giftCard.number'],
]

/**
 * The account of a check that stands alone. Any part of any structure will do, since nothing is paid with it; what may
 * be shown of it is kept of a card or bank account.
 */
export function riskAccountOf(call: Call): RiskAccount {
  const { values, secrets, sent } = call.parameters
  const [kind, name] = numbers.find(([, each]) => secrets.has(each)) ?? ['card', 'card.number']
  const number = secrets.get(name)
  const brand = values.get('paymentBrand')
  if (kind === 'bankAccount' || (!number && sent.some(({ structure }) => structure === 'bankAccount')))
    return { kind: 'bankAccount', brand, ...sentBankAccount(call) }
  if (kind !== 'card' || !number) return { kind, brand, number, masked: undefined }
  const { bin, last4 } = ends(number)
  const numberType = values.get('card.numberType')
  const masked = maskedAccount({
    // The leading digits of a device's number are not the card's.
    bin: numberType === 'DPAN' ? null : bin,
    last4,
    holder: values.get('card.holder'),
    expiryMonth: values.get('card.expiryMonth'),
    expiryYear: values.get('card.expiryYear'),
    details: numberType === undefined ? {} : { numberType },
  })
  return { kind, brand: brand ?? detected(number), number, masked }
}

const detected = (number: Secret): string | undefined =>
  number.use((digits) => detectBrand(digitsText(digits, 0, 8), digits.length))
