import { type BrandCode, type BrandKind, brands } from '@tollgate/contract'
import {
  planRoute,
  type Route,
  type RouteCondition,
  type RouteMethod,
  type RouteStep,
  type RouteSubject,
  type TargetOrder,
  type TargetVerdict,
  testRoutes,
} from '@tollgate/domain'
import { factsOfConnector } from '../acquirer/connector-of.ts'
import type { Context } from '../context.ts'
import { prepareRoutes } from '../directory/routes.ts'

/** The facts of a payment whose connectors are determined without sending it. */
export interface TestedPayment extends Omit<RouteSubject, 'testMode'> {
  /** undefined: the default of the environment. */
  readonly testMode: 'INTERNAL' | 'EXTERNAL' | undefined
}

/** A route that was considered, in words. */
interface ExplainedStep {
  readonly route: string
  /** The entity that has set the route; null: it is a built-in route of the test environment. */
  readonly setFor: string | null
  readonly matches: boolean
  readonly explanation: string
  readonly targets: readonly {
    readonly connector: string
    readonly verdict: TargetVerdict
    readonly explanation: string
  }[]
}

/** The connectors of a payment, in the order in which they are tried, and how they were selected. */
export interface RouteExplanation {
  /** null: no route leads to a connector that can process the payment. */
  readonly route: string | null
  readonly connectors: readonly string[]
  readonly steps: readonly ExplainedStep[]
}

const mismatches: Readonly<Record<RouteCondition, string>> = {
  testModes: 'The test mode does not match. A route without testModes takes payments with EXTERNAL only.',
  methods: 'The method of the payment is not in methods.',
  brands: 'The brand of the payment is not in brands.',
  currencies: 'The currency of the payment is not in currencies, or the payment has none.',
  countries: 'The billing country is not in countries, or the payment has none.',
  bins: 'The card number is in none of the ranges of bins, or has fewer digits than the range.',
  amount: 'The amount is outside of the bounds, or in another currency.',
}

const verdicts: Readonly<Record<TargetVerdict, string>> = {
  used: 'It can process the payment.',
  unhealthy: 'It can process the payment, but its acquirer does not answer now: it is tried last.',
  disabled: 'It is disabled.',
  unsuitable: 'It does not process payments of this method.',
  unknown: 'There is no such connector, or it is not connected.',
  beyondLimit: 'It could process the payment, but other targets are tried before, and their number is bounded.',
}

const orders: Readonly<Record<TargetOrder, string>> = {
  listed: 'Targets are tried as listed.',
  weight: 'The first target is drawn by weight for each payment: this order is one of several.',
  cost: 'The cheapest target is tried first.',
}

/** The methods of brands that are not redirected; undefined: the brand does not determine it. */
const kindMethods: Readonly<Record<BrandKind, RouteMethod | undefined>> = {
  card: 'card',
  giftCard: 'giftCard',
  directDebit: 'bankAccount',
  virtualAccount: 'virtualAccount',
  wallet: undefined,
  onlineTransfer: undefined,
  invoice: undefined,
  prepayment: undefined,
  voucher: undefined,
  other: undefined,
}

/** The method of payments by a brand; undefined: the brand does not determine it. */
export function methodOfBrand(brand: BrandCode): RouteMethod | undefined {
  const { kind, flow } = brands[brand]
  return flow === 'async' ? 'redirect' : kindMethods[kind]
}

/** Determines the connectors of a payment without sending it, by the routes that apply to an entity. */
export function testRoutesOf(context: Context, entityId: string, payment: TestedPayment): RouteExplanation {
  const { environment, directory, acquirers } = context
  const subject = { ...payment, testMode: environment === 'live' ? null : (payment.testMode ?? 'INTERNAL') }
  const plan = (routes: readonly Route[]) =>
    planRoute(routes, subject, { connector: (name) => factsOfConnector(acquirers, name), draw: 0 })
  const own = directory.routes(entityId)
  const ownRoutes = own ? prepareRoutes(own.set) : []
  const ownPlan = plan(ownRoutes)
  const ownSteps = ownPlan.steps.map((step) => explain(step, ownRoutes, own?.entityId ?? null))
  if (ownPlan.route !== undefined || environment === 'live') {
    return { route: ownPlan.route ?? null, connectors: ownPlan.connectors, steps: ownSteps }
  }
  const { route = null, connectors, steps } = plan(testRoutes)
  return { route, connectors, steps: [...ownSteps, ...steps.map((step) => explain(step, testRoutes, null))] }
}

function explain(
  { route: name, mismatch, targets }: RouteStep,
  routes: readonly Route[],
  setFor: string | null,
): ExplainedStep {
  const order = routes.find((route) => route.name === name)?.order ?? 'listed'
  const isPassedOver = targets.every(({ verdict }) => verdict !== 'used' && verdict !== 'unhealthy')
  const matched = isPassedOver ? 'It matches, but none of its targets can process the payment.' : orders[order]
  return {
    route: name,
    setFor,
    matches: mismatch === undefined,
    explanation: mismatch ? mismatches[mismatch] : matched,
    targets: targets.map(({ connector, verdict }) => ({ connector, verdict, explanation: verdicts[verdict] })),
  }
}
