import { FINE, missing, type Rule } from './rule.ts'

const addresses = ['billing', 'shipping', 'merchant.billing', 'merchant.shipping'] as const

export const houseNumber: Rule = {
  name: 'house-number',
  sentence: 'houseNumber2 requires houseNumber1.',
  blames: addresses.map((address) => `${address}.houseNumber1`),
  legacy: true,
  find: ({ form }) =>
    addresses.flatMap((address) =>
      form.values.has(`${address}.houseNumber2`) ? missing(form, [`${address}.houseNumber1`]) : FINE,
    ),
}

const billingAddresses = ['billing', 'merchant.billing'] as const

export const streetName: Rule = {
  name: 'street-name',
  sentence: 'street1 plus street2 must not be digits only.',
  blames: billingAddresses.flatMap((address) => [`${address}.street1`, `${address}.street2`]),
  legacy: false,
  find: ({ form: { values } }) =>
    billingAddresses.flatMap((address) => {
      const names = [`${address}.street1`, `${address}.street2`].filter((name) => values.has(name))
      // "When present, street1 holds only the street name and street2 is ignored."
      const counted = values.has(`${address}.houseNumber1`) ? names.slice(0, 1) : names
      return counted.length > 0 && counted.every((name) => /^[0-9]+$/.test(values.get(name) ?? ''))
        ? counted.map((name) => ({ name, message: 'must not be digits only' }))
        : FINE
    }),
}
