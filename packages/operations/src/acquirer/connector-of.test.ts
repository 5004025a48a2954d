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

test.each([
  ['a payment in the live environment', all, { testMode: null }, 'direct'],
  ['the test mode INTERNAL', all, { testMode: 'INTERNAL' }, 'direct'],
  ['the test mode EXTERNAL', all, { testMode: 'EXTERNAL' }, 'external'],
  ['the test mode EXTERNAL without the test system', withoutExternal, { testMode: 'EXTERNAL' }, 'direct'],
  ['a bank’s page', all, { testMode: 'INTERNAL', redirected: true }, 'redirect'],
  ['a bank’s page and the test mode EXTERNAL', all, { testMode: 'EXTERNAL', redirected: true }, 'redirect'],
  ['a bank’s page without a bank', withoutRedirect, { testMode: 'EXTERNAL', redirected: true }, undefined],
] as const)('%s: the connector is chosen by the payment', (_, acquirers, payment, name) => {
  expect(connectorOf({ acquirers }, payment)?.name).toBe(name)
})

const request = { kind: 'request', connector: 'external' }
const reversal = { kind: 'reversal', connector: 'external' }

test.each([
  ['without an attempt', 'INTERNAL', [], 'direct'],
  ['without an attempt, of the test mode EXTERNAL', 'EXTERNAL', [], 'external'],
  ['that was sent to the test system', 'INTERNAL', [request], 'external'],
  ['that was sent to the test system, and reversed', 'INTERNAL', [request, reversal], 'external'],
  ['that was sent again to another acquirer', 'INTERNAL', [request, { ...request, connector: 'direct' }], 'direct'],
  ['whose reversal alone is stored', 'INTERNAL', [reversal], 'direct'],
] as const)('a stored payment %s is reversed where it was sent', async (_, testMode, attempts, name) => {
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
  const row = transactionRow({ test_mode: testMode })
  expect((await connectorOfRow({ acquirers: all, storage }, row))?.name).toBe(name)
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
