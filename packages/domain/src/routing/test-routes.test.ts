import { expect, test } from 'vitest'
import { planRoute } from './plan-route.ts'
import type { RouteSubject } from './route.ts'
import { builtInConnectors, isBuiltInConnector, testRoutes } from './test-routes.ts'

const all = Object.keys(builtInConnectors)

const planned = (facts: Pick<RouteSubject, 'method' | 'testMode'>, connected: readonly string[]) =>
  planRoute(
    testRoutes,
    { brand: 'VISA', currency: 'EUR', amountMinor: 100, country: undefined, bin: undefined, ...facts },
    {
      draw: 0,
      connector: (name) =>
        connected.includes(name) && isBuiltInConnector(name)
          ? { methods: builtInConnectors[name], enabled: true, isHealthy: true, costs: [] }
          : undefined,
    },
  ).connectors

test.each([
  ['the test mode INTERNAL', { testMode: 'INTERNAL', method: 'card' }, all, 'simulator'],
  ['a card and the test mode EXTERNAL', { testMode: 'EXTERNAL', method: 'card' }, all, 'external'],
  ['a token and EXTERNAL', { testMode: 'EXTERNAL', method: 'tokenAccount' }, all, 'external'],
  ['a bank account and EXTERNAL', { testMode: 'EXTERNAL', method: 'bankAccount' }, all, 'simulator'],
  [
    'EXTERNAL without the test system',
    { testMode: 'EXTERNAL', method: 'card' },
    ['simulator', 'redirect'],
    'simulator',
  ],
  ['a bank’s page', { testMode: 'INTERNAL', method: 'redirect' }, all, 'redirect'],
  ['a bank’s page and the test mode EXTERNAL', { testMode: 'EXTERNAL', method: 'redirect' }, all, 'redirect'],
  ['a bank’s page without a bank', { testMode: 'EXTERNAL', method: 'redirect' }, ['simulator', 'external'], undefined],
] as const)('%s', (_, facts, connected, name) => {
  expect(planned(facts, connected)).toEqual(name === undefined ? [] : [name])
})
