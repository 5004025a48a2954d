import { type CountryCode, isCountry, type RequestParameters } from '@tollgate/contract'

/** The country of the billing address; undefined if none was sent. */
export function readBillingCountry({ values }: RequestParameters): CountryCode | undefined {
  const country = values.get('billing.country')
  return country !== undefined && isCountry(country) ? country : undefined
}
