import { isIP } from 'node:net'
import { currencies, type CurrencyCode, isCountry, isCurrency, SECOND_MS } from '@tollgate/contract'
import {
  countedTraits,
  countrySources,
  isListedTrait,
  type ListedTrait,
  listedTraits,
  normaliseTraitValue,
  parseAmount,
  type RiskCondition,
} from '@tollgate/domain'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { fingerprintPattern } from '../fingerprint.ts'
import { narrow } from '../narrow.ts'
import { schemaFault } from '../schema-fault.ts'
import { limits } from '../limits.ts'

/** Invalid risk rules. The message contains the path of the error and a valid form, but no value. */
export class RiskRulesError extends Error {}

/** Reads a condition of one kind; `path` is its path in the rules. Throws RiskRulesError. */
type ConditionReader = (condition: unknown, path: string) => RiskCondition

const CLOSED = { additionalProperties: false }

const Currency = Type.String({ enum: Object.keys(currencies) })
/** The format of amounts in the public API. */
const Amount = Type.String({ pattern: '^[0-9]{1,10}(\\.[0-9]{2})?$' })
const CountedTrait = Type.Enum([...countedTraits])
const Seconds = Type.Integer({ minimum: 1, maximum: limits.riskSecondsMax })
const ListedValue = Type.String({ minLength: 1, maxLength: limits.riskValueCharsMax })

/** The readers of all kinds of conditions, with their schemas. */
export const riskConditions: Readonly<Record<RiskCondition['kind'], ConditionReader>> = {
  amount: conditionReader(
    Type.Object({ kind: Type.Literal('amount'), currency: Currency, above: Amount }, CLOSED),
    ({ kind, ...money }, path) => ({ kind, ...minorOf(money, path) }),
  ),
  count: conditionReader(
    Type.Object(
      {
        kind: Type.Literal('count'),
        by: CountedTrait,
        above: Type.Integer({ minimum: 0, maximum: limits.riskCountMax }),
        withinSeconds: Seconds,
      },
      CLOSED,
    ),
    ({ kind, by, above, withinSeconds }) => ({ kind, by, above, withinMs: withinSeconds * SECOND_MS }),
  ),
  sum: conditionReader(
    Type.Object(
      { kind: Type.Literal('sum'), by: CountedTrait, currency: Currency, above: Amount, withinSeconds: Seconds },
      CLOSED,
    ),
    ({ kind, by, withinSeconds, ...money }, path) => ({
      kind,
      by,
      withinMs: withinSeconds * SECOND_MS,
      ...minorOf(money, path),
    }),
  ),
  countries: conditionReader(
    Type.Object(
      {
        kind: Type.Literal('countries'),
        of: Type.Array(Type.Enum([...countrySources]), { minItems: 2, uniqueItems: true }),
      },
      CLOSED,
    ),
    (condition) => condition,
  ),
  list: conditionReader(
    Type.Object(
      {
        kind: Type.Literal('list'),
        by: Type.String(),
        values: Type.Array(ListedValue, { minItems: 1, maxItems: limits.riskListMax }),
      },
      CLOSED,
    ),
    ({ kind, by, values }, path) => {
      if (!isListedTrait(by)) {
        throw new RiskRulesError(`${path}/by must be one of ${listedTraits.join(', ')}, or risk.parameters[name]`)
      }
      return {
        kind,
        by,
        values: new Set(values.map((value, index) => readListedValue(by, value, `${path}/values/${index}`))),
      }
    },
  ),
  orderAge: conditionReader(
    Type.Object({ kind: Type.Literal('orderAge'), aboveSeconds: Seconds }, CLOSED),
    ({ kind, aboveSeconds }) => ({ kind, aboveMs: aboveSeconds * SECOND_MS }),
  ),
}

function conditionReader<Shape extends TSchema>(
  shape: Shape,
  convert: (condition: Static<Shape>, path: string) => RiskCondition,
): ConditionReader {
  return (condition, path) => {
    if (Value.Check(shape, condition)) return convert(condition, path)
    throw new RiskRulesError(schemaFault(shape, condition, path))
  }
}

function minorOf(
  { currency, above }: { readonly currency: string; readonly above: string },
  path: string,
): { currency: CurrencyCode; aboveMinor: number } {
  const code = narrow(isCurrency, currency)
  const amount = parseAmount(above, code)
  if (amount.kind === 'refused') throw new RiskRulesError(`${path}/above: ${amount.reason}`)
  return { currency: code, aboveMinor: amount.amountMinor }
}

/** Formats of the listed values of some traits. A card number is not accepted. */
const formats: Readonly<Partial<Record<ListedTrait, { description: string; accepts(value: string): boolean }>>> = {
  fingerprint: {
    description: 'a fingerprint: the id of its key, a colon and 64 hexadecimal digits',
    accepts: (value) => fingerprintPattern.test(value),
  },
  bin: { description: 'the first six digits of card numbers', accepts: (value) => /^[0-9]{6}$/.test(value) },
  'customer.email': { description: 'an e-mail address', accepts: (value) => /^[^@\s]+@[^@\s]+$/.test(value) },
  emailDomain: { description: 'the domain of e-mail addresses', accepts: (value) => /^[^@\s]+\.[^@\s]+$/.test(value) },
  'customer.ip': { description: 'an IP address', accepts: (value) => isIP(value) !== 0 },
  country: { description: 'a country of ISO 3166-1 (2 letters)', accepts: (value) => isCountry(value.toUpperCase()) },
}

function readListedValue(by: ListedTrait, value: string, path: string): string {
  const format = formats[by]
  if (format && !format.accepts(value)) throw new RiskRulesError(`${path} must be ${format.description}`)
  return normaliseTraitValue(by, value)
}
