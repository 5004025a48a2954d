import { planRoute, type RouteSubject } from '@tollgate/domain'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { prepareRoutes, RoutesError, routeSet, type RouteSet } from './routes.ts'

const targets = [{ connector: 'acme' }]
const cards = { name: 'cards', targets }

const whole: RouteSet = {
  routes: [
    {
      name: 'euro cards',
      when: {
        methods: ['card'],
        brands: ['VISA', 'MASTER'],
        currencies: ['EUR'],
        countries: ['DE'],
        bins: [{ from: '42', to: '43' }],
        amount: { currency: 'EUR', from: '10.00', to: '99.99' },
        testModes: ['EXTERNAL'],
      },
      order: 'weight',
      targets: [{ connector: 'acme', weight: 3 }, { connector: 'bank-2' }],
    },
    cards,
  ],
}

test('routes are prepared for the rule that selects a connector', () => {
  const [first, second] = prepareRoutes(whole)
  expect(first).toEqual({
    name: 'euro cards',
    when: {
      methods: new Set(['card']),
      brands: new Set(['VISA', 'MASTER']),
      currencies: new Set(['EUR']),
      countries: new Set(['DE']),
      bins: [{ from: '42', to: '43' }],
      amount: { currency: 'EUR', fromMinor: 1000, toMinor: 9999 },
      testModes: new Set(['EXTERNAL']),
    },
    order: 'weight',
    targets: [
      { connector: 'acme', weight: 3 },
      { connector: 'bank-2', weight: 1 },
    ],
  })
  expect(second).toMatchObject({ name: 'cards', order: 'listed', targets: [{ connector: 'acme', weight: 1 }] })
})

const bounds: readonly [title: string, bounds: object, below: number, within: number, above: number | undefined][] = [
  ['without an upper bound', { from: '10.00' }, 999, 1000, undefined],
  ['without a lower bound', { to: '10.00' }, -1, 1000, 1001],
  ['of one amount', { from: '10.00', to: '10.00' }, 999, 1000, 1001],
]

test.each(bounds)('an amount %s', (_, range, below, within, above) => {
  const subject: RouteSubject = {
    method: 'card',
    brand: 'VISA',
    currency: 'EUR',
    amountMinor: 0,
    country: undefined,
    bin: undefined,
    testMode: 'EXTERNAL',
  }
  const routes = prepareRoutes({ routes: [{ ...cards, when: { amount: { currency: 'EUR', ...range } } }] })
  const connector = () => ({ methods: new Set(['card' as const]), enabled: true, isHealthy: true, costs: [] })
  const matches = (amountMinor: number | undefined) =>
    planRoute(routes, { ...subject, amountMinor }, { connector, draw: 0 }).route !== undefined
  expect([below, within, above].map(matches)).toEqual([false, true, false])
})

/** Faults that the schema does not find: the message names the member and what would be right. */
const faults: readonly [title: string, routes: RouteSet['routes'], message: string][] = [
  ['a repeated name', [cards, cards], 'routes/1/name must not be that of another route'],
  [
    'a repeated target',
    [{ ...cards, targets: [...targets, ...targets] }],
    'routes/0/targets/1/connector must not be that of another target',
  ],
  [
    'a range with ends of different lengths',
    [{ ...cards, when: { bins: [{ from: '42', to: '430' }] } }],
    'routes/0/when/bins/0/to must have as many digits as from',
  ],
  [
    'a range without numbers',
    [
      {
        ...cards,
        when: {
          bins: [
            { from: '1', to: '2' },
            { from: '43', to: '42' },
          ],
        },
      },
    ],
    'routes/0/when/bins/1/to must not be less than from',
  ],
  [
    'an amount without a bound',
    [{ ...cards, when: { amount: { currency: 'EUR' } } }],
    'routes/0/when/amount must have from, to or both',
  ],
  [
    'amounts in the wrong order',
    [{ ...cards, when: { amount: { currency: 'EUR', from: '2.00', to: '1.99' } } }],
    'routes/0/when/amount/to must not be less than from',
  ],
  [
    'an amount with decimals that the currency does not have',
    [{ ...cards, when: { amount: { currency: 'JPY', from: '2.50' } } }],
    'routes/0/when/amount/from: JPY has no decimals: the two decimals must be 00',
  ],
  [
    'weights that have no effect',
    [{ ...cards, targets: [{ connector: 'a' }, { connector: 'b', weight: 2 }] }],
    'routes/0/targets/1/weight must not be set, unless the order is weight',
  ],
  [
    'weights by which no target is drawn',
    [{ ...cards, order: 'weight', targets: [{ connector: 'a', weight: 0 }] }],
    'routes/0/targets must contain a weight above 0',
  ],
]

test.each(faults)('refuses %s', (_, routes, message) => {
  expect(Value.Check(routeSet, { routes })).toBe(true)
  expect(() => prepareRoutes({ routes })).toThrow(new RoutesError(message))
})

describe('the schema', () => {
  const valid = (changes: object) => Value.Check(routeSet, { routes: [{ ...cards, ...changes }] })

  test('accepts all members, and leaves those with a default optional', () => {
    expect(Value.Check(routeSet, whole)).toBe(true)
    expect(Value.Check(routeSet, { routes: [] })).toBe(true)
    expect(valid({})).toBe(true)
  })

  const many = (count: number, item: object) => Array.from({ length: count }, () => item)
  test.each<[string, object]>([
    ['an unknown member', { colour: 'red' }],
    ['an unknown condition', { when: { issuer: ['X'] } }],
    ['a condition without a value', { when: { brands: [] } }],
    ['an unknown brand', { when: { brands: ['VISTA'] } }],
    ['an unknown currency', { when: { currencies: ['EURO'] } }],
    ['an unknown country', { when: { countries: ['GERMANY'] } }],
    ['an unknown method', { when: { methods: ['cash'] } }],
    ['an unknown test mode', { when: { testModes: ['LIVE'] } }],
    ['a repeated brand', { when: { brands: ['VISA', 'VISA'] } }],
    ['a range with nine digits', { when: { bins: [{ from: '420000000', to: '420000001' }] } }],
    ['a range with letters', { when: { bins: [{ from: '4x', to: '4y' }] } }],
    ['a negative amount', { when: { amount: { currency: 'EUR', from: '-1.00' } } }],
    ['an unknown order', { order: 'random' }],
    ['no target', { targets: [] }],
    ['a target whose name is no name of a connector', { targets: [{ connector: '../acme' }] }],
    ['a weight with a fraction', { order: 'weight', targets: [{ connector: 'acme', weight: 0.5 }] }],
    ['a name that is too long', { name: 'n'.repeat(limits.routeNameCharsMax + 1) }],
    ['a name with a comma', { name: 'a, b' }],
    ['too many targets', { targets: many(limits.routeTargetsMax + 1, { connector: 'acme' }) }],
    ['too many ranges', { when: { bins: many(limits.routeBinsMax + 1, { from: '4', to: '4' }) } }],
  ])('refuses %s', (_, changes) => {
    expect(valid(changes)).toBe(false)
  })

  test('refuses too many routes', () => {
    expect(Value.Check(routeSet, { routes: many(limits.routesMax + 1, cards) })).toBe(false)
  })
})
