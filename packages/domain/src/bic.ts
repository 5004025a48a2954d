import { isCountry } from '@tollgate/contract'

const BIC = /^[A-Z0-9]{4}([A-Z]{2})[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

/** Kosovo is not in ISO 3166-1, but its banks have BICs and IBANs. */
const KOSOVO = 'XK'

/**
 * The country of a bank by its identifier code (ISO 9362): four letters or digits, the country, two letters or digits,
 * and three more for a branch.
 *
 * @param bic upper case
 * @returns undefined if it is not an identifier code
 */
export function bicCountry(bic: string): string | undefined {
  const country = BIC.exec(bic)?.[1]
  return country !== undefined && (isCountry(country) || country === KOSOVO) ? country : undefined
}
