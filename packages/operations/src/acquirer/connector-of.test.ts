import type { Connector, LocalConnector, RemoteConnector } from '@tollgate/connectors'
import { openMemory } from '@tollgate/storage'
import { expect, test } from 'vitest'
import { transactionRow } from '@tollgate/gateway/testing'
import { connectorOf, connectorOfRow, needsAccountLater } from './connector-of.ts'

const unused = () => expect.fail('no request is sent')
const local = (name: string): LocalConnector => ({ kind: 'local', name, send: unused })
const remote = (name: string, more: Partial<RemoteConnector> = {}): RemoteConnector => ({
  kind: 'remote',
  name,
  send: unused,
  reverse: unused,
  ...more,
})

const wait = unused
const all = { direct: local('direct'), redirect: remote('redirect'), external: remote('external'), wait }
const withoutExternal = { ...all, external: undefined }
const withoutRedirect = { ...all, redirect: undefined }

const card = { kind: 'card' } as const
const original = { transactionId: 'p', references: [] }

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
    ...attempt,
  }))
  await storage.commit({ id: 'u', expectedVersions: [], rows: { acquirer_attempt: rows } })
  return storage
}

test.each([
  ['a payment in the live environment', all, { testMode: null, account: card }, 'direct'],
  ['the test mode INTERNAL', all, { testMode: 'INTERNAL', account: card }, 'direct'],
  ['a card and the test mode EXTERNAL', all, { testMode: 'EXTERNAL', account: card }, 'external'],
  ['a bank account and EXTERNAL', all, { testMode: 'EXTERNAL', account: { kind: 'bankAccount' } }, 'direct'],
  ['EXTERNAL without the test system', withoutExternal, { testMode: 'EXTERNAL', account: card }, 'direct'],
  ['a bank’s page', all, { testMode: 'INTERNAL', redirected: true }, 'redirect'],
  ['a bank’s page and the test mode EXTERNAL', all, { testMode: 'EXTERNAL', redirected: true }, 'redirect'],
  ['a bank’s page without a bank', withoutRedirect, { testMode: 'EXTERNAL', redirected: true }, undefined],
] as const)('%s: the connector is chosen by the payment', async (_, acquirers, payment, name) => {
  const account = 'account' in payment ? { ...fields, ...payment.account } : undefined
  const connector = await connectorOf({ acquirers, storage: openMemory() }, { ...payment, account })
  expect(connector?.name).toBe(name)
})

const fields = { number: undefined, holder: undefined, expiryMonth: undefined, expiryYear: undefined, cvv: undefined }

const request = { kind: 'request', connector: 'external' }
const reversal = { kind: 'reversal', connector: 'external' }

test.each([
  ['without an attempt', all, [], 'direct'],
  ['that was sent to the test system', all, [request], 'external'],
  ['that was sent to the test system, and reversed', all, [request, reversal], 'external'],
  ['that was sent again to another acquirer', all, [request, { ...request, connector: 'other' }], 'other'],
  ['whose test system is no longer connected', withoutExternal, [request], 'external'],
  ['whose reversal alone is stored', all, [reversal], 'direct'],
] as const)('a stored payment %s is changed and reversed where it was sent', async (_, acquirers, attempts, name) => {
  const context = { acquirers, storage: await storageWith(attempts) }
  const row = transactionRow({ id: 'p', test_mode: 'EXTERNAL' })
  expect((await connectorOfRow(context, row))?.name).toBe(name)
  expect((await connectorOf(context, { testMode: 'EXTERNAL', original }))?.name).toBe(name)
})

test('nothing is sent to an acquirer that is no longer connected, and a reversal is repeated later', async () => {
  const context = { acquirers: withoutExternal, storage: await storageWith([request]) }
  const connector = await connectorOf(context, { testMode: 'EXTERNAL', original })
  if (connector?.kind !== 'remote') throw new Error('the connector is not remote')
  const sent = { transactionId: 'q', operation: 'CP', amountMinor: 1, currency: 'EUR', brand: 'VISA', atMs: 0 } as const
  const authorisation = { ...sent, testMode: 'EXTERNAL', descriptor: '', partialApproval: false } as const
  const maps = { parameters: new Map(), secrets: new Map() }
  expect(await connector.send({ ...authorisation, ...maps })).toMatchObject({ status: 'notSent' })
  expect(await connector.reverse({ ...sent, testMode: 'EXTERNAL' })).toEqual({ kind: 'unknown' })
})

test.each<readonly [string, Connector | undefined, boolean]>([
  ['a host that knows payments by their messages', remote('external', { needsAccountLater: true }), true],
  ['a host that says so', remote('external', { needsAccountLater: false }), false],
  ['a provider that knows payments by their ids', remote('redirect'), false],
  ['the simulator', local('direct'), false],
  ['no connector', undefined, false],
])('follow-ups to %s: needs the number is %s', (...columns) => {
  const [, connector, expected] = columns
  expect(needsAccountLater(connector)).toBe(expected)
})
