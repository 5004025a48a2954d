import { limits } from '../limits.ts'

/** Name and value of a parameter. */
export type Pair = readonly [name: string, value: string]

/**
 * Parameters that the merchant's page may add to a payment. Card number and CVV come from the frames, amount and
 * merchant data from the checkout. "From client-side code the name must start with SHOPPER_."
 */
const allowed = [
  /^(?:paymentBrand|registrationId|createRegistration|shopperResultUrl)$/,
  /^card\.(?:holder|expiry(?:Month|Year))$/,
  /^(?:bankAccount|billing|customer|virtualAccount)\.[\w.]+$/,
  /^recurring\.numberOfInstallments$/,
  /^customParameters\[SHOPPER_[\w.]+\]$/,
]

/** The parameters that may be sent, each once with its last value that is not empty. */
export function allowedParameters(pairs: readonly Pair[]): readonly Pair[] {
  const permitted = pairs.filter(([name, value]) => value !== '' && allowed.some((pattern) => pattern.test(name)))
  const bounded = Array.from(new Map(permitted)).filter(([, value]) => value.length <= limits.valueCharsMax)
  return bounded.slice(0, limits.parametersMax)
}
