import { limits } from '../limits.ts'

/** Name and value of one parameter. */
export type Pair = readonly [name: string, value: string]

/**
 * What a shopper's page may add to a payment. The account, the amount and the merchant's own data are not among it:
 * the frame adds the one, and the checkout knows the others. "From client-side code the name must start with SHOPPER_."
 */
const allowed = [
  /^(?:paymentBrand|registrationId|createRegistration|shopperResultUrl)$/,
  /^card\.(?:holder|expiry(?:Month|Year))$/,
  /^(?:bankAccount|billing|customer|virtualAccount)\.[\w.]+$/,
  /^recurring\.numberOfInstallments$/,
  /^customParameters\[SHOPPER_[\w.]+\]$/,
]

/** The parameters that may be sent, each once: the last that is not empty. */
export function allowedOnly(pairs: readonly Pair[]): readonly Pair[] {
  const sent = pairs.filter(([name, value]) => value !== '' && allowed.some((pattern) => pattern.test(name)))
  const short = Array.from(new Map(sent)).filter(([, value]) => value.length <= limits.valueCharsMax)
  return short.slice(0, limits.parametersMax)
}
