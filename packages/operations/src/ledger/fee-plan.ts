import { brands, currencies, type CurrencyCode, isBrand, isCurrency } from '@tollgate/contract'
import {
  type Fee,
  type FeePlan,
  feeKinds,
  type FeeTier,
  limits as domainLimits,
  parseAmount,
  paymentTypes,
} from '@tollgate/domain'
import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { narrow } from '../narrow.ts'
import { millionthsOf } from './percentage.ts'

/** An invalid fee plan. The message contains the path of the error and a valid form, but no value. */
export class FeePlanError extends Error {}

const CLOSED = { additionalProperties: false }

/** The format of amounts in the public API. */
const Amount = Type.Optional(Type.String({ pattern: '^[0-9]{1,10}(\\.[0-9]{2})?$' }))

const price = Type.Object(
  {
    from: Amount,
    percent: Type.Optional(Type.String({ pattern: '^[0-9]{1,2}(\\.[0-9]{1,4})?$' })),
    fixed: Amount,
    minimum: Amount,
    maximum: Amount,
  },
  CLOSED,
)

const listOf = <Name extends string>(names: readonly Name[]) =>
  Type.Optional(Type.Array(Type.Enum([...names]), { minItems: 1, maxItems: names.length, uniqueItems: true }))

const fee = Type.Object(
  {
    kind: Type.Enum([...feeKinds]),
    types: listOf(paymentTypes),
    brands: listOf(Object.keys(brands)),
    currency: Type.Optional(Type.String({ enum: Object.keys(currencies) })),
    prices: Type.Array(price, { minItems: 1, maxItems: limits.feeTiersMax }),
  },
  CLOSED,
)

/** The fees of an entity, as the management API accepts them. */
export const feePlan = Type.Object({ fees: Type.Array(fee, { maxItems: limits.feesMax }) }, CLOSED)

export type SentFeePlan = Static<typeof feePlan>
type SentFee = Static<typeof fee>
type SentPrice = Static<typeof price>

/**
 * Validates a fee plan and prepares it for evaluation.
 *
 * @throws FeePlanError with the path of the invalid member and the requirement that it violates
 */
export const prepareFeePlan = ({ fees }: SentFeePlan): FeePlan => ({
  fees: fees.map((sent, index) => feeOf(sent, `fees/${index}`)),
})

function feeOf({ kind, types, brands: codes, currency, prices }: SentFee, path: string): Fee {
  const code = currency === undefined ? undefined : narrow(isCurrency, currency)
  const tiers = prices.map((sent, index) => tierOf(sent, code, `${path}/prices/${index}`))
  for (const [index, { fromMinor }] of tiers.entries()) {
    const before = tiers[index - 1]
    if (!before && fromMinor > 0) throw new FeePlanError(`${path}/prices/0/from must be 0 or absent`)
    if (before && fromMinor <= before.fromMinor)
      throw new FeePlanError(`${path}/prices/${index}/from must be more than that of the price before`)
  }
  return { kind, types, brands: codes?.map((brand) => narrow(isBrand, brand)), currency: code, tiers }
}

function tierOf(sent: SentPrice, currency: CurrencyCode | undefined, path: string): FeeTier {
  const minorOf = (member: 'from' | 'fixed' | 'minimum' | 'maximum'): number | undefined => {
    const text = sent[member]
    if (text === undefined) return undefined
    if (currency === undefined) throw new FeePlanError(`${path}/${member} is an amount: the fee must have a currency`)
    const parsed = parseAmount(text, currency)
    if (parsed.kind === 'refused') throw new FeePlanError(`${path}/${member}: ${parsed.reason}`)
    return parsed.amountMinor
  }
  const [minimumMinor = 0, maximumMinor = domainLimits.amountMinorMax] = [minorOf('minimum'), minorOf('maximum')]
  if (minimumMinor > maximumMinor) throw new FeePlanError(`${path}/maximum must not be less than minimum`)
  return {
    fromMinor: minorOf('from') ?? 0,
    millionths: millionthsOf(sent.percent ?? '0'),
    fixedMinor: minorOf('fixed') ?? 0,
    minimumMinor,
    maximumMinor,
  }
}
