import { limits } from '../limits.ts'
import type { ConnectorCost, Route, RouteConditions, RoutedConnector, RouteSubject, RouteTarget } from './route.ts'

/** The names of the conditions, in the order in which they are checked. */
export type RouteCondition = keyof typeof conditions

/** What became of a target: used in this order of attempts, or left out, with the reason. */
export type TargetVerdict = 'used' | 'unhealthy' | 'disabled' | 'unsuitable' | 'unknown' | 'beyondLimit'

/** One step of a decision: a route that was considered. */
export interface RouteStep {
  readonly route: string
  /** The first condition that does not hold; undefined: the route matches. */
  readonly mismatch: RouteCondition | undefined
  /** The targets of a matching route, in their order of attempts. */
  readonly targets: readonly JudgedTarget[]
}

interface JudgedTarget {
  readonly connector: string
  readonly verdict: TargetVerdict
}

/** The connectors of a payment, in the order in which they are tried. */
export interface RoutePlan {
  /** undefined: no route leads to a connector that can process the payment. */
  readonly route: string | undefined
  readonly connectors: readonly string[]
  /** The routes that were considered, in order. */
  readonly steps: readonly RouteStep[]
}

/** The data with which a plan is made. */
interface PlanContext {
  /** @returns undefined: there is no such connector */
  readonly connector: (name: string) => RoutedConnector | undefined
  /** A number from 0 to below 1, the same for each plan of a payment. */
  readonly draw: number
}

/**
 * The first route whose conditions hold and that leads to a connector that can process the payment. Unhealthy
 * connectors are tried last, and not left out: their health may have changed.
 */
export function planRoute(routes: readonly Route[], subject: RouteSubject, context: PlanContext): RoutePlan {
  const steps: RouteStep[] = []
  for (const route of routes) {
    const mismatch = mismatchOf(route.when, subject)
    const targets = mismatch === undefined ? judgeTargets(route, subject, context) : NO_TARGETS
    steps.push({ route: route.name, mismatch, targets })
    const tried = targets.filter(isTried)
    if (tried.length > 0) return { route: route.name, connectors: tried.map(({ connector }) => connector), steps }
  }
  return { route: undefined, connectors: [], steps }
}

const NO_TARGETS: readonly JudgedTarget[] = []

const isTried = ({ verdict }: JudgedTarget): boolean => verdict === 'used' || verdict === 'unhealthy'

/** The conditions in the order in which they are checked. Each holds if it is not set. */
const conditions = {
  testModes: ({ testModes }, { testMode }) =>
    testMode === null || (testModes?.has(testMode) ?? testMode === 'EXTERNAL'),
  methods: ({ methods }, { method }) => methods?.has(method) ?? true,
  brands: ({ brands }, { brand }) => brands?.has(brand) ?? true,
  currencies: ({ currencies }, { currency }) =>
    currencies === undefined || (currency !== undefined && currencies.has(currency)),
  countries: ({ countries }, { country }) =>
    countries === undefined || (country !== undefined && countries.has(country)),
  bins: ({ bins }, { bin }) => bins?.some(({ from, to }) => isBetween(bin, from, to)) ?? true,
  amount: ({ amount }, { currency, amountMinor }) =>
    amount === undefined ||
    (currency === amount.currency &&
      amountMinor !== undefined &&
      amount.fromMinor <= amountMinor &&
      amountMinor <= amount.toMinor),
} as const satisfies Readonly<Record<keyof RouteConditions, (when: RouteConditions, subject: RouteSubject) => boolean>>

const conditionNames = Object.keys(conditions).filter(isCondition)

function isCondition(name: string): name is RouteCondition {
  return Object.hasOwn(conditions, name)
}

const mismatchOf = (when: RouteConditions, subject: RouteSubject): RouteCondition | undefined =>
  conditionNames.find((name) => !conditions[name](when, subject))

/** A card number with fewer digits than the range is in no range. */
function isBetween(bin: string | undefined, from: string, to: string): boolean {
  if (bin === undefined || bin.length < from.length) return false
  const digits = bin.slice(0, from.length)
  return from <= digits && digits <= to
}

/** The targets of a matching route in one pass, because every payment is routed. */
function judgeTargets(route: Route, subject: RouteSubject, context: PlanContext): RouteStep['targets'] {
  const used: JudgedTarget[] = []
  const unhealthy: JudgedTarget[] = []
  const leftOut: JudgedTarget[] = []
  for (const { connector } of inOrder(route, subject, context)) {
    const verdict = verdictOf(context.connector(connector), subject)
    const list = verdict === 'used' ? used : verdict === 'unhealthy' ? unhealthy : leftOut
    list.push({ connector, verdict })
  }
  if (unhealthy.length === 0 && leftOut.length === 0 && used.length <= limits.routeAttemptsMax) return used
  const tried = [...used, ...unhealthy]
  return [
    ...tried.slice(0, limits.routeAttemptsMax),
    ...tried.slice(limits.routeAttemptsMax).map(({ connector }) => ({ connector, verdict: 'beyondLimit' as const })),
    ...leftOut,
  ]
}

function verdictOf(connector: RoutedConnector | undefined, { method }: RouteSubject): TargetVerdict {
  if (!connector) return 'unknown'
  if (!connector.enabled) return 'disabled'
  if (!connector.methods.has(method)) return 'unsuitable'
  return connector.isHealthy ? 'used' : 'unhealthy'
}

function inOrder({ order, targets }: Route, subject: RouteSubject, context: PlanContext): readonly RouteTarget[] {
  switch (order) {
    case 'listed':
      return targets
    case 'weight':
      return drawnFirst(targets, context.draw)
    case 'cost':
      return targets.toSorted((a, b) => costOf(a, subject, context) - costOf(b, subject, context))
  }
}

/** The target drawn by weight, then the others as listed. A target with the weight 0 is never drawn. */
function drawnFirst(targets: readonly RouteTarget[], draw: number): readonly RouteTarget[] {
  const total = targets.reduce((sum, { weight }) => sum + weight, 0)
  let passed = 0
  const drawn = targets.find(({ weight }) => (passed += weight) > draw * total)
  return drawn ? [drawn, ...targets.filter((target) => target !== drawn)] : targets
}

/** The fee for the payment in minor units; infinite, so that the target comes last, if it is not known. */
function costOf({ connector }: RouteTarget, subject: RouteSubject, context: PlanContext): number {
  const { currency, amountMinor = 0 } = subject
  const costs: readonly ConnectorCost[] = context.connector(connector)?.costs ?? []
  const cost = currency && costs.find(({ currencies }) => currencies.has(currency))
  return cost ? (amountMinor * cost.basisPoints) / 10_000 + cost.fixedMinor : Number.MAX_VALUE
}
