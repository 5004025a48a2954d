import { expect, test } from 'vitest'
import { possibleRoutes } from './possible-routes.ts'
import type { RouteConditions, RouteSubject } from './route.ts'

const when: RouteConditions = {
  methods: new Set(['redirect']),
  brands: new Set(['IDEAL']),
  currencies: new Set(['EUR']),
  countries: new Set(['NL']),
  bins: [{ from: '4', to: '4' }],
  amount: { currency: 'EUR', fromMinor: 100, toMinor: 200 },
  testModes: new Set(['EXTERNAL']),
}
const unknown: RouteSubject = {
  method: 'redirect',
  brand: 'IDEAL',
  currency: undefined,
  amountMinor: undefined,
  country: undefined,
  bin: undefined,
  testMode: null,
}

const conditionsFor = (known: Partial<RouteSubject>): readonly string[] => {
  const routes = [{ name: 'a', when, order: 'listed', targets: [{ connector: 'north', weight: 1 }] } as const]
  const [route] = possibleRoutes(routes, { ...unknown, ...known })
  return Object.entries(route?.when ?? {}).flatMap(([name, condition]) => (condition === undefined ? [] : [name]))
}

test('conditions on facts that are not known are left out', () => {
  expect(conditionsFor({}).toSorted()).toEqual(['brands', 'methods', 'testModes'])
})

test.each<[condition: string, known: Partial<RouteSubject>]>([
  ['currencies', { currency: 'USD' }],
  ['amount', { amountMinor: 0 }],
  ['countries', { country: 'DE' }],
  ['bins', { bin: '5' }],
])('the condition on %s stays if its fact is known', (condition, known) => {
  expect(conditionsFor(known)).toContain(condition)
})
