import type { RequestParameters } from '../form.ts'
import { NO_VIOLATIONS, missing, type Rule } from './rule.ts'

const addresses = ['billing', 'shipping', 'merchant.billing', 'merchant.shipping'] as const

const houseNumbers = addresses.map((address) => ({
  first: `${address}.houseNumber1` as const,
  second: `${address}.houseNumber2` as const,
}))

export const houseNumber: Rule = {
  sentence: 'houseNumber2 requires houseNumber1.',
  parameters: houseNumbers.map(({ first }) => first),
  triggers: houseNumbers.map(({ second }) => second),
  check: ({ form }) =>
    houseNumbers.flatMap(({ first, second }) => (form.values.has(second) ? missing(form, [first]) : NO_VIOLATIONS)),
}

const streets = (['billing', 'merchant.billing'] as const).map((address) => ({
  lines: [`${address}.street1`, `${address}.street2`] as const,
  house: `${address}.houseNumber1` as const,
}))

/** "When present, street1 holds only the street name and street2 is ignored." */
const sentLines = ({ values }: RequestParameters, { lines, house }: (typeof streets)[number]) =>
  lines.filter((name, index) => values.has(name) && (index === 0 || !values.has(house)))

export const streetName: Rule = {
  sentence: 'street1 plus street2 must not be digits only.',
  parameters: streets.flatMap(({ lines }) => lines),
  strictOnly: true,
  triggers: streets.flatMap(({ lines }) => lines),
  check: ({ form }) =>
    streets
      .map((street) => sentLines(form, street))
      .filter((lines) => lines.length > 0 && lines.every((name) => /^[0-9]+$/.test(form.values.get(name) ?? '')))
      .flatMap((lines) => lines.map((name) => ({ name, message: 'must not be digits only' }))),
}
