import { hash } from 'node:crypto'

/** The account with the funds of all merchants, a known test account. */
const ACCOUNT = 'DE89370400440532013000'
/** The bank code of the accounts. */
const BANK = '37040044'
/** The country, and check digits of zero, as the calculation of check digits has them (ISO 13616). */
const DE00 = '131400'

/**
 * The account (IBAN) on which a file has its bookings. Statements of an account follow each other, so that those of all
 * merchants and those of each merchant have accounts of their own.
 *
 * @param merchant the id of the merchant (field 42); undefined: all merchants
 */
export function settlementAccountOf(merchant: string | undefined): string {
  if (merchant === undefined) return ACCOUNT
  const number = BigInt(`0x${hash('sha256', merchant)}`) % 10n ** 10n
  const account = `${BANK}${String(number).padStart(10, '0')}`
  const checkDigits = 98n - (BigInt(`${account}${DE00}`) % 97n)
  return `DE${String(checkDigits).padStart(2, '0')}${account}`
}
