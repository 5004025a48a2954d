import { detectBrand, type Secret } from '@tollgate/contract'
import { digitsText } from '@tollgate/domain'
import { maskedBankAccount } from '../accounts/bank-account.ts'
import { shownDigits } from '../accounts/card.ts'
import type { CheckedAccount } from '../parameters/risk-check-request.ts'
import { maskedAccount } from '../records/masked-account.ts'
import type { RiskAccount } from './risk-subject.ts'

/**
 * The account of a standalone check. Only the masked card or bank account is stored.
 *
 * @param brand paymentBrand, as sent
 */
export function riskAccountOf(sent: CheckedAccount, brand: string | undefined): RiskAccount {
  const { structure: kind, number } = sent
  if (kind === 'bankAccount') {
    const masked = maskedBankAccount(sent)
    return { kind, brand, number, masked }
  }
  if (kind !== 'card' || !number) return { kind, brand, number, masked: undefined }
  const { holder, expiryMonth, expiryYear, numberType } = sent
  const { bin, last4 } = shownDigits(number)
  const masked = maskedAccount({
    // The first digits of a device account number do not identify the card's issuer.
    bin: numberType === 'DPAN' ? null : bin,
    last4,
    holder,
    expiryMonth,
    expiryYear,
    details: numberType === undefined ? {} : { numberType },
  })
  return { kind, brand: brand ?? detectedBrand(number), number, masked }
}

const detectedBrand = (number: Secret): string | undefined =>
  number.use((digits) => detectBrand(digitsText(digits, 0, 8), digits.length))
