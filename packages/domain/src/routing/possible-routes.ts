import type { Route, RouteSubject } from './route.ts'

/**
 * The routes that may apply to a payment of which some facts are not known yet: conditions on these facts are left out.
 */
export const possibleRoutes = (
  routes: readonly Route[],
  { currency, amountMinor, country, bin }: RouteSubject,
): readonly Route[] =>
  routes.map((route) => {
    const { currencies, amount, countries, bins, ...others } = route.when
    const when = {
      ...others,
      currencies: currency === undefined ? undefined : currencies,
      amount: amountMinor === undefined ? undefined : amount,
      countries: country === undefined ? undefined : countries,
      bins: bin === undefined ? undefined : bins,
    }
    return { ...route, when }
  })
