import { type BrandCode, brands, type CurrencyCode, isBrand, isCurrency } from '@tollgate/contract'
import { planRoute, type Route, type RouteMethod, type RouteSubject, testRoutes } from '@tollgate/domain'
import { factsOfConnector } from '../acquirer/connector-of.ts'
import type { Context } from '../context.ts'
import type { Channel } from '../directory/channel.ts'
import { methodOfBrand } from './test-routes.ts'

/** What a channel accepts, and no route leads to a connector that can process it. */
export interface RouteGaps {
  /** Brands without a route in any currency of the channel. */
  readonly brands: readonly BrandCode[]
  /** Currencies without a route for any brand of the channel; empty if the channel accepts all currencies. */
  readonly currencies: readonly CurrencyCode[]
}

/**
 * The brands and currencies of a channel that no route leads to a connector. Conditions on amount, country and card
 * number are not considered: a route that takes some payments of a brand counts.
 */
export function routeGaps({ acquirers }: Pick<Context, 'acquirers'>, channel: Channel): RouteGaps {
  const { environment, settings } = channel
  const routes = [...(channel.routes ?? []).map(withoutDetails), ...(environment === 'test' ? testRoutes : [])]
  const allowedBrands = [...(settings.brands ?? Object.keys(brands))].filter(isBrand)
  // A channel without a list of currencies accepts all: those that its routes name, and one other, stand for them.
  const named = routes.flatMap(({ when }) => [...(when.currencies ?? [])])
  const allowedCurrencies = [...(settings.currencies ?? new Set(['EUR', ...named]))].filter(isCurrency)
  const connector = (name: string) => factsOfConnector(acquirers, name)
  const hasRoute = (brand: BrandCode, currency: CurrencyCode): boolean => {
    const subject: RouteSubject = {
      method: methodOfBrand(brand) ?? OTHER_METHOD,
      brand,
      currency,
      amountMinor: undefined,
      country: undefined,
      bin: undefined,
      testMode: environment === 'live' ? null : 'INTERNAL',
    }
    return planRoute(routes, subject, { connector, draw: 0 }).route !== undefined
  }
  return {
    brands: allowedBrands.filter((brand) => !allowedCurrencies.some((currency) => hasRoute(brand, currency))),
    currencies: settings.currencies
      ? allowedCurrencies.filter((currency) => !allowedBrands.some((brand) => hasRoute(brand, currency)))
      : [],
  }
}

/** The method of brands that do not determine theirs, such as wallets, whose tokens are those of cards. */
const OTHER_METHOD: RouteMethod = 'tokenAccount'

const withoutDetails = (route: Route): Route => {
  const { methods, brands: only, currencies: currency, testModes } = route.when
  return { ...route, when: { methods, brands: only, currencies: currency, testModes } }
}
