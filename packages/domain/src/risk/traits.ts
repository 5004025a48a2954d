import { type Form, isCountry } from '@tollgate/contract'

/** Traits by which earlier payments are counted. */
export const countedTraits = ['fingerprint', 'customer.ip', 'customer.email', 'customer.merchantCustomerId'] as const

export type CountedTrait = (typeof countedTraits)[number]

/**
 * Traits whose values a list may contain, besides `risk.parameters[name]`. A list contains no card number, but its
 * fingerprint or BIN.
 */
export const listedTraits = [
  'fingerprint',
  'bin',
  'customer.email',
  'emailDomain',
  'customer.ip',
  'country',
  'risk.brand',
  'risk.channelId',
  'risk.serviceId',
  'risk.merchantWebsite',
  'risk.accountToken',
] as const

export type ListedTrait = (typeof listedTraits)[number] | `risk.parameters[${string}]`

/** Whether a list may contain values of the trait. */
export const isListedTrait = (text: string): text is ListedTrait =>
  listedTraits.some((trait) => trait === text) || /^risk\.parameters\[[^[\]]{3,64}\]$/.test(text)

/** Traits of a payment that conditions compare, named after the parameter if there is one. */
export type Trait = CountedTrait | ListedTrait

/** Sources of countries: the billing address, the shipping address, the bank account, the merchant's address. */
export const countrySources = ['billing', 'shipping', 'account', 'merchant'] as const

export type CountrySource = (typeof countrySources)[number]

/** Countries of a payment, upper case. The country of a card is not known from its number. */
export type Countries = Readonly<Record<CountrySource, string | undefined>>

/** Traits of the account. */
export interface AccountTraits {
  /**
   * Keyed hashes of the account number, each with the id of its key: one for each key in use. Empty if there is no
   * number, or no rule needs them.
   */
  readonly fingerprints: readonly string[]
  /** As it was sent, else as it was detected or stored. */
  readonly brand: string | undefined
  /** First six digits, of a card. */
  readonly bin: string | undefined
  /** ISO 3166-1, of a bank account. */
  readonly country: string | undefined
}

/** Parameters that are traits of the same name. */
const plainTraits = [
  'customer.ip',
  'customer.email',
  'customer.merchantCustomerId',
  'risk.channelId',
  'risk.serviceId',
  'risk.merchantWebsite',
  'risk.accountToken',
] as const satisfies readonly Trait[]

/**
 * The traits of a payment, each as `normaliseTraitValue` returns it. "SEPA mandate fields and transactionDueDate are
 * not used in risk checks": other parameters are ignored.
 *
 * @param values the parameters of the request by name
 */
export function traitsOf(values: Form['values'], account: AccountTraits): ReadonlyMap<Trait, readonly string[]> {
  const traits = new Map<Trait, readonly string[]>()
  const set = (trait: Trait, ...sent: readonly (string | undefined)[]): void => {
    const normalised = sent.flatMap((value) => (value === undefined ? [] : [normaliseTraitValue(trait, value)]))
    if (normalised.length > 0) traits.set(trait, normalised)
  }
  for (const name of plainTraits) set(name, values.get(name))
  for (const [name, value] of values) if (name.startsWith('risk.parameters[') && isListedTrait(name)) set(name, value)
  set('fingerprint', ...account.fingerprints)
  set('bin', account.bin)
  set('emailDomain', values.get('customer.email')?.split('@').at(-1))
  // "risk.brand: defaults to paymentBrand."
  set('risk.brand', values.get('risk.brand') ?? account.brand)
  const countries = countriesOf(values, account)
  set('country', countries.billing, countries.shipping, countries.account)
  return traits
}

/** Whether a request has a parameter that a rule can evaluate, besides the amount, the account number and the brand. */
export function hasRiskTraits(values: Form['values']): boolean {
  const account = { fingerprints: [], brand: undefined, bin: undefined, country: values.get('bankAccount.country') }
  return (
    values.has('risk.orderTimestamp') ||
    traitsOf(values, account).size > 0 ||
    Object.values(countriesOf(values, account)).some((country) => country !== undefined)
  )
}

/** The valid countries of a payment. */
export function countriesOf(values: Form['values'], account: AccountTraits): Countries {
  const validCountry = (country: string | undefined): string | undefined => {
    const upperCase = country?.toUpperCase()
    return upperCase !== undefined && isCountry(upperCase) ? upperCase : undefined
  }
  return {
    billing: validCountry(values.get('billing.country')),
    shipping: validCountry(values.get('shipping.country')),
    account: validCountry(account.country),
    merchant: validCountry(values.get('merchant.country')),
  }
}

/** Traits that are compared without regard to case. */
const caseInsensitive: ReadonlySet<Trait> = new Set<Trait>([
  'fingerprint',
  'customer.email',
  'emailDomain',
  'customer.ip',
  'country',
])

/** A value of a trait as it is compared: in lower case, if the trait is case-insensitive. */
export const normaliseTraitValue = (trait: Trait, value: string): string =>
  caseInsensitive.has(trait) ? value.toLowerCase() : value
