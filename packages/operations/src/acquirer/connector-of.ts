import type { RemoteConnector } from '@tollgate/connectors'
import {
  type BuiltInConnector,
  builtInConnectors,
  digitsText,
  isBuiltInConnector,
  planRoute,
  possibleRoutes,
  type RoutedConnector,
  type RoutePlan,
  type RouteSubject,
  testRoutes,
} from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { isProcessedByProvider } from '../accounts/redirected.ts'
import type { Acquirers, Context } from '../context.ts'
import type { Channel } from '../directory/channel.ts'
import { limits } from '../limits.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { readBillingCountry } from '../parameters/billing.ts'
import { testModeOf } from '../records/new-transaction.ts'
import { type Routed, routedOf } from '../records/routed.ts'
import { lastRequest } from './attempts.ts'
import type { NamedConnector } from './named-connector.ts'

/** The connectors of a request, in the order in which they are tried. */
export interface Routing {
  readonly first: NamedConnector
  readonly others: readonly NamedConnector[]
  /** undefined: no route of the channel applies, and the test environment's own routes decide. */
  readonly decision: Routed['decision']
}

type Connectors = Omit<Acquirers, 'startTimer'>

/** A payment, or a registration whose account is verified. */
interface RoutedPayment {
  readonly request: Pick<AccountRequest, 'atMs' | 'money' | 'parameters' | 'reference'>
  readonly channel: Pick<Channel, 'routes' | 'environment'>
  /** The id of the transaction, by which a target is drawn. */
  readonly id: string
}

/**
 * The connectors of a new payment, by the routes of its channel. In the test environment, payments without a matching
 * route go to the simulators and the processor's test system.
 *
 * @returns undefined: no connector processes the payment
 */
export const routingOf = (
  { acquirers }: { readonly acquirers: Connectors },
  { request, channel, id }: RoutedPayment,
  instrument: UsableInstrument,
): Routing | undefined => planOf(acquirers, channel, routeSubjectOf(request, channel, instrument), drawOf(id))

function planOf(
  acquirers: Connectors,
  channel: RoutedPayment['channel'],
  subject: RouteSubject,
  draw: number,
): Routing | undefined {
  const connector = (name: string) => factsOfConnector(acquirers, name)
  const own = channel.routes && planRoute(channel.routes, subject, { connector, draw })
  if (own?.route !== undefined) return routingBy(acquirers, own, decisionOf(own))
  return channel.environment === 'test'
    ? routingBy(acquirers, planRoute(testRoutes, subject, { connector, draw }))
    : undefined
}

function routingBy(acquirers: Connectors, plan: RoutePlan, decision?: Routed['decision']): Routing | undefined {
  const [first, ...others] = plan.connectors.map((name) => namedConnector(acquirers, name)).filter(isConnected)
  return first && { first, others, decision }
}

function decisionOf({ route, steps }: RoutePlan): Routed['decision'] {
  const last = steps.at(-1)
  if (route === undefined || !last) return undefined
  const passed = steps.slice(0, -1).slice(-limits.passedRoutesKept)
  return {
    route,
    passed: passed.map(({ route: name, mismatch }) => ({ route: name, mismatch })),
    targets: last.targets.slice(0, limits.passedRoutesKept).map(({ connector, verdict }) => ({ connector, verdict })),
  }
}

/**
 * Whether a route of the channel may lead to the provider of a brand that redirects shoppers: conditions on facts that
 * the payment does not have yet are not considered.
 */
export function hasProvider(
  { acquirers }: { readonly acquirers: Connectors },
  { routes, environment }: RoutedPayment['channel'],
  payment: Pick<RouteSubject, 'brand' | 'currency' | 'amountMinor'>,
): boolean {
  const testMode = environment === 'live' ? null : 'INTERNAL'
  const subject: RouteSubject = { ...payment, country: undefined, bin: undefined, testMode, method: 'redirect' }
  const possible = { environment, routes: routes && possibleRoutes(routes, subject) }
  return planOf(acquirers, possible, subject, 0) !== undefined
}

const routeSubjectOf = (
  request: RoutedPayment['request'],
  channel: RoutedPayment['channel'],
  instrument: UsableInstrument,
): RouteSubject => ({
  method: isProcessedByProvider(instrument) ? 'redirect' : instrument.account,
  brand: instrument.brand,
  currency: request.money.currency,
  amountMinor: request.money.amount?.kind === 'amount' ? request.money.amount.amountMinor : undefined,
  country: channel.routes && readBillingCountry(request.parameters),
  bin: channel.routes && binOf(instrument),
  testMode: testModeOf(request, channel),
})

const BIN_DIGITS = 8

/** The first digits of a card number. They are used for the decision alone, and never stored or logged. */
const binOf = ({ account, number }: UsableInstrument): string | undefined =>
  account === 'card' ? number?.use((digits) => digitsText(digits, 0, Math.min(BIN_DIGITS, digits.length))) : undefined

/** A number from 0 to below 1 by the random last digits of an id. */
const drawOf = (id: string): number => Number.parseInt(id.slice(-8), 16) / 2 ** 32

const isConnected = (named: NamedConnector | undefined): named is NamedConnector => named !== undefined

function namedConnector(acquirers: Connectors, name: string): NamedConnector | undefined {
  const connector = isBuiltInConnector(name) ? acquirers[name] : acquirers.accounts.find(name)?.connector
  return connector && { name, connector }
}

/** The facts by which routes select a connector; undefined: there is none, or it is not connected. */
export function factsOfConnector(acquirers: Connectors, name: string): RoutedConnector | undefined {
  if (!isBuiltInConnector(name)) return acquirers.accounts.find(name)
  return acquirers[name] && builtInFacts[name]
}

const builtInFactsOf = (name: BuiltInConnector): RoutedConnector => ({
  methods: builtInConnectors[name],
  enabled: true,
  isHealthy: true,
  costs: [],
})

const builtInFacts: Readonly<Record<BuiltInConnector, RoutedConnector>> = {
  simulator: builtInFactsOf('simulator'),
  redirect: builtInFactsOf('redirect'),
  external: builtInFactsOf('external'),
}

/**
 * The connector of a stored transaction: that to which its last request was sent, also if routes have changed since.
 * Follow-ups, reversals and inquiries go there.
 */
export async function connectorOfRow(
  { acquirers, storage }: Pick<Context, 'storage'> & { readonly acquirers: Connectors },
  row: TransactionRow,
): Promise<NamedConnector> {
  const routed = routedOf(row)
  const name = routed ? ((await lastRequest({ storage }, row.id))?.connector ?? routed.connector) : 'simulator'
  return namedConnector(acquirers, name) ?? notConnected(name)
}

/** A connector that has been deleted, or that the settings no longer name: nothing can be sent to its acquirer. */
function notConnected(name: string): NamedConnector {
  const connector: RemoteConnector = {
    kind: 'remote',
    name,
    send: async () => ({ status: 'notSent', reason: 'the acquirer of the payment is not connected' }),
    reverse: async () => ({ kind: 'unknown' }),
  }
  return { name, connector }
}

/** The routing of a follow-up, which goes to the connector of its original alone. */
export const routingTo = (first: NamedConnector): Routing => ({ first, others: [], decision: undefined })

/** Whether follow-ups of a payment contain its account number. */
export const needsAccountLater = ({ connector }: NamedConnector): boolean =>
  connector.kind === 'remote' && connector.needsAccountLater === true
