import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { planRoute } from './plan-route.ts'
import type { Route, RouteConditions, RoutedConnector, RouteSubject } from './route.ts'

const connector = (fields: Partial<RoutedConnector> = {}): RoutedConnector => ({
  methods: new Set(['card']),
  enabled: true,
  isHealthy: true,
  costs: [],
  ...fields,
})

const subject: RouteSubject = {
  method: 'card',
  brand: 'VISA',
  currency: 'EUR',
  amountMinor: 9200,
  country: 'DE',
  bin: '42000000',
  testMode: null,
}

const route = (fields: Partial<Route> = {}): Route => ({
  name: 'cards',
  when: {},
  order: 'listed',
  targets: [{ connector: 'first', weight: 1 }],
  ...fields,
})

const plan = (
  routes: readonly Route[],
  connectors: Readonly<Record<string, RoutedConnector>>,
  { draw = 0, ...facts }: Partial<RouteSubject> & { readonly draw?: number } = {},
) => planRoute(routes, { ...subject, ...facts }, { connector: (name) => connectors[name], draw })

const matches = (when: RouteConditions, facts: Partial<RouteSubject> = {}) =>
  plan([route({ when })], { first: connector({ methods: new Set(['card', 'redirect']) }) }, facts).route === 'cards'

const conditions: readonly [
  title: string,
  when: RouteConditions,
  holds: Partial<RouteSubject>,
  fails: Partial<RouteSubject>,
][] = [
  ['methods', { methods: new Set(['card']) }, { method: 'card' }, { method: 'redirect' }],
  ['brands', { brands: new Set(['VISA', 'MASTER']) }, { brand: 'MASTER' }, { brand: 'AMEX' }],
  ['currencies', { currencies: new Set(['EUR']) }, { currency: 'EUR' }, { currency: 'USD' }],
  ['currencies of a request without one', { currencies: new Set(['EUR']) }, {}, { currency: undefined }],
  ['countries', { countries: new Set(['DE']) }, { country: 'DE' }, { country: 'FR' }],
  ['countries of a request without one', { countries: new Set(['DE']) }, {}, { country: undefined }],
  ['bins from', { bins: [{ from: '42000000', to: '42000000' }] }, { bin: '42000000' }, { bin: '41999999' }],
  ['bins to', { bins: [{ from: '40', to: '42' }] }, { bin: '42999999' }, { bin: '43000000' }],
  [
    'several bins',
    {
      bins: [
        { from: '1', to: '1' },
        { from: '4', to: '4' },
      ],
    },
    { bin: '4200' },
    { bin: '5200' },
  ],
  ['bins without a card number', { bins: [{ from: '4', to: '4' }] }, { bin: '4' }, { bin: undefined }],
  ['bins longer than the number', { bins: [{ from: '42000000', to: '42999999' }] }, {}, { bin: '4200000' }],
  [
    'amount from',
    { amount: { currency: 'EUR', fromMinor: 100, toMinor: 200 } },
    { amountMinor: 100 },
    { amountMinor: 99 },
  ],
  [
    'amount to',
    { amount: { currency: 'EUR', fromMinor: 100, toMinor: 200 } },
    { amountMinor: 200 },
    { amountMinor: 201 },
  ],
  [
    'amount in another currency',
    { amount: { currency: 'EUR', fromMinor: 100, toMinor: 200 } },
    { amountMinor: 150 },
    { amountMinor: 150, currency: 'USD' },
  ],
  [
    'amount of a request without one',
    { amount: { currency: 'EUR', fromMinor: 0, toMinor: 200 } },
    { amountMinor: 0 },
    { amountMinor: undefined },
  ],
  ['testModes', { testModes: new Set(['INTERNAL']) }, { testMode: 'INTERNAL' }, { testMode: 'EXTERNAL' }],
  ['testModes if unset', {}, { testMode: 'EXTERNAL' }, { testMode: 'INTERNAL' }],
  [
    'testModes in the live environment',
    { testModes: new Set(['EXTERNAL']) },
    { testMode: null },
    { testMode: 'INTERNAL' },
  ],
]

test.each(conditions)('a route matches by %s', (_, when, holds, fails) => {
  expect(matches(when, holds)).toBe(true)
  expect(matches(when, fails)).toBe(false)
})

test('the first matching route applies, and the mismatch of each earlier one is named', () => {
  const routes = [
    route({ name: 'dollars', when: { currencies: new Set(['USD']) } }),
    route({ name: 'euros', when: { currencies: new Set(['EUR']) } }),
    route({ name: 'rest' }),
  ]
  const { route: chosen, steps } = plan(routes, { first: connector() })
  expect(chosen).toBe('euros')
  expect(steps.map(({ route: name, mismatch }) => [name, mismatch])).toEqual([
    ['dollars', 'currencies'],
    ['euros', undefined],
  ])
})

test('a route without a usable target is passed over, with the reason', () => {
  const targets = ['disabled', 'banks', 'gone'].map((name) => ({ connector: name, weight: 1 }))
  const connectors = {
    disabled: connector({ enabled: false }),
    banks: connector({ methods: new Set(['bankAccount']) }),
    first: connector(),
  }
  const {
    route: chosen,
    connectors: tried,
    steps,
  } = plan([route({ name: 'a', targets }), route({ name: 'b' })], connectors)
  expect([chosen, tried]).toEqual(['b', ['first']])
  expect(steps[0]?.targets.map(({ verdict }) => verdict)).toEqual(['disabled', 'unsuitable', 'unknown'])
})

test('no route: the payment has no connector', () => {
  expect(plan([route({ when: { brands: new Set(['AMEX']) } })], { first: connector() })).toMatchObject({
    route: undefined,
    connectors: [],
  })
})

test('unhealthy targets are tried last', () => {
  const targets = ['ill', 'well'].map((name) => ({ connector: name, weight: 1 }))
  const connectors = { ill: connector({ isHealthy: false }), well: connector() }
  expect(plan([route({ targets })], connectors).connectors).toEqual(['well', 'ill'])
})

test('no more targets are tried than the bound', () => {
  const names = Array.from({ length: limits.routeAttemptsMax + 2 }, (_, index) => `c${index}`)
  const targets = names.map((name) => ({ connector: name, weight: 1 }))
  const connectors = Object.fromEntries(names.map((name) => [name, connector()]))
  const { connectors: tried, steps } = plan([route({ targets })], connectors)
  expect(tried).toEqual(names.slice(0, limits.routeAttemptsMax))
  expect(steps[0]?.targets.at(-1)).toEqual({ connector: names.at(-1), verdict: 'beyondLimit' })
})

test('the cheapest target comes first, and one without a fee for the currency last', () => {
  const euros = new Set(['EUR'] as const)
  const connectors = {
    unpriced: connector(),
    percentage: connector({ costs: [{ currencies: euros, basisPoints: 100, fixedMinor: 0 }] }),
    fixed: connector({ costs: [{ currencies: euros, basisPoints: 0, fixedMinor: 50 }] }),
  }
  const targets = ['unpriced', 'percentage', 'fixed'].map((name) => ({ connector: name, weight: 1 }))
  const routes = [route({ targets, order: 'cost' })]
  expect(plan(routes, connectors, { amountMinor: 4900 }).connectors).toEqual(['percentage', 'fixed', 'unpriced'])
  expect(plan(routes, connectors, { amountMinor: 5100 }).connectors).toEqual(['fixed', 'percentage', 'unpriced'])
})

test('targets are drawn in proportion to their weights', () => {
  const targets = [
    { connector: 'a', weight: 3 },
    { connector: 'b', weight: 0 },
    { connector: 'c', weight: 1 },
  ]
  const connectors = { a: connector(), b: connector(), c: connector() }
  const routes = [route({ targets, order: 'weight' })]
  const first = (draw: number) => plan(routes, connectors, { draw }).connectors[0]
  expect([0, 0.7499, 0.75, 0.9999].map(first)).toEqual(['a', 'a', 'c', 'c'])
  expect(plan(routes, connectors, { draw: 0.8 }).connectors).toEqual(['c', 'a', 'b'])
})

test('if all weights are 0, the targets are tried as listed', () => {
  const targets = ['a', 'b'].map((name) => ({ connector: name, weight: 0 }))
  const routes = [route({ targets, order: 'weight' })]
  expect(plan(routes, { a: connector(), b: connector() }, { draw: 0.5 }).connectors).toEqual(['a', 'b'])
})

test('each target of a matching route has one verdict, whatever the order and the health', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const facts = fc.record({ enabled: fc.boolean(), isHealthy: fc.boolean() })
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...names), facts),
      fc.constantFrom('listed', 'weight', 'cost'),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (known, order, draw) => {
        const connectors = Object.fromEntries(Object.entries(known).map(([name, fact]) => [name, connector(fact)]))
        const targets = names.map((name, weight) => ({ connector: name, weight }))
        const { connectors: tried, steps } = plan([route({ order, targets })], connectors, { draw })
        expect(steps[0]?.targets.map((target) => target.connector).toSorted()).toEqual(names)
        expect(tried.length).toBeLessThanOrEqual(limits.routeAttemptsMax)
        expect(tried.every((name) => connectors[name]?.enabled)).toBe(true)
      },
    ),
  )
})
