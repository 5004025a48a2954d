import type { BrandCode, CountryCode, CurrencyCode } from '@tollgate/contract'
import type { TestMode } from '../payment/transaction.ts'

/** What a connector charges or credits: an account by its kind, or an account on the page of a bank or wallet. */
export const routeMethods = ['card', 'tokenAccount', 'bankAccount', 'virtualAccount', 'giftCard', 'redirect'] as const
export type RouteMethod = (typeof routeMethods)[number]

/** An inclusive range of the first digits of card numbers; both ends have the same length, up to eight digits. */
export interface BinRange {
  readonly from: string
  readonly to: string
}

/** Conditions of a route. All that are set must hold. */
export interface RouteConditions {
  readonly methods?: ReadonlySet<RouteMethod> | undefined
  readonly brands?: ReadonlySet<BrandCode> | undefined
  readonly currencies?: ReadonlySet<CurrencyCode> | undefined
  /** Countries of the billing address. */
  readonly countries?: ReadonlySet<CountryCode> | undefined
  readonly bins?: readonly BinRange[] | undefined
  /** Inclusive bounds in minor units; amounts in other currencies do not match. */
  readonly amount?:
    | { readonly currency: CurrencyCode; readonly fromMinor: number; readonly toMinor: number }
    | undefined
  /** Unset: EXTERNAL, and every payment of the live environment. */
  readonly testModes?: ReadonlySet<NonNullable<TestMode>> | undefined
}

/** A connector to which a route leads. */
export interface RouteTarget {
  readonly connector: string
  /** Its share of the payments, if the route divides payments by weight. */
  readonly weight: number
}

/**
 * The order of a route's targets. listed: as listed. weight: a target is drawn by weight, and the others follow.
 * cost: the cheapest first.
 */
export const targetOrders = ['listed', 'weight', 'cost'] as const
export type TargetOrder = (typeof targetOrders)[number]

/** A rule that leads payments to connectors. The first matching route of a list applies. */
export interface Route {
  readonly name: string
  readonly when: RouteConditions
  readonly order: TargetOrder
  readonly targets: readonly RouteTarget[]
}

/** The facts of a payment, by which its connector is selected. */
export interface RouteSubject {
  readonly method: RouteMethod
  readonly brand: BrandCode
  readonly currency: CurrencyCode | undefined
  readonly amountMinor: number | undefined
  readonly country: CountryCode | undefined
  /** The first digits of the card number, up to eight; undefined: there is no card number. */
  readonly bin: string | undefined
  /** null in the live environment. */
  readonly testMode: TestMode
}

/** The fee of a connector: basis points of the amount, and a fixed part in minor units of each of the currencies. */
export interface ConnectorCost {
  readonly currencies: ReadonlySet<CurrencyCode>
  readonly basisPoints: number
  readonly fixedMinor: number
}

/** The facts of a connector, by which a route selects it. */
export interface RoutedConnector {
  readonly methods: ReadonlySet<RouteMethod>
  readonly enabled: boolean
  /** Whether its acquirer can be reached and answers. */
  readonly isHealthy: boolean
  readonly costs: readonly ConnectorCost[]
}
