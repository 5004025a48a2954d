import type { Connector, LocalConnector, RemoteConnector } from '@tollgate/connectors'
import { parametersOf, Secret } from '@tollgate/contract'
import type { Route } from '@tollgate/domain'
import { openMemory } from '@tollgate/storage'
import { describe, expect, test } from 'vitest'
import { transactionRow } from '@tollgate/gateway/testing'
import { usable, type UsableInstrument } from '../accounts/instrument.ts'
import type { ConnectorAccount } from '../context.ts'
import { accountRequest } from '../parameters/account-request.ts'
import { testChannel } from '../testing/test-channel.ts'
import { connectorOfRow, hasProvider, needsAccountLater, routingOf } from './connector-of.ts'

const unused = () => expect.fail('no request is sent')
const local = (name: string): LocalConnector => ({ kind: 'local', name, send: unused })
const remote = (name: string, more: Partial<RemoteConnector> = {}): RemoteConnector => ({
  kind: 'remote',
  name,
  send: unused,
  reverse: unused,
  ...more,
})

const accountOf = (fields: Partial<ConnectorAccount> = {}): ConnectorAccount => ({
  connector: remote('account'),
  methods: new Set(['card', 'redirect']),
  enabled: true,
  isHealthy: true,
  costs: [],
  ...fields,
})

const builtIn = { simulator: local('simulator'), redirect: remote('redirect'), external: remote('external') }
const accounts = new Map([
  ['north', accountOf()],
  ['south', accountOf()],
])
const all = { ...builtIn, accounts: { find: (name: string) => accounts.get(name), names: () => accounts.keys() } }
const withoutExternal = { ...all, external: undefined }

const masked = { bin: null, last4: null, holder: null, expiryMonth: null, expiryYear: null, details: {} }
const number = new Secret(new TextEncoder().encode('4200000000000000'))
const card = usable({ account: 'card', brand: 'VISA', number, cvv: undefined, masked })
const ideal = usable({ account: 'virtualAccount', brand: 'IDEAL', number: undefined, cvv: undefined, masked })

const head = {
  requestId: '',
  atMs: 0,
  caller: { tokenId: '', entityId: 'c', rights: [] },
  entityId: 'c',
  channels: [],
  claim: undefined,
}

const route = (name: string, connectors: readonly string[], when: Route['when'] = {}): Route => ({
  name,
  when,
  order: 'listed',
  targets: connectors.map((connector) => ({ connector, weight: 1 })),
})

interface Case {
  readonly form?: Readonly<Record<string, string>>
  readonly routes?: readonly Route[]
  readonly environment?: 'test' | 'live'
  readonly instrument?: UsableInstrument
}

function routing({ form = {}, routes, environment = 'test', instrument = card }: Case) {
  const parameters = parametersOf({ amount: '92.00', currency: 'EUR', testMode: 'EXTERNAL', ...form })
  const request = accountRequest('createPayment', { ...head, parameters })
  const acquirers = environment === 'live' ? { accounts: all.accounts } : all
  const payment = { request, channel: testChannel({}, { routes, environment }), id: '0'.repeat(32) }
  return routingOf({ acquirers }, payment, instrument)
}

const namesOf = (each: Case): readonly string[] => {
  const chosen = routing(each)
  return chosen ? [chosen.first, ...chosen.others].map(({ name }) => name) : []
}

test.each<readonly [string, Case, readonly string[]]>([
  ['INTERNAL', { form: { testMode: 'INTERNAL' } }, ['simulator']],
  ['EXTERNAL', {}, ['external']],
  ['a bank’s page', { instrument: ideal }, ['redirect']],
  ['a route', { routes: [route('a', ['north', 'south'])] }, ['north', 'south']],
  ['a route and INTERNAL', { routes: [route('a', ['north'])], form: { testMode: 'INTERNAL' } }, ['simulator']],
  ['a bank’s page and a route', { routes: [route('a', ['north'])], instrument: ideal }, ['north']],
  ['a route to the simulator', { routes: [route('a', ['simulator'])] }, ['simulator']],
  ['a route that does not match', { routes: [route('a', ['north'], { brands: new Set(['AMEX']) })] }, ['external']],
  ['a route to nothing', { routes: [route('a', ['gone'])] }, ['external']],
  [
    'a route by amount',
    { routes: [route('a', ['north'], { amount: { currency: 'EUR', fromMinor: 9200, toMinor: 9200 } })] },
    ['north'],
  ],
  [
    'a route by country',
    { routes: [route('a', ['north'], { countries: new Set(['DE']) })], form: { 'billing.country': 'DE' } },
    ['north'],
  ],
  [
    'a route by card number',
    { routes: [route('a', ['north'], { bins: [{ from: '42000000', to: '42000000' }] })] },
    ['north'],
  ],
  ['live without a route', { environment: 'live' }, []],
  ['live with a route', { environment: 'live', routes: [route('a', ['south'])] }, ['south']],
  ['live with a route to the simulator', { environment: 'live', routes: [route('a', ['simulator'])] }, []],
])('%s: the connectors are chosen by the payment', (_, each, names) => {
  expect(namesOf(each)).toEqual(names)
})

describe('the decision', () => {
  test('names the route, the routes that did not match, and the targets', () => {
    const routes = [route('dollars', ['north'], { currencies: new Set(['USD']) }), route('rest', ['gone', 'north'])]
    expect(routing({ routes })?.decision).toEqual({
      route: 'rest',
      passed: [{ route: 'dollars', mismatch: 'currencies' }],
      targets: [
        { connector: 'north', verdict: 'used' },
        { connector: 'gone', verdict: 'unknown' },
      ],
    })
  })

  test('is absent if no route of the channel applies', () => {
    expect(routing({ routes: [] })?.decision).toBeUndefined()
  })

  test('contains no digit of the card number', () => {
    const routes = [route('a', ['north'], { bins: [{ from: '42000000', to: '42000000' }] })]
    expect(JSON.stringify(routing({ routes })?.decision)).not.toContain('4200')
  })
})

test('a brand that redirects shoppers is offered if a route leads to its provider', () => {
  const offers = (each: Partial<Parameters<typeof hasProvider>[1]>) =>
    hasProvider({ acquirers: all }, testChannel({}, each), { brand: 'IDEAL', currency: 'EUR', amountMinor: 100 })
  expect(offers({})).toBe(true)
  expect(offers({ environment: 'live' })).toBe(false)
  expect(offers({ environment: 'live', routes: [route('a', ['north'])] })).toBe(true)
  const offersBy = (when: Route['when']) => offers({ environment: 'live', routes: [route('a', ['north'], when)] })
  expect(offersBy({ currencies: new Set(['USD']) })).toBe(false)
  expect(offersBy({ amount: { currency: 'EUR', fromMinor: 100, toMinor: 200 } })).toBe(true)
  expect(offersBy({ amount: { currency: 'EUR', fromMinor: 101, toMinor: 200 } })).toBe(false)
  // The shopper may enter the country later.
  expect(offersBy({ countries: new Set(['NL']) })).toBe(true)
})

/** A storage with attempts of the transaction `p`, oldest first. */
async function storageWith(attempts: readonly { readonly kind: string; readonly connector: string }[]) {
  const storage = openMemory()
  const rows = attempts.map((attempt, index) => ({
    transaction_id: 'p',
    id: `a${index}`,
    merchant: 'm',
    sent_as: '{}',
    outcome: null,
    created_at_ms: 0,
    settlement_day: null,
    ...attempt,
  }))
  await storage.commit({ id: 'u', expectedVersions: [], rows: { acquirer_attempt: rows } })
  return storage
}

const request = { kind: 'request', connector: 'external' }
const reversal = { kind: 'reversal', connector: 'external' }

test.each([
  ['that the simulator processed', all, {}, [], 'simulator'],
  ['without an attempt', all, { routed: { connector: 'redirect' } }, [], 'redirect'],
  ['that was sent to the test system', all, { routed: { connector: 'external' } }, [request], 'external'],
  ['that was reversed', all, { routed: { connector: 'external' } }, [request, reversal], 'external'],
  [
    'that was sent again to another acquirer',
    all,
    { routed: { connector: 'external' } },
    [request, { ...request, connector: 'north' }],
    'north',
  ],
  ['whose connector no longer exists', withoutExternal, { routed: { connector: 'external' } }, [request], 'external'],
] as const)(
  'a stored payment %s is changed and reversed where it was sent',
  async (_, acquirers, facts, attempts, name) => {
    const context = { acquirers, storage: await storageWith(attempts) }
    const row = transactionRow({ id: 'p', facts: JSON.stringify(facts) })
    expect((await connectorOfRow(context, row)).name).toBe(name)
  },
)

test('nothing is sent to an acquirer that is no longer connected, and a reversal is repeated later', async () => {
  const context = { acquirers: withoutExternal, storage: await storageWith([request]) }
  const row = transactionRow({ id: 'p', facts: '{"routed":{"connector":"external"}}' })
  const { connector } = await connectorOfRow(context, row)
  if (connector.kind !== 'remote') throw new Error('the connector is not remote')
  const sent = { transactionId: 'q', operation: 'CP', amountMinor: 1, currency: 'EUR', brand: 'VISA', atMs: 0 } as const
  const authorisation = { ...sent, testMode: 'EXTERNAL', descriptor: '', partialApproval: false } as const
  const maps = { parameters: new Map(), secrets: new Map() }
  expect(await connector.send({ ...authorisation, ...maps })).toMatchObject({ status: 'notSent' })
  expect(await connector.reverse({ ...sent, testMode: 'EXTERNAL' })).toEqual({ kind: 'unknown' })
})

test.each<readonly [string, Connector, boolean]>([
  ['a host that knows payments by their messages', remote('external', { needsAccountLater: true }), true],
  ['a host that says so', remote('external', { needsAccountLater: false }), false],
  ['a provider that knows payments by their ids', remote('redirect'), false],
  ['the simulator', local('simulator'), false],
])('follow-ups to %s: needs the number is %s', (...columns) => {
  const [name, connector, expected] = columns
  expect(needsAccountLater({ name, connector })).toBe(expected)
})
