import { expect, test } from 'vitest'
import type { Context } from '../context.ts'
import { instituteAccounts } from './institute-accounts.ts'

const cutOff = { minutes: 0, timeZone: 'Europe/Berlin' }
const connectorOf = (merchantId: string) => ({ kind: 'remote', clearing: { merchantId, cutOff } })

/** Connectors with the ids of their merchants, and channels with their merchants and connectors. */
function accountsOf(
  connectors: Readonly<Record<string, string>>,
  channels: readonly (readonly [id: string, merchant: string, connectors: readonly string[]])[],
  environment = 'live',
) {
  const { external, ...others } = connectors
  const accounts = {
    find: (name: string) => (others[name] ? { connector: connectorOf(others[name]) } : undefined),
    names: () => Object.keys(others),
  }
  const channelOf = ([id, merchant, names]: (typeof channels)[number]) => ({
    id,
    merchant,
    environment,
    routes: [{ targets: names.map((connector) => ({ connector })) }],
  })
  const directory = {
    entities: () => [{ kind: 'merchant', id: 'm0' }, ...channels.map(([id]) => ({ kind: 'channel', id }))],
    channel: (id: string) => channels.filter(([each]) => each === id).map(channelOf)[0],
  }
  const acquirers = { accounts, external: external && connectorOf(external) }
  const context: Pick<Context, 'acquirers' | 'directory'> = Object.assign(Object.create(null), { acquirers, directory })
  return instituteAccounts(context)
}

const known = { acquirer: 'north', timeZone: 'Europe/Berlin' }
const noMerchant = { merchants: [], merchant: '', channel: '' }
const oneMerchant = { merchants: ['m1'], merchant: 'm1', channel: 'c1' }

test.each<[string, ReturnType<ReturnType<typeof accountsOf>>, ReturnType<typeof accountsOf>]>([
  [
    'one merchant, by the first of its channels',
    { ...known, ...oneMerchant },
    accountsOf({ north: 'N1', south: 'S1' }, [
      ['c0', 'm0', ['south']],
      ['c1', 'm1', ['south', 'north']],
      ['c2', 'm1', ['north']],
    ]),
  ],
  [
    'several merchants',
    { ...known, ...noMerchant, merchants: ['m1', 'm2'] },
    accountsOf({ north: 'N1' }, [
      ['c1', 'm1', ['north']],
      ['c2', 'm2', ['north']],
    ]),
  ],
  ['no merchant', { ...known, ...noMerchant }, accountsOf({ north: 'N1' }, [['c1', 'm1', ['south']]])],
  [
    'several connectors of one merchant',
    { ...known, acquirer: '', ...oneMerchant },
    accountsOf({ north: 'N1', south: 'N1' }, [
      ['c1', 'm1', ['north']],
      ['c2', 'm1', ['south']],
    ]),
  ],
  [
    'an unknown id',
    { acquirer: '', timeZone: 'UTC', ...noMerchant },
    accountsOf({ north: 'N2' }, [['c1', 'm1', ['north']]]),
  ],
  [
    'the test host, which channels of the test environment reach without a route',
    { ...known, acquirer: 'external', ...oneMerchant },
    accountsOf({ external: 'N1' }, [['c1', 'm1', []]], 'test'),
  ],
  [
    'the test host in a live environment',
    { ...known, acquirer: 'external', ...noMerchant },
    accountsOf({ external: 'N1' }, [['c1', 'm1', []]]),
  ],
])('the account of %s', (_name, account, accountOf) => {
  expect(accountOf('N1')).toEqual(account)
})
