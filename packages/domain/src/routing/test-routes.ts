import { type Route, type RouteMethod, routeMethods } from './route.ts'

/** The connectors of the test environment that need no account, and what they process. */
export const builtInConnectors = {
  /** The acquirer that is simulated in this process. */
  simulator: new Set(routeMethods.filter((method) => method !== 'redirect')),
  /** Simulated banks and wallets. */
  redirect: new Set<RouteMethod>(['redirect']),
  /** The test system of the processor. */
  external: new Set<RouteMethod>(['card', 'tokenAccount', 'giftCard']),
} as const satisfies Readonly<Record<string, ReadonlySet<RouteMethod>>>

export type BuiltInConnector = keyof typeof builtInConnectors

/** Whether a name is that of a built-in connector. */
export const isBuiltInConnector = (name: string): name is BuiltInConnector => Object.hasOwn(builtInConnectors, name)

const everyTestMode: Route['when']['testModes'] = new Set(['INTERNAL', 'EXTERNAL'])

const routeTo = (connector: BuiltInConnector, testModes: Route['when']['testModes']): Route => ({
  name: connector,
  when: { testModes },
  order: 'listed',
  targets: [{ connector, weight: 1 }],
})

/**
 * The routes of payments in the test environment for which no route of their channel applies. "EXTERNAL forwards test
 * transactions to the processor's own test system … INTERNAL sends them to the service's simulators" (contract). The
 * simulator also processes EXTERNAL payments by accounts that the test system does not take, and all of them if none
 * is connected.
 */
export const testRoutes: readonly Route[] = [
  routeTo('redirect', everyTestMode),
  routeTo('external', new Set(['EXTERNAL'])),
  routeTo('simulator', everyTestMode),
]
