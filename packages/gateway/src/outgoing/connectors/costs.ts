import { currencies, isCurrency } from '@tollgate/contract'
import { type ConnectorCost, parseAmount } from '@tollgate/domain'
import { narrow } from '@tollgate/operations'
import { type Static, Type } from 'typebox'
import { limits } from '../../limits.ts'
import { ConnectorSettingsError } from './connector-kind.ts'

/** The fees of an account, by which routes find the cheapest target. `fixed` has the format of amounts in the API. */
export const costs = Type.Optional(
  Type.Array(
    Type.Object(
      {
        currencies: Type.Array(Type.String({ enum: Object.keys(currencies) }), {
          minItems: 1,
          maxItems: Object.keys(currencies).length,
          uniqueItems: true,
        }),
        basisPoints: Type.Integer({ minimum: 0, maximum: 10_000 }),
        fixed: Type.String({ pattern: '^[0-9]{1,10}(\\.[0-9]{2})?$' }),
      },
      { additionalProperties: false },
    ),
    { maxItems: limits.connectorCostsMax },
  ),
)

/**
 * The fees for the rules of routes, one for each currency, because the minor units of currencies differ.
 *
 * @throws ConnectorSettingsError if a currency has two fees, or not the decimals of its fee
 */
export function costsOf(sent: Static<typeof costs> = []): readonly ConnectorCost[] {
  const seen = new Set<string>()
  return sent.flatMap(({ currencies: codes, basisPoints, fixed }, index) =>
    codes.map((text) => {
      const path = `settings/costs/${index}`
      const currency = narrow(isCurrency, text)
      if (seen.has(currency)) throw new ConnectorSettingsError(`${path}/currencies must not repeat ${currency}`)
      seen.add(currency)
      const amount = parseAmount(fixed, currency)
      if (amount.kind === 'refused') throw new ConnectorSettingsError(`${path}/fixed: ${amount.reason}`)
      return { currencies: new Set([currency]), basisPoints, fixedMinor: amount.amountMinor }
    }),
  )
}
